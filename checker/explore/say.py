"""Say moves, and why something may not be done, in the words of the game."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.resources import files

from clingo.symbol import Symbol

from checker.explore.table import Move, Table
from checker.explore.whynot import Missing, WhyNot
from checker.report.labels import Labels
from checker.report.model import Cited
from checker.typography import all_spaced


@dataclass(frozen=True, slots=True)
class Line:
    """A line of a reason: how deep it stands, and the clauses it is about."""

    depth: int
    text: str
    clauses: tuple[Cited, ...] = ()


@dataclass(frozen=True, slots=True)
class Refusal:
    """An action that may not be taken, in a sentence, and the lines of its reason."""

    term: str
    sentence: str
    lines: tuple[Line, ...]


def labels_of(language: str) -> Labels:
    """Return the fixed words of reports together with those of the explorer."""
    labels = Labels(language)
    folder = files("checker.explore") / "templates"
    chosen = folder / f"labels.{language}.toml"
    if not chosen.is_file():
        chosen = folder / "labels.en.toml"
    labels.text = labels.text | all_spaced(tomllib.loads(chosen.read_text(encoding="utf-8")), language)
    return labels


class Speaker:
    """Says what concerns one table."""

    def __init__(self, table: Table) -> None:
        self.table, self.words = table, table.words
        self.labels = labels_of(table.language)

    def move(self, move: Move) -> str:
        """Say a legal step; what it leaves open, and that it has no next board, stands behind it."""
        by = ", ".join(map(self.words.term, move.by))
        parts = [self.labels.sentence(self.words.action(move.action, by))]
        parts += [self.labels("chosen", self.effect(effect)) for effect in move.chosen]
        parts += [] if move.goes_on else [self.labels["dead_end"]]
        return self.labels.joined(parts)

    def effect(self, effect: Symbol) -> str:
        """Say the effect of an option, which is a `set(F, V)`."""
        if effect.match("set", 2):
            return self.labels("is", *map(self.words.term, effect.arguments))
        return self.words.term(effect)

    def clauses(self, move: Move) -> tuple[Cited, ...]:
        """Return the clauses that allow a step."""
        return self.table.teller.cited(move.rules)

    def refusal(self, why: WhyNot) -> Refusal:
        """Say why an action may not be taken."""
        by = next(a for a in self.table.system.actions if a.name == why.action).by
        said = ", ".join(self.words.term(who) for who, _ in by) if len(by) == 1 else self.labels["someone"]
        sentence = self.labels.sentence(self.words.action(why.action, said))
        return Refusal(str(why.action), sentence, tuple(self._reason(why)))

    def _reason(self, why: WhyNot) -> Iterator[Line]:
        if why.first:
            named = self.labels.joined(self.words.action(action, self.labels["someone"]) for action in why.first)
            yield Line(0, self.labels("forced_first", named))
        elif not why.ways:
            yield Line(0, self.labels["never_here"])
        for way in why.ways:
            clauses = self.table.teller.cited([] if way.rule is None else [way.rule])
            yield Line(0, self.labels["would_allow"], clauses)
            for missing in way.missing:
                yield from self._missing(missing, 1)
        if why.more:
            yield Line(0, self.labels("more_rules", why.more))

    def _missing(self, missing: Missing, depth: int) -> Iterator[Line]:
        more = self.labels("other_ways", missing.more) if missing.more else ""
        yield Line(depth, self._literal(missing) + more, self.table.teller.cited(missing.rules))
        for below in missing.below:
            yield from self._missing(below, depth + 1)

    def _literal(self, missing: Missing) -> str:
        symbol, labels = missing.symbol, self.labels
        if missing.need:
            return labels("counted", missing.have, missing.need)
        pairs = (now.arguments for now in missing.grounds)
        grounds = labels.joined(labels("is", self.words.condition(f), self.words.term(v)) for f, v in pairs)
        since = labels("since", grounds) if grounds else ""
        if symbol is None:
            return labels["unnamed" if missing.wanted else "unnamed_holds"] + since
        if symbol.match("now", 2):
            fluent, value = self.words.condition(symbol.arguments[0]), self.words.term(symbol.arguments[1])
            if missing.instead is None:
                return labels("must_not", fluent, value)
            return labels("should", fluent, value, self.words.term(missing.instead))
        return labels("lacks" if missing.wanted else "holds", self.words.condition(symbol)) + since
