"""Say what engines say in the language of the report, and the terms in it in the words of the game.

Engines write plain English with terms. Their sentences stand in the section `said` of `labels.en.toml`, with
slots; what matches one is said by the sentence of the same name in the language wanted. A slot holds text,
other sentences of engines (`{0s}`), actions, maybe with those who decide them (`{0a}`), one action with those
who do (`{0w}`), players (`{0p}`), the effects of an open outcome (`{0e}`), or values of fluents (`{0v}`).
A sentence about a single step has a name that ends in `_one`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache

from clingo import parse_term
from clingo.symbol import Function, Symbol

from checker.report.labels import Labels
from checker.report.words import Words

SLOT = re.compile(r"\{(\d)([sawepv]?)\}")
NUMBER = re.compile(r"\d{1,3}(,\d{3})+")
NOBODY = "nobody"
WITH_WHO = re.compile(r"(.+) \(([^()]*)\)")


class EngineWords:
    """Says the sentences of engines about one board."""

    def __init__(self, labels: Labels, words: Words) -> None:
        self.labels, self.words = labels, words

    def say(self, sentence: str) -> str:
        """Return a sentence, or several joined by semicolons, in the language wanted; unknown ones as they are."""
        whole = self._match(sentence)
        if whole is not None:
            return whole
        parts = sentence.split("; ")
        said = [self._match(part) or part for part in parts]
        return self.labels.joined(said) if len(parts) > 1 else sentence

    def _match(self, sentence: str) -> str | None:
        for name, (pattern, kinds) in _patterns().items():
            found = pattern.fullmatch(sentence)
            if found is not None:
                one = f"{name}_one"
                chosen = one if one in self.labels.said and found.groups()[:1] == ("1",) else name
                return self._filled(self.labels.said[chosen], kinds, found.groups())
        return None

    def _filled(self, template: str, kinds: Sequence[str], texts: Sequence[str]) -> str:
        """Fill a template; actions without anyone who decides them are decided by the players it names."""
        who = next((text for kind, text in zip(kinds, texts, strict=True) if kind == "p"), "")
        values = [self._value(kind, text, who) for kind, text in zip(kinds, texts, strict=True)]
        return SLOT.sub(lambda slot: values[int(slot[1])], template)

    def _value(self, kind: str, text: str, who: str) -> str:
        match kind:
            case "s":
                return self.say(text)
            case "a" | "w":
                return self._quoted(self._action(item, who) for item in _items(text, ", "))
            case "p":
                return self._players(text)
            case "e":
                return self._quoted(self._effect(item) for item in text.split(" or "))
            case "v":
                return ", ".join(self._holds(item) for item in _items(text, ", "))
            case _:
                return NUMBER.sub(lambda found: found[0].replace(",", self.labels["thousands"]), text)

    def _quoted(self, items: Iterator[str]) -> str:
        return ", ".join(self.labels("quoted", item) for item in items)

    def _action(self, text: str, who: str) -> str:
        """Say an action, which may have those who decide it behind it."""
        found = WITH_WHO.fullmatch(text)
        term, by = (found[1], found[2]) if found else (text, who)
        symbol = _parsed(term)
        return text if symbol is None else self.words.action(symbol, self._players(by))

    def _players(self, text: str) -> str:
        if text in ("", NOBODY):
            return self.labels["somebody"]
        return self.labels["or"].join(self._term(item) for item in _items(text, ", "))

    def _effect(self, text: str) -> str:
        symbol = _parsed(text)
        if symbol is None or not symbol.match("set", 2):
            return text
        return self.words.effect(symbol)

    def _holds(self, text: str) -> str:
        """Say `fluent = value`."""
        fluent, _, value = map(str.strip, text.partition(" = "))
        name, held = _parsed(fluent), _parsed(value)
        return text if name is None or held is None else self.words.effect(Function("set", [name, held]))

    def _term(self, text: str) -> str:
        symbol = _parsed(text)
        return text if symbol is None else self.words.term(symbol)


def _parsed(text: str) -> Symbol | None:
    try:
        return parse_term(text)
    except RuntimeError:
        return None


def _items(text: str, separator: str) -> list[str]:
    """Split a list where no parenthesis is open; who decides an item stays with it."""
    items, depth, start = [], 0, 0
    for place, letter in enumerate(text):
        depth += (letter == "(") - (letter == ")")
        if depth == 0 and text.startswith(separator, place):
            items.append(text[start:place])
            start = place + len(separator)
    return [*items, text[start:]]


@cache
def _patterns() -> Mapping[str, tuple[re.Pattern[str], tuple[str, ...]]]:
    """Return for each sentence what it looks like in English, and the kinds of its slots in order."""
    found = {}
    for name, template in Labels("en").said.items():
        parts = SLOT.split(template)
        kinds = tuple(parts[2::3])
        slots = [r"([^;]+? \([^()]*\))" if kind == "w" else "([^;]+?)" for kind in kinds]
        text = "".join(re.escape(part) + slot for part, slot in zip(parts[::3], [*slots, ""], strict=True))
        found[name] = (re.compile(text, re.DOTALL), kinds)
    return found
