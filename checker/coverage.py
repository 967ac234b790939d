"""Clause by clause: is it encoded, does it fire on a reachable board, who cites it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

from checker.premises import Premise
from checker.report.model import RulebookReport
from checker.rulebook.encoding import Encoding
from checker.rulebook.model import Clause, Rulebook
from checker.system.model import Kind, rule_name


@dataclass(frozen=True, slots=True)
class ClauseCoverage:
    """What is known of one clause.

    rules: how many rules mean it; fires: how many of those fire on a reachable board of those checked.
    properties, rulings: the names of the properties and the ids of the rulings that cite it.
    premises, met: how many premises those properties have, and how many of these are met on a board.
    """

    clause: Clause
    rules: int
    fires: int
    properties: tuple[str, ...]
    rulings: tuple[str, ...]
    premises: int = 0
    met: int = 0

    @property
    def gap(self) -> str | None:
        """What is missing: an encoded clause none of whose rules fires, or that no ruling plays."""
        if self.clause.status == "encoded" and not self.fires:
            return "never fires"
        if self.clause.status == "encoded" and not self.rulings:
            return "no ruling"
        return None


@dataclass(frozen=True, slots=True)
class Gate:
    """The encoded clauses that must fire, and be played by a ruling, in percent; both None: all, of both kinds.

    premises: the premises of properties that must be met, in percent; None: however few.
    """

    fires: float | None = None
    cited: float | None = None
    premises: float | None = None

    def failures(self, found: Coverage) -> list[str]:
        """Return a sentence for each bound that is not kept."""
        encoded = [c for c in found.clauses if c.clause.status == "encoded"]
        every = 100.0 if self.fires is None and self.cited is None else None
        least = [every if bound is None else bound for bound in (self.fires, self.cited)]
        fires, ruled = sum(c.fires > 0 for c in encoded), sum(bool(c.rulings) for c in encoded)
        met, premises = sum(found.premises.values()), len(found.premises)
        shown = (
            ("encoded clauses fire on a board", fires, len(encoded), least[0]),
            (
                "encoded clauses are played by a ruling",
                ruled,
                len(encoded),
                every if self.cited is None else self.cited,
            ),
            ("premises of properties are met on a board", met, premises, self.premises),
        )
        return [
            f"{have} of {whole} {what}, {_percent(have, whole)}; expected at least {wanted:g}%"
            for what, have, whole, wanted in shown
            if wanted is not None and have * 100 < wanted * whole
        ]


@dataclass(frozen=True, slots=True)
class Coverage:
    """What is known of every clause, and whether each premise of a property is met somewhere."""

    clauses: tuple[ClauseCoverage, ...]
    premises: Mapping[Premise, bool]


def coverage(
    book: Rulebook,
    encoding: Encoding,
    checked: RulebookReport,
    played: Iterable[tuple[str, frozenset[str]]],
    premises: Mapping[Premise, bool],
) -> Coverage:
    """Join what a check and the rulings showed, by clause.

    Args:
        book: the rulebook.
        encoding: its rules.
        checked: a check of boards that asked the rulebook's properties of kind rules_fire.
        played: for each game of a ruling that passed, the ruling's id and the clauses that fired in it.
        premises: of each premise whether it is met on a board.

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
        ruled, own = tuple(rulings.get(written.id, ())), [m for p, m in premises.items() if p.property in named]
        found.append(ClauseCoverage(written, len(mine), fires, named, ruled, len(own), sum(own)))
    return Coverage(tuple(found), premises)


def _fired(checked: RulebookReport) -> set[str]:
    """The names of the rules that fire on some board."""
    return {
        name
        for board in checked.boards
        for wanted in board.properties
        if wanted.kind == Kind.RULES_FIRE.value
        for name in set(wanted.asked) - set(wanted.dead)
    }


def to_text(book: Rulebook, found: Coverage, language: str, every: bool) -> str:
    """Return a line per chapter with counts, every clause if asked for, and the gaps."""
    covered = found.clauses
    lines = [f"{book.title[language]} {book.version.name}"]
    lines.append(
        f"{'chapter':<9}{'clauses':>8}{'encoded':>9}{'fire':>6}{'ruled':>7}{'premise':>9}"
        f"{'definition':>12}{'out of scope':>14}"
    )
    for chapter, group in groupby(covered, key=lambda c: c.clause.id.split(".")[0]):
        lines.append(_row(chapter, list(group)))
    lines.append(_row("all", covered))
    if every:
        lines += ["", *(_line(c, language) for c in covered)]
    gaps = [c for c in covered if c.gap]
    lines += ["", *(f"gap: {c.clause.id} {c.gap}: {c.clause.text[language]}" for c in gaps)]
    never = [premise for premise, met in found.premises.items() if not met]
    lines += (f"premise never met: {p.property} ({p.place}): everything but {p.without}" for p in never)
    told = ": no board or step checked lacks only the condition named to break the property" if never else ""
    lines.append(f"{len(never)} of {len(found.premises)} premises of properties never met{told}")
    lines.append(f"{len(gaps)} gaps in {sum(c.clause.status == 'encoded' for c in covered)} encoded clauses")
    return "\n".join(lines) + "\n"


def _percent(part: int, whole: int) -> str:
    """Return a share rounded down, so that nothing short of everything reads 100%."""
    return f"{part * 1000 // whole / 10:g}%"


def _row(chapter: str, group: Sequence[ClauseCoverage]) -> str:
    status = Counter(c.clause.status for c in group)
    fires = sum(c.fires > 0 for c in group)
    ruled = sum(bool(c.rulings) for c in group if c.clause.status == "encoded")
    premise = sum(0 < c.premises == c.met for c in group)
    return (
        f"{chapter:<9}{len(group):>8}{status['encoded']:>9}{fires:>6}{ruled:>7}{premise:>9}"
        f"{status['definition']:>12}{status['out_of_scope']:>14}"
    )


def _line(covered: ClauseCoverage, language: str) -> str:
    clause = covered.clause
    said = f"{clause.id:<14}{clause.status:<13}{clause.text[language]}"
    if clause.status != "encoded":
        return f"{said} [{clause.why}]"
    cited = ", ".join((*covered.properties, *covered.rulings)) or "nobody"
    premises = f"; {covered.met} of {covered.premises} premises met" if covered.premises else ""
    return f"{said} [{covered.fires} of {covered.rules} rules fire; cited by {cited}{premises}]"
