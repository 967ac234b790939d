"""The bug battery: put faults that engines really had into the rules, and see which properties notice."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from checker.check import Status, check_board
from checker.engines.protocol import Limits
from checker.errors import InputError, Problem, closest
from checker.pipeline import read_rules
from checker.rulebook.encoding import Encoding
from checker.rulebook.load import load_board
from checker.rulebook.model import Rulebook, Text
from checker.rulebook.toml import position, read_toml
from checker.system.model import RuleSource


@dataclass(frozen=True, slots=True)
class Bug:
    """One fault: rules added by `overlay`, rules switched off by `drop`, and who should notice on `board`."""

    id: str
    title: Text
    source: str
    in_scope: bool
    why: str | None
    overlay: Path | None
    drop: tuple[Mapping[str, str], ...]
    board: str
    readings: Mapping[str, str]
    expect: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Caught:
    """A fault and the properties whose verdict it changed."""

    bug: Bug
    by: tuple[str, ...]

    @property
    def as_expected(self) -> bool:
        """Whether every property that should notice did, and none did where it is known to escape."""
        return set(self.bug.expect) <= set(self.by) and bool(self.bug.expect) == bool(self.by)


def load_bugs(book: Rulebook) -> tuple[Bug, ...]:
    """Read `bugs.toml` of a rulebook; a rulebook without one has no battery.

    Raises:
        InputError: the file is wrong, or names a property that does not exist.

    """
    path = book.folder / "bugs.toml"
    if not path.is_file():
        raise InputError(f"{book.name} has no bug battery (bugs.toml)")
    data = read_toml(path, "bugs")
    known = [p.name for p in book.properties]
    problems = [
        Problem(f'there is no property "{name}"; {closest(name, known)}', position(path, [key, "expect"]))
        for key, entry in data.items()
        for name in entry.get("expect", ())
        if name not in known
    ]
    if problems:
        raise InputError(problems)
    return tuple(_bug(book, key, entry) for key, entry in data.items())


def run_bug(book: Rulebook, bug: Bug) -> Caught:
    """Check the board with and without the fault, and return the properties whose verdict got worse.

    Raises:
        InputError: the overlay is wrong, or a `drop` entry does not fit exactly one rule.

    """
    plain = read_rules(book)
    faulty = read_rules(book, [bug.overlay] if bug.overlay else [])
    faulty = faulty.without(frozenset(_dropped(book, faulty, bug)))
    before = dict(_statuses(book, plain, bug))
    after = dict(_statuses(book, faulty, bug))
    return Caught(bug, tuple(name for name, status in after.items() if _worse(before[name], status)))


def to_text(caught: Sequence[Caught], left_out: Sequence[Bug], language: str) -> str:
    """Return a line per fault with who notices it, the catch rate, and what escapes or is out of scope."""
    lines = [f"{c.bug.id:<8} {', '.join(c.by) or 'ESCAPES':<44} {c.bug.title[language]}" for c in caught]
    found = [c for c in caught if c.by]
    lines.append("")
    lines += [f"{c.bug.id} escapes: {c.bug.why or 'nobody expected that'}" for c in caught if not c.by]
    lines += [
        f"{c.bug.id}: expected {', '.join(sorted(set(c.bug.expect) - set(c.by)))} to notice"
        for c in caught
        if c.by and not c.as_expected
    ]
    lines += [f"{b.id} is out of scope: {b.why}" for b in left_out]
    rate = 100 * len(found) // max(1, len(caught))
    lines.append(f"{len(found)} of {len(caught)} faults in scope caught ({rate} %)")
    return "\n".join(lines) + "\n"


def _bug(book: Rulebook, key: str, entry: Mapping[str, Any]) -> Bug:
    return Bug(
        id=key,
        title=Text(entry["title"]),
        source=entry["source"],
        in_scope=entry["status"] == "in_scope",
        why=entry.get("why"),
        overlay=book.folder / entry["overlay"] if "overlay" in entry else None,
        drop=tuple(entry.get("drop", ())),
        board=entry.get("board", ""),
        readings=entry.get("readings", {}),
        expect=tuple(entry.get("expect", ())),
    )


def _statuses(book: Rulebook, encoding: Encoding, bug: Bug) -> Iterator[tuple[str, Status]]:
    board = load_board(book, bug.board)
    result = check_board(
        book, encoding, board, bug.readings, book.properties, "symbolic", Limits(), lambda _: None, strict=False
    )
    for judged in result.judged:
        yield judged.property.name, judged.status


def _worse(before: Status, after: Status) -> bool:
    good = {Status.HOLDS, Status.KNOWN}
    return before in good and after in {Status.VIOLATED, Status.VANISHED, Status.ABSENT}


def _dropped(book: Rulebook, encoding: Encoding, bug: Bug) -> Iterator[int]:
    for entry in bug.drop:
        fitting = [s for s in encoding.sources if _fits(s, entry)]
        if len(fitting) != 1:
            place = position(book.folder / "bugs.toml", [bug.id, "drop"])
            raise InputError(f"the entry {dict(entry)} fits {len(fitting)} rules; expected exactly one", place)
        yield fitting[0].id


def _fits(source: RuleSource, entry: Mapping[str, str]) -> bool:
    return (
        Path(source.file).name == entry["file"]
        and ("clause" not in entry or entry["clause"] in (source.clauses or ("model",)))
        and ("head" not in entry or source.text.lstrip("{ ").startswith(entry["head"] + "("))
        and ("text" not in entry or entry["text"] in source.text)
    )
