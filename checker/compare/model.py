"""What a comparison found, as plain values: what crosses processes, and what JSON carries."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ClauseChange:
    """A clause that is not as it was. what: added, removed, reworded, renumbered, status."""

    what: str
    left: str | None
    right: str | None
    text: str
    was: str


@dataclass(frozen=True, slots=True)
class Row:
    """A fluent at the end of a game: its value on either side, and before the last step."""

    fluent: str
    before: str
    left: str
    right: str


@dataclass(frozen=True, slots=True)
class Parting:
    """A shortest game after which the sides differ.

    kind: added (an action legal on the right alone), removed (on the left alone), changed (another next board
    or another decider), events (other things happen, on the same board). clause: whose rules fire on one side
    alone; None: of that kind, whatever the clause.
    steps: the game. ending: what differs, in words. rows: the boards side by side, the fluents that differ and
    those that changed in the game. fired: for each side, the clauses of the rules that fired there alone.
    """

    board: str
    kind: str
    clause: str | None
    steps: tuple[str, ...]
    ending: tuple[str, ...]
    rows: tuple[Row, ...]
    fired: tuple[tuple[str, ...], tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class VerdictChange:
    """A property whose verdict is another on a board; `game` is a counterexample of the side that breaks it."""

    board: str
    property: str
    title: str
    left: str
    right: str
    game: tuple[str, ...]
    culprits: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class BoardComparison:
    """What comparing on one board showed.

    board: its name, which says so where the left side lays it out otherwise and this is how.
    same: the ground rules are the same, so that nothing was explored. states: boards on which both agree so far.
    why_open: why the search is not exhaustive, empty if it is. only: fluents that one side alone has.
    starts: fluents that start otherwise. trouble: why the board could not be compared at all.
    undecided: properties whose verdict a side, or both, left open within the limits.
    """

    board: str
    same: bool
    states: int | None
    why_open: str
    only: tuple[tuple[str, ...], tuple[str, ...]]
    starts: tuple[str, ...]
    partings: tuple[Parting, ...]
    verdicts: tuple[VerdictChange, ...]
    seconds: float
    trouble: str = ""
    undecided: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class RulingChange:
    """A ruling's game that goes otherwise: for each side, passes, or what failed, or why it cannot be played."""

    ruling: str
    title: str
    status: str
    left: str
    right: str


@dataclass(frozen=True, slots=True)
class ReadingChange:
    """A reading on which the sides part, changed alone on the left side, whatever a board itself chooses.

    open: "left" or "right" if that side leaves it open, and this is one of the values it allows; else empty.
    parting: the shortest game that shows it. boards: on how many boards there is one. why_open: why there may
    be more, empty if every board was searched exhaustively.
    """

    reading: str
    left: str
    right: str
    open: str
    parting: Parting | None
    boards: int
    why_open: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Comparison:
    """Everything a diff found.

    asked: the parts that were looked into. relaid: boards that differ themselves. alone: boards that one side lacks,
    in words. questions: properties that ask something else, whatever their verdicts. declared: the readings that are
    not declared alike, in words.
    """

    left: str
    right: str
    asked: tuple[str, ...]
    clauses: tuple[ClauseChange, ...]
    boards: tuple[BoardComparison, ...]
    rulings: tuple[RulingChange, ...]
    rulings_played: int
    readings: tuple[ReadingChange, ...]
    relaid: tuple[str, ...] = ()
    alone: tuple[str, ...] = ()
    questions: tuple[str, ...] = ()
    declared: tuple[str, ...] = ()
