"""What the first screen and the tables of the HTML page say."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby

from checker.report.model import (
    BoardReport,
    ClauseReport,
    PropertyReport,
    ReadingReport,
    RulebookReport,
)

URGENT = ("violated", "finding vanished", "unknown", "known finding", "holds", "not on this board")
"""Verdicts, those first that ask for attention."""

LISTED = frozenset(URGENT[:4])


@dataclass(frozen=True, slots=True)
class PropertyRow:
    """A property with its verdicts by status, the most urgent first, each with the boards it was given on."""

    property: PropertyReport
    verdicts: tuple[tuple[str, tuple[tuple[BoardReport, PropertyReport], ...]], ...]


@dataclass(frozen=True, slots=True)
class ReadingRow:
    """A switch, with the boards that take another value than the default: value, boards."""

    reading: ReadingReport
    other: tuple[tuple[str, tuple[str, ...]], ...]


@dataclass(frozen=True, slots=True)
class Fact:
    """One of the facts of the heat map. mark: its letter in the style sheet. looked: this run knows it of a clause."""

    name: str
    mark: str
    looked: bool

    def said(self, clause: ClauseReport) -> str:
        """Return what stands for a yes: the properties that need the clause, how many rulings cite it."""
        match self.name:
            case "needed":
                return ", ".join(clause.needed or ())
            case "cited":
                return str(len(clause.cited or ()))
            case _:
                return ""


def facts(book: RulebookReport) -> tuple[Fact, ...]:
    """Return the four facts about clauses."""
    names = zip(("fires", "needed", "killed", "cited"), "abcd", strict=True)
    return tuple(Fact(n, mark, any(getattr(c, n) is not None for c in book.clauses)) for n, mark in names)


def attention(book: RulebookReport) -> tuple[tuple[BoardReport, PropertyReport], ...]:
    """Return the verdicts that a reader has to look at, the most urgent first."""
    listed = [(b, p) for b in book.boards for p in b.properties if p.status in LISTED]
    return tuple(sorted(listed, key=lambda found: URGENT.index(found[1].status)))


def grouped_rows(book: RulebookReport) -> tuple[tuple[str, tuple[PropertyRow, ...]], ...]:
    """Return every property with its verdicts on all boards: those to look at, then by their verdict.

    The first group has no name; the others are named after the verdict they share.
    """
    found: dict[str, dict[str, list[tuple[BoardReport, PropertyReport]]]] = {}
    for board in book.boards:
        for wanted in board.properties:
            found.setdefault(wanted.name, {}).setdefault(wanted.status, []).append((board, wanted))
    rows = []
    for by_status in found.values():
        ordered = sorted(by_status.items(), key=lambda item: URGENT.index(item[0]))
        rows.append(PropertyRow(ordered[0][1][0][1], tuple((s, tuple(boards)) for s, boards in ordered)))
    rows.sort(key=lambda row: URGENT.index(row.verdicts[0][0]))
    groups: dict[str, list[PropertyRow]] = {}
    for row in rows:
        status = row.verdicts[0][0]
        groups.setdefault("" if status in LISTED else status, []).append(row)
    return tuple((name, tuple(group)) for name, group in groups.items())


def tally(groups: Iterable[tuple[str, Sequence[PropertyRow]]]) -> tuple[tuple[str, int], ...]:
    """Count the properties of `grouped_rows`, each by its most urgent verdict; a status that none has is left out."""
    found = Counter(row.verdicts[0][0] for _, rows in groups for row in rows)
    return tuple((status, found[status]) for status in URGENT if found[status])


def reading_rows(book: RulebookReport) -> tuple[ReadingRow, ...]:
    """Return every switch with the values it had on the boards."""
    rows = []
    for reading in book.readings:
        boards: dict[str, list[str]] = {}
        for board in book.boards:
            value = dict(board.readings).get(reading.name, reading.default)
            if value != reading.default:
                boards.setdefault(value, []).append(board.board)
        rows.append(ReadingRow(reading, tuple((value, tuple(names)) for value, names in boards.items())))
    return tuple(rows)


def witnesses(book: RulebookReport) -> tuple[tuple[BoardReport, PropertyReport], ...]:
    """Return a shortest game for everything that is seen to happen, one for each property."""
    best: dict[str, tuple[BoardReport, PropertyReport]] = {}
    for board in book.boards:
        for wanted in board.properties:
            if wanted.status == "holds" and wanted.game is not None:
                known = best.get(wanted.name)
                steps = len(known[1].game.steps) if known and known[1].game else None
                if steps is None or len(wanted.game.steps) < steps:
                    best[wanted.name] = (board, wanted)
    return tuple(best.values())


def chapters(book: RulebookReport) -> tuple[tuple[str, tuple[ClauseReport, ...]], ...]:
    """Return the clauses by the first part of their number."""
    groups = groupby(book.clauses, key=lambda clause: clause.id.split(".")[0])
    joined: dict[str, list[ClauseReport]] = {}
    for chapter, clauses in groups:
        joined.setdefault(chapter, []).extend(clauses)
    return tuple((chapter, tuple(clauses)) for chapter, clauses in joined.items())
