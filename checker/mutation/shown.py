"""What a board shows of its rules, and how a fault in them is noticed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from checker.engines.protocol import Answer, Counts, Holds, Limits, Violated
from checker.engines.registry import engine
from checker.system.model import Kind, Stratum, TransitionSystem

SMALL = 20_000
"""Boards up to which the explicit engine is the quicker one."""


WEAK = frozenset({"length", "count"})
"""Kinds of evidence that no property or ruling gives, only what was recorded of a board (see `Kill`)."""


@dataclass(frozen=True, slots=True)
class Said:
    """One verdict: holds, violated or unknown; the steps of its shortest game; what is missing, if no game can."""

    verdict: str
    steps: int | None
    missing: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Shown:
    """Everything a fault can change on one board.

    states: reachable boards, or those seen before the limits were reached. rules: the ids of the rules that
    the board's ground rules contain.
    """

    board: str
    states: int
    complete: bool
    seconds: float
    said: Mapping[str, Said]
    rules: frozenset[int]


@dataclass(frozen=True, slots=True)
class Kill:
    """How a fault is noticed: by what, on which board (or by which ruling), and in words what changed.

    by: `verdict` (a property breaks, a known finding vanishes, a wanted situation is lost), `happens` (something
    that did not happen on the board does), `length` of a shortest game, `count` of reachable boards, `ruling`.
    """

    by: str
    board: str
    what: str
    property: str = ""


def show(board: str, system: TransitionSystem, limits: Limits, engine_name: str = "explicit") -> Shown:
    """Check every property of a board, other than which rules fire: that a rule left out does not is no news."""
    goals = [goal for goal in system.goals if goal.kind is not Kind.RULES_FIRE]
    result = engine(engine_name).check(system, goals, limits, lambda _: None)
    return Shown(
        board=board,
        states=result.counts.states or 0,
        complete=_complete(result.counts),
        seconds=result.seconds,
        said={v.goal.name: _said(v.answer) for v in result.verdicts},
        rules=frozenset(system.fired.values()),
    )


def _complete(counts: Counts) -> bool:
    return counts.complete and counts.states is not None


def _said(answer: Answer) -> Said:
    match answer:
        case Holds(_, witness):
            return Said("holds", None if witness is None else len(witness.steps))
        case Violated(None, culprits):
            return Said("violated", None, tuple(sorted(culprits)))
        case Violated(trace):
            return Said("violated", len(trace.steps) if trace is not None and answer.shortest else None)
        case _:
            return Said("unknown", None)


def noticed(before: Shown, after: Shown) -> Kill | None:
    """Return how the change shows on a board: in a verdict, else in what happens, a length, the count of boards."""
    both = [(name, said, after.said[name]) for name, said in before.said.items()]
    decided = [(name, one, other) for name, one, other in both if "unknown" not in (one.verdict, other.verdict)]
    for name, one, other in decided:
        if one.verdict != other.verdict and not one.missing:
            return Kill("verdict", before.board, f"{name}: {_verdict(one)} became {_verdict(other)}", name)
    for name, one, other in decided:
        if one.missing != other.missing:
            return Kill("happens", before.board, f"{name}: {_verdict(one)} became {_verdict(other)}", name)
    for name, one, other in decided:
        if one.steps != other.steps:
            return Kill("length", before.board, f"{name}: shortest game {one.steps} became {other.steps} steps", name)
    if after.states > before.states or (after.complete and after.states != before.states):
        more = "" if after.complete else "over "
        return Kill("count", before.board, f"{before.states:,} reachable boards became {more}{after.states:,}")
    return None


def _verdict(said: Said) -> str:
    return said.verdict + (f" ({', '.join(said.missing)})" if said.missing else "")


def switched_off(system: TransitionSystem, rules: frozenset[int]) -> TransitionSystem | None:
    """Return the system as if some rules were not written, without grounding again.

    Returns:
        None where that takes grounding: one of the rules holds whatever the board is, or says who decides.

    """
    for symbol in system.facts:
        if symbol.match("fired", 2) and symbol.arguments[0].number in rules:
            return None
    off = {atom for atom, rule in system.fired.items() if rule in rules}
    deciding = {atom for action in system.actions for _, atom in action.by if atom is not None}
    if any(rule.head in deciding and not off.isdisjoint(rule.body) for rule in system.rules()):
        return None
    strata = tuple(Stratum(tuple(r for r in s.rules if r.head not in off), s.recursive) for s in system.strata)
    return replace(system, strata=tuple(s for s in strata if s.rules))
