"""The heat map of a rulebook: what is known about each of its clauses after a run."""

from __future__ import annotations

from collections.abc import Iterable

from checker.mutation.record import read_record
from checker.report.model import BoardReport, ClauseReport
from checker.rulebook.model import Rulebook
from checker.rulings.load import load_rulings
from checker.system.model import Kind


def heat(book: Rulebook, boards: Iterable[BoardReport], language: str) -> tuple[ClauseReport, ...]:
    """Return every clause with what the boards and the rulings say about it.

    Which properties need a clause, and whether it is noticed when its rules are left out, takes a run of mutants
    of its own: both are None unless one is recorded.

    Raises:
        InputError: a file of rulings is wrong.

    """
    asked, fired = _rules(boards)
    recorded = read_record(book)
    rulings = [ruling for ruling in load_rulings(book) if book.version.name in ruling.versions]
    return tuple(
        ClauseReport(
            id=clause.id,
            text=clause.text[language],
            status=clause.status,
            fires=clause.id in fired if clause.id in asked else None,
            needed=recorded[clause.id].needed if clause.id in recorded else None,
            killed=recorded[clause.id].killed if clause.id in recorded else None,
            cited=tuple(ruling.id for ruling in rulings if clause.id in ruling.clauses) if rulings else None,
        )
        for clause in book.version.clauses.values()
    )


def _rules(boards: Iterable[BoardReport]) -> tuple[set[str], set[str]]:
    """Return the clauses of the rules asked about by `rules_fire` properties, and of those that fire."""
    asked, fired = set[str](), set[str]()
    for board in boards:
        for wanted in board.properties:
            if wanted.kind == Kind.RULES_FIRE.value:
                asked |= _clauses(wanted.asked)
                fired |= _clauses(set(wanted.asked) - set(wanted.dead))
    return asked, fired


def _clauses(rules: Iterable[str]) -> set[str]:
    """Return the clauses in names that `system.model.rule_name` gave."""
    return {clause for rule in rules for clause in rule.partition(" ")[2].split(", ") if clause}
