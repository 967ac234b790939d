"""Check a rulebook on boards: the whole run on one page."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import TypeAlias

from checker.engines.budget import Budget
from checker.engines.protocol import (
    NO_RESOLUTION,
    Answer,
    Counts,
    Holds,
    Limits,
    Report,
    Result,
    Unknown,
    Verdict,
    Violated,
)
from checker.engines.registry import engine
from checker.errors import LimitError
from checker.pipeline import system_of
from checker.rulebook.encoding import Encoding
from checker.rulebook.model import Board, Finding, Property, Rulebook
from checker.store import VerdictStore, keys_of
from checker.stored import Stored
from checker.system.content import Content
from checker.system.model import Kind, Trace, TransitionSystem, rule_name
from checker.traces.confirm import confirm
from checker.traces.replay import ReplayedTrace, ReplayError

EXISTENTIAL = frozenset({Kind.SOMETIMES, Kind.ACTIONS_REACHABLE, Kind.RULES_FIRE})
"""Kinds that one board may leave open and another settle: they ask that something happens somewhere.

So does determinism, in asking about a resolution: where none begins, it is not shown.
"""


class Status(Enum):
    """A verdict held against what the rulebook expects."""

    HOLDS = "holds"
    VIOLATED = "violated"
    KNOWN = "known finding"
    VANISHED = "finding vanished"
    ABSENT = "not on this board"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Other:
    """A replayed game that breaks a property differently, and the culprits at its end and the note."""

    trace: ReplayedTrace
    culprits: tuple[str, ...]
    note: str = ""


@dataclass(frozen=True, slots=True)
class Smaller:
    """A violation on the board without some of its objects.

    result: the one property on that board. dropped: the names of those objects. minimal: none of the others
    can be left out; False if the engine could not tell.
    """

    result: BoardResult
    dropped: tuple[str, ...]
    minimal: bool


@dataclass(frozen=True, slots=True)
class Judged:
    """One property on one board: the engine's answer, the status, and the replayed game that shows it.

    others: the further games of the answer, replayed. smaller: the same violation on fewer objects, if asked for.
    """

    property: Property
    answer: Answer
    engine: str
    status: Status
    finding: Finding | None
    trace: ReplayedTrace | None
    others: tuple[Other, ...] = ()
    smaller: Smaller | None = None


@dataclass(frozen=True, slots=True)
class BoardResult:
    """Everything found out about one board. games: how many different ones were asked for of each violation."""

    rulebook: Rulebook
    board: Board
    readings: Mapping[str, str]
    system: TransitionSystem
    judged: tuple[Judged, ...]
    counts: Counts
    seconds: float
    details: Mapping[str, int | float | str]
    games: int = 1


def check_board(
    book: Rulebook,
    encoding: Encoding,
    board: Board,
    given: Mapping[str, str],
    properties: Sequence[Property],
    engine_name: str,
    limits: Limits,
    report: Report,
    strict: bool = True,
    store: VerdictStore | None = None,
) -> BoardResult:
    """Ground, decide every property, replay every game, and hold the verdicts against the known findings.

    `strict` as in `system.ground.ground`. With a `store` only what it does not know is decided anew.

    Raises:
        InputError: the rules or the board are wrong.
        LimitError: a limit is reached before the rules are ground.
        InternalError: engines disagree, or a game an engine found does not replay.

    """
    readings = book.choose(board, given)
    try:
        system = system_of(book, encoding, board, readings, properties, strict, Budget(limits).spent)
    except LimitError as error:
        raise LimitError(f"{board.name}: {error}") from None
    result, replayed_games = _decide(system, engine_name, limits, report, store)
    judged = []
    for wanted, verdict in zip(properties, result.verdicts, strict=True):
        replayed, others = replayed_games.get(wanted.name, (None, ()))
        finding = book.finding(wanted.name, board.name)
        status = _status(wanted, verdict.answer, finding)
        judged.append(Judged(wanted, verdict.answer, verdict.engine, status, finding, replayed, others))
    found = (result.counts, result.seconds, result.details, limits.games)
    return BoardResult(book, board, readings, system, tuple(judged), *found)


def _decide(
    system: TransitionSystem, engine_name: str, limits: Limits, report: Report, store: VerdictStore | None
) -> tuple[Result, dict[str, _Games]]:
    """Decide every property, from the store where it knows; every game is replayed, wherever it comes from."""
    chosen = engine(engine_name)
    if store is None:
        result = chosen.check(system, system.goals, limits, report)
        return result, dict(_replay(system, result.verdicts))
    content = Content(system)
    keys = keys_of(content, system.goals, engine_name, limits)
    known: dict[str, Stored] = {}
    games: dict[str, _Games] = {}
    for name, stored in store.find(content, keys, system.goals).items():
        try:
            games |= dict(_replay(system, [stored.verdict]))
        except ReplayError:
            continue
        known[name] = stored
    asked = [goal for goal in system.goals if goal.name not in known]
    result = chosen.check(system, asked, limits, report) if asked else _from_store(known)
    games |= dict(_replay(system, result.verdicts)) if asked else {}
    fresh = {v.goal.name: Stored(v, result.counts, result.details) for v in result.verdicts} if asked else {}
    store.keep(content, keys, fresh.values())
    verdicts = tuple((fresh | known)[goal.name].verdict for goal in system.goals)
    details = dict(result.details) | ({"from_store": len(known)} if known else {})
    return Result(verdicts, result.counts, result.seconds, details), games


def _from_store(known: Mapping[str, Stored]) -> Result:
    """A result all of which was known; what was explored is what one of the verdicts says."""
    first = max(known.values(), key=lambda stored: stored.counts.complete, default=None)
    verdicts = tuple(stored.verdict for stored in known.values())
    return Result(verdicts, first.counts if first else Counts(), 0.0, first.details if first else {})


_Games: TypeAlias = tuple[ReplayedTrace | None, tuple[Other, ...]]
"""The game of a verdict and the further ones, run again."""


def _replay(system: TransitionSystem, verdicts: Iterable[Verdict]) -> Iterator[tuple[str, _Games]]:
    for verdict in verdicts:
        trace = _trace(verdict.answer)
        if trace is not None:
            further = verdict.answer.further if isinstance(verdict.answer, Violated) else None
            shown = further.games if further else ()
            others = tuple(Other(confirm(system, verdict.goal, one.trace), one.culprits, one.note) for one in shown)
            yield verdict.goal.name, (confirm(system, verdict.goal, trace), others)


def asked_and_dead(result: BoardResult, judged: Judged) -> tuple[set[str], set[str]]:
    """Return what an existential property asks of a board, and what of that the board did not show.

    Actions are asked for by name (any action of that name will do), rules by their place. Both sets are
    empty for other kinds of property.
    """
    answer = judged.answer
    dead = set(answer.culprits) if isinstance(answer, Violated) else set()
    match judged.property.kind:
        case Kind.SOMETIMES:
            asked = {judged.property.name}
            dead = set() if isinstance(answer, Holds) else asked
        case Kind.DETERMINISM:
            asked = {judged.property.name}
            dead = asked if isinstance(answer, Holds) and answer.how == NO_RESOLUTION else set()
        case Kind.RULES_FIRE:
            asked = {rule_name(source) for source in result.system.sources}
        case Kind.ACTIONS_REACHABLE:
            actions = {str(a.name) for a in result.system.actions}
            asked = {_schema(a) for a in actions}
            dead = asked - {_schema(a) for a in actions - dead}
        case _:
            return set(), set()
    return asked, asked if isinstance(answer, Unknown) else dead


def _schema(action: str) -> str:
    return action.split("(")[0]


def exit_code(statuses: Iterable[str], hollow: bool) -> int:
    """Return the exit code: 0 as expected, 1 violated, 3 unknown, 5 hollow (see `cli`)."""
    found = {Status(status) for status in statuses}
    if found & {Status.VIOLATED, Status.VANISHED}:
        return 1
    if Status.UNKNOWN in found:
        return 3
    return 5 if hollow else 0


def _trace(answer: Answer) -> Trace | None:
    match answer:
        case Holds(_, witness):
            return witness
        case Violated(trace):
            return trace
        case _:
            return None


def _status(wanted: Property, answer: Answer, finding: Finding | None) -> Status:
    match answer:
        case Unknown():
            return Status.UNKNOWN
        case Violated() if wanted.kind in EXISTENTIAL:
            return Status.ABSENT
        case Holds(how) if how == NO_RESOLUTION:
            return Status.ABSENT
        case Violated():
            return Status.KNOWN if finding else Status.VIOLATED
        case _:
            return Status.VANISHED if finding else Status.HOLDS
