"""Clause by clause: is it encoded, does it fire on a reachable board, who cites it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby

from checker.report.model import RulebookReport
from checker.rulebook.encoding import Encoding
from checker.rulebook.model import Clause, Rulebook
from checker.system.model import Kind, rule_name


@dataclass(frozen=True, slots=True)
class ClauseCoverage:
    """What is known of one clause.

    rules: how many rules mean it; fires: how many of those fire on a reachable board of those checked.
    properties, rulings: the names of the properties and the ids of the rulings that cite it.
    """

    clause: Clause
    rules: int
    fires: int
    properties: tuple[str, ...]
    rulings: tuple[str, ...]

    @property
    def gap(self) -> str | None:
        """What is missing: an encoded clause none of whose rules fires, or that no ruling plays."""
        if self.clause.status == "encoded" and not self.fires:
            return "never fires"
        if self.clause.status == "encoded" and not self.rulings:
            return "no ruling"
        return None


def coverage(
    book: Rulebook, encoding: Encoding, checked: RulebookReport, played: Iterable[tuple[str, frozenset[str]]]
) -> tuple[ClauseCoverage, ...]:
    """Join what a check and the rulings showed, by clause.

    Args:
        book: the rulebook.
        encoding: its rules.
        checked: a check of boards that asked the rulebook's properties of kind rules_fire.
        played: for each game of a ruling that passed, the ruling's id and the clauses that fired in it.

    """
    fired = _fired(checked)
    properties: dict[str, dict[str, None]] = {}
    for wanted in book.properties:
        for clause in wanted.clauses:
            properties.setdefault(book.version.number(clause) or "", {})[wanted.name] = None
    rulings: dict[str, dict[str, None]] = {}
    for ruling, clauses in played:
        for clause in clauses:
            rulings.setdefault(clause, {})[ruling] = None
    found = []
    for written in book.version.clauses.values():
        mine = [s for s in encoding.sources if written.id in s.clauses]
        fires = sum(rule_name(s) in fired for s in mine)
        named = tuple(properties.get(written.id, ()))
        found.append(ClauseCoverage(written, len(mine), fires, named, tuple(rulings.get(written.id, ()))))
    return tuple(found)


def _fired(checked: RulebookReport) -> set[str]:
    """The names of the rules that fire on some board."""
    return {
        name
        for board in checked.boards
        for wanted in board.properties
        if wanted.kind == Kind.RULES_FIRE.value
        for name in set(wanted.asked) - set(wanted.dead)
    }


def to_text(book: Rulebook, covered: Sequence[ClauseCoverage], language: str, every: bool) -> str:
    """Return a line per chapter with counts, every clause if asked for, and the gaps."""
    lines = [f"{book.title[language]} {book.version.name}"]
    lines.append(
        f"{'chapter':<9}{'clauses':>8}{'encoded':>9}{'fire':>6}{'ruled':>7}{'definition':>12}{'out of scope':>14}"
    )
    for chapter, group in groupby(covered, key=lambda c: c.clause.id.split(".")[0]):
        lines.append(_row(chapter, list(group)))
    lines.append(_row("all", covered))
    if every:
        lines += ["", *(_line(c, language) for c in covered)]
    gaps = [c for c in covered if c.gap]
    lines += ["", *(f"gap: {c.clause.id} {c.gap}: {c.clause.text[language]}" for c in gaps)]
    lines.append(f"{len(gaps)} gaps in {sum(c.clause.status == 'encoded' for c in covered)} encoded clauses")
    return "\n".join(lines) + "\n"


def _row(chapter: str, group: Sequence[ClauseCoverage]) -> str:
    status = Counter(c.clause.status for c in group)
    fires = sum(c.fires > 0 for c in group)
    ruled = sum(bool(c.rulings) for c in group if c.clause.status == "encoded")
    return (
        f"{chapter:<9}{len(group):>8}{status['encoded']:>9}{fires:>6}{ruled:>7}"
        f"{status['definition']:>12}{status['out_of_scope']:>14}"
    )


def _line(covered: ClauseCoverage, language: str) -> str:
    clause = covered.clause
    said = f"{clause.id:<14}{clause.status:<13}{clause.text[language]}"
    if clause.status != "encoded":
        return f"{said} [{clause.why}]"
    cited = ", ".join((*covered.properties, *covered.rulings)) or "nobody"
    return f"{said} [{covered.fires} of {covered.rules} rules fire; cited by {cited}]"
