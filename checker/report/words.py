"""Say terms of a rulebook in words: `words/<lang>.toml` and the titles of cards."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence

from clingo.symbol import Function, Symbol, SymbolType

from checker.rulebook.model import Board, Rulebook

SLOT = re.compile(r"\{(\w+)\}")
NUMBERED = re.compile(r" ?\{(\d):(\d)\.(\w+)\}")
"""A slot `{3:1.equip}`: argument 3, which numbers what the card of argument 1 lists under `equip`."""

VOWEL = re.compile("[aeiouàâéèêîôû]", re.IGNORECASE)


def translated(templates: Mapping[str, Mapping[str, str]], text: str) -> str:
    """Return a sentence as a words file has it, or as it is."""
    return templates.get("sentence", {}).get(text, text)


class Words:
    """The words of one rulebook, board and language.

    A term without a template is said as itself; an object is said by its card's title, with its own name
    behind it where two objects of the board share a card. A number that tells apart what a card lists is left out
    where the card lists one thing.
    """

    def __init__(self, book: Rulebook, board: Board, language: str) -> None:
        self.templates: Mapping[str, Mapping[str, str]] = book.words.get(language, {})
        titles = {
            name: book.cards[entry["card"]].title[language] if "card" in entry else name
            for name, entry in board.objects.items()
        }
        elided = self.templates.get("grammar", {}).get("elide", "").split()
        self._elided = re.compile(rf"\b({'|'.join(word[:-1] for word in elided)})e $") if elided else None
        self._several = {
            (name, key)
            for name, entry in board.objects.items()
            if "card" in entry
            for key, listed in book.cards[entry["card"]].facts.items()
            if isinstance(listed, Sequence) and not isinstance(listed, str) and len(listed) > 1
        }
        shared = Counter(titles.values())
        self.objects = {n: t if shared[t] == 1 or t == n else f"{t} ({n})" for n, t in titles.items()}

    def term(self, symbol: Symbol) -> str:
        """Say a value: an object, a place, a player, a number."""
        if symbol.type == SymbolType.String:
            return symbol.string
        if symbol.type == SymbolType.Function and not symbol.arguments and symbol.name in self.objects:
            return self.objects[symbol.name]
        return self._fill("value", symbol, {}) or self._plain(symbol)

    def condition(self, symbol: Symbol) -> str:
        """Say a condition of a rule, or the fluent it is about: by the section `condition`, else as a value."""
        return self._fill("condition", symbol, {}) or self.term(symbol)

    def action(self, symbol: Symbol, by: str) -> str:
        """Say an action as a sentence; `by` is who decides it."""
        return self._fill("action", symbol, {"by": by}) or f"{by}: {self._plain(symbol)}"

    def event(self, symbol: Symbol) -> str:
        """Say an event as a sentence."""
        return self._fill("event", symbol, {}) or self._plain(symbol)

    def change(self, fluent: Symbol, was: Symbol, value: Symbol) -> str:
        """Say what a fluent now holds."""
        slots = {"value": self.term(value), "was": self.term(was)}
        exact = self._fill("fluent", fluent, slots, f"={value}")
        return exact or self._fill("fluent", fluent, slots) or f"{self._plain(fluent)} = {slots['value']}"

    def sentence(self, text: str) -> str:
        """Say a sentence that rules or clause files have in English only."""
        return translated(self.templates, text)

    def effect(self, symbol: Symbol) -> str:
        """Say an effect `set(F, V)`, whatever the fluent holds now."""
        fluent, value = symbol.arguments
        return self.change(fluent, Function("…"), value)

    def stays(self, fluent: Symbol, value: Symbol) -> str:
        """Say what a fluent still holds: by the section `stays`, else as the change to it."""
        slots = {"value": self.term(value), "was": self.term(value)}
        exact = self._fill("stays", fluent, slots, f"={value}") or self._fill("stays", fluent, slots)
        return exact or self.change(fluent, value, value)

    @property
    def turned(self) -> str:
        """What the rulebook calls a card that lies turned; nothing if it has no word for it."""
        return self.templates.get("badge", {}).get("turned/0", "")

    def badge(self, symbol: Symbol) -> str:
        """Say a badge."""
        return self._fill("badge", symbol, {}) or self._plain(symbol)

    def status(self, symbol: Symbol) -> str:
        """Say a heading of the board's status lines."""
        return self._fill("status", symbol, {}) or self._plain(symbol)

    def _plain(self, symbol: Symbol) -> str:
        if symbol.type != SymbolType.Function or not symbol.arguments:
            return str(symbol)
        inside = ", ".join(map(self.term, symbol.arguments))
        return f"{symbol.name}({inside})" if symbol.name else f"({inside})" if "," in inside else inside

    def _fill(self, section: str, symbol: Symbol, slots: Mapping[str, str], suffix: str = "") -> str:
        """Fill the template of a term, or return nothing where there is none."""
        if symbol.type != SymbolType.Function:
            return ""
        template = self.templates.get(section, {}).get(f"{symbol.name}/{len(symbol.arguments)}{suffix}")
        if template is None:
            return ""
        values = {str(i): self.term(a) for i, a in enumerate(symbol.arguments, start=1)} | dict(slots)
        said, *rest = SLOT.split(self._numbered(template, symbol))
        for name, text in zip(rest[::2], rest[1::2], strict=True):
            said = self._joined(said, values.get(name, f"{{{name}}}")) + text
        return said

    def _numbered(self, template: str, symbol: Symbol) -> str:
        """Make plain slots of those for numbers, and take out those that would tell nothing apart."""

        def slot(found: re.Match[str]) -> str:
            _, owner, key = found.groups()
            needed = (str(symbol.arguments[int(owner) - 1]), key) in self._several
            return found[0].replace(f":{owner}.{key}", "") if needed else ""

        return NUMBERED.sub(slot, template)

    def _joined(self, before: str, value: str) -> str:
        """Put a value behind a text; in a language that elides, some words lose their e before a vowel."""
        if self._elided is not None and VOWEL.match(value):
            before = self._elided.sub(r"\1'", before)
        return before + value
