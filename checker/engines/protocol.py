"""The protocol of an engine, and what it answers."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol, TypeAlias

from checker.system.model import Goal, Kind, State, Step, Trace, TransitionSystem


@dataclass(frozen=True, slots=True)
class Limits:
    """A budget: wall time in seconds, memory in bytes, depth in steps; None is no limit.

    games: how many different games to show for each violation (see `engines.different`).
    """

    seconds: float | None = None
    memory: int | None = None
    depth: int | None = None
    games: int = 1


@dataclass(frozen=True, slots=True)
class Counts:
    """What was explored. None where an engine does not know.

    states: distinct reachable boards. transitions: enabled (board, action, outcome) triples.
    levels: breadth-first layers, the initial boards being layer 1. complete: nothing was left out.
    """

    states: int | None = None
    transitions: int | None = None
    levels: int | None = None
    largest_level: int | None = None
    complete: bool = False


@dataclass(frozen=True, slots=True)
class Holds:
    """The property holds, `how` says by which evidence; `witness` for `sometimes` properties."""

    how: str
    witness: Trace | None = None


@dataclass(frozen=True, slots=True)
class Shown:
    """A game that breaks a property, and the culprits at its end and the note as in `Violated`."""

    trace: Trace
    culprits: tuple[str, ...]
    note: str = ""


@dataclass(frozen=True, slots=True)
class Further:
    """Games beyond the first that break a property differently, shortest first (see `engines.different`).

    complete: every way to break it is among the games; otherwise there may be more.
    """

    games: tuple[Shown, ...]
    complete: bool


@dataclass(frozen=True, slots=True)
class Violated:
    """The property is broken.

    trace: a shortest game that shows it; None when what is missing has no game (something unreachable).
    culprits: the second arguments of the violated atoms on the last board, or the names of what is missing.
    breaking: how many reachable boards break it, where known.
    further: different games that break it too, as many as `Limits.games` asks for with the first; None where
    the engine did not look for any.
    """

    trace: Trace | None
    culprits: tuple[str, ...] = ()
    shortest: bool = True
    breaking: int | None = None
    note: str = ""
    further: Further | None = None


@dataclass(frozen=True, slots=True)
class Unknown:
    """Undecided, with the reason and how far the engine came."""

    reason: str
    depth: int | None = None


NO_RESOLUTION = "no resolution begins on any reachable board"
"""How a determinism property holds where nothing it asks about happens: hollow, and reported as such."""

Answer: TypeAlias = Holds | Violated | Unknown


@dataclass(frozen=True, slots=True)
class Verdict:
    """An engine's answer to one property of one system."""

    goal: Goal
    answer: Answer
    engine: str


@dataclass(frozen=True, slots=True)
class Result:
    """All verdicts of one run over one system, with what was explored and the seconds it took."""

    verdicts: tuple[Verdict, ...]
    counts: Counts
    seconds: float
    details: Mapping[str, int | float | str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a run is: level, distinct and generated boards, boards still to expand."""

    engine: str
    level: int
    distinct: int
    generated: int | None = None
    queue: int | None = None


Report: TypeAlias = Callable[[Progress], None]


class Engine(Protocol):
    """An engine decides properties of a transition system; it prints nothing."""

    name: str
    kinds: frozenset[Kind]
    """The kinds of property the engine can decide; it answers Unknown for others."""

    def check(self, system: TransitionSystem, goals: Sequence[Goal], limits: Limits, report: Report) -> Result:
        """Decide every goal. A budget that runs out gives Unknown, never Holds."""
        ...


__all__ = [
    "Answer",
    "Counts",
    "Engine",
    "Further",
    "Holds",
    "Limits",
    "Progress",
    "Report",
    "Result",
    "Shown",
    "State",
    "Step",
    "Unknown",
    "Verdict",
    "Violated",
]
