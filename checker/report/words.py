"""Say terms of a rulebook in words: `words/<lang>.toml` and the titles of cards."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping

from clingo.symbol import Symbol, SymbolType

from checker.rulebook.model import Board, Rulebook

SLOT = re.compile(r"\{(\w+)\}")


class Words:
    """The words of one rulebook, board and language.

    A term without a template is said as itself; an object is said by its card's title, with its own name
    behind it where two objects of the board share a card.
    """

    def __init__(self, book: Rulebook, board: Board, language: str) -> None:
        self.templates: Mapping[str, Mapping[str, str]] = book.words.get(language, {})
        titles = {
            name: book.cards[entry["card"]].title[language] if "card" in entry else name
            for name, entry in board.objects.items()
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
        return SLOT.sub(lambda found: values.get(found[1], found[0]), template)
