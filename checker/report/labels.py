"""The fixed words of reports, by language: `templates/labels.<language>.toml`."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Sequence
from importlib.resources import files

from checker.typography import all_spaced

SLOT, FORMS = re.compile(r"\{(\d)\}"), re.compile(r"\{(\d)\|([^|}]*)\|([^}]*)\}")


class Labels:
    """The fixed words of one language; a language without a file is told in English.

    status: what a verdict is called. kind: what a kind of property asks for. said: what engines say (`said`).
    """

    def __init__(self, language: str) -> None:
        folder = files("checker.report") / "templates"
        chosen = folder / f"labels.{language}.toml"
        if not chosen.is_file():
            chosen = folder / "labels.en.toml"
        written: dict[str, dict[str, str]] = tomllib.loads(chosen.read_text(encoding="utf-8"))
        words = {name: all_spaced(section, language) for name, section in written.items()}
        self.text, self.status, self.kind, self.said = words["text"], words["status"], words["kind"], words["said"]

    def __getitem__(self, key: str) -> str:
        """Return a label as it stands."""
        return self.text[key]

    def __call__(self, key: str, *values: object) -> str:
        """Fill the label's slots {0}, {1}, ... with values; whole numbers get their thousands marked.

        A slot {0|board|boards} is filled with a number and the form of the word that goes with it.
        """
        text = FORMS.sub(lambda slot: self._counted(values[int(slot[1])], slot[2], slot[3]), self.text[key])
        return SLOT.sub(lambda slot: self.number(values[int(slot[1])]), text)

    def _counted(self, number: object, one: str, many: str) -> str:
        return f"{self.number(number)} {one if str(number) in self.text['singular'].split() else many}"

    def number(self, value: object) -> str:
        """Say a whole number with thousands marked as the language does, anything else as text."""
        if not isinstance(value, int) or isinstance(value, bool):
            return str(value)
        return f"{value:,}".replace(",", self.text["thousands"])

    def sentence(self, text: str) -> str:
        """Begin with a capital letter."""
        return text[:1].upper() + text[1:]

    def joined(self, parts: Iterable[str]) -> str:
        """Join texts by semicolons."""
        return self.text["semicolon"].join(parts)

    def steps(self, count: int) -> str:
        """Say a number of steps."""
        return self.counted("steps", count)

    def listed(self, key: str, numbers: Sequence[int]) -> str:
        """Fill the label `key`, or `key`_one for a single one, with numbers of steps."""
        return self(key if len(numbers) > 1 else f"{key}_one", ", ".join(map(str, numbers)))

    def counted(self, key: str, count: int) -> str:
        """Fill the label `key` with a number, or take `key`_one for a single one."""
        return self[f"{key}_one"] if count == 1 else self(key, count)
