"""Check a rulebook on boards: the whole run on one page."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum

from checker.engines.protocol import Answer, Counts, Holds, Limits, Report, Unknown, Violated
from checker.engines.registry import engine
from checker.pipeline import system_of
from checker.rulebook.encoding import Encoding
from checker.rulebook.model import Board, Finding, Property, Rulebook
from checker.system.model import Kind, Trace, TransitionSystem, rule_name
from checker.traces.confirm import confirm
from checker.traces.replay import ReplayedTrace

EXISTENTIAL = frozenset({Kind.SOMETIMES, Kind.ACTIONS_REACHABLE, Kind.RULES_FIRE})
"""Kinds that one board may leave open and another settle: they ask that something happens somewhere."""


class Status(Enum):
    """A verdict held against what the rulebook expects."""

    HOLDS = "holds"
    VIOLATED = "violated"
    KNOWN = "known finding"
    VANISHED = "finding vanished"
    ABSENT = "not on this board"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Judged:
    """One property on one board: the engine's answer, the status, and the replayed game that shows it."""

    property: Property
    answer: Answer
    engine: str
    status: Status
    finding: Finding | None
    trace: ReplayedTrace | None


@dataclass(frozen=True, slots=True)
class BoardResult:
    """Everything found out about one board."""

    rulebook: Rulebook
    board: Board
    readings: Mapping[str, str]
    system: TransitionSystem
    judged: tuple[Judged, ...]
    counts: Counts
    seconds: float
    details: Mapping[str, int | float | str]


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
) -> BoardResult:
    """Ground, decide every property, replay every game, and hold the verdicts against the known findings.

    `strict` as in `system.ground.ground`.

    Raises:
        InputError: the rules or the board are wrong.
        InternalError: engines disagree, or a game an engine found does not replay.

    """
    readings = book.choose(board, given)
    system = system_of(book, encoding, board, readings, properties, strict)
    result = engine(engine_name).check(system, system.goals, limits, report)
    judged = []
    for wanted, verdict in zip(properties, result.verdicts, strict=True):
        trace = _trace(verdict.answer)
        replayed = confirm(system, verdict.goal, trace) if trace is not None else None
        finding = book.finding(wanted.name, board.name)
        status = _status(wanted, verdict.answer, finding)
        judged.append(Judged(wanted, verdict.answer, verdict.engine, status, finding, replayed))
    return BoardResult(book, board, readings, system, tuple(judged), result.counts, result.seconds, result.details)


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
        case Violated():
            return Status.KNOWN if finding else Status.VIOLATED
        case _:
            return Status.VANISHED if finding else Status.HOLDS
