"""The default engine: from cheap and strong to dear and weak, with a second opinion on small boards."""

from __future__ import annotations

from collections.abc import Sequence
from time import monotonic

from checker.engines.agree import require_agreement
from checker.engines.protocol import Counts, Engine, Limits, Report, Result, Unknown, Verdict
from checker.engines.registry import engine
from checker.system.model import Goal, Kind, TransitionSystem

SECOND_OPINION = 20_000
"""Boards up to which the explicit engine is asked as well; it takes well under a second for as many."""


class AutoEngine:
    """Symbolic first; explicit as a second opinion where that is cheap; bounded search for what is left."""

    name = "auto"
    kinds = frozenset(Kind)

    def check(self, system: TransitionSystem, goals: Sequence[Goal], limits: Limits, report: Report) -> Result:
        """Decide every goal, each by the strongest engine that can.

        Raises:
            InternalError: two engines answer the same question differently.

        """
        start = monotonic()
        first = engine("symbolic").check(system, goals, limits, report)
        verdicts = {v.goal.name: v for v in first.verdicts}
        details = dict(first.details)
        if first.counts.complete and (first.counts.states or 0) <= SECOND_OPINION:
            second = engine("explicit").check(system, goals, limits, report)
            require_agreement(system, first, second)
            details["second_opinion"] = "explicit"
            verdicts |= _better(verdicts, second.verdicts)
            first = Result(first.verdicts, _merge(first.counts, second.counts), 0.0)
        open_goals = [v.goal for v in verdicts.values() if isinstance(v.answer, Unknown)]
        left = None if limits.seconds is None else limits.seconds - (monotonic() - start)
        if open_goals and (left is None or left > 0):
            bounded: Engine = engine("asp")
            asked = [g for g in open_goals if g.kind in bounded.kinds]
            rest = Limits(left if left is not None else 60.0, limits.memory, limits.depth)
            verdicts |= _better(verdicts, bounded.check(system, asked, rest, report).verdicts)
        return Result(tuple(verdicts[g.name] for g in goals), first.counts, monotonic() - start, details)


def _better(known: dict[str, Verdict], found: Sequence[Verdict]) -> dict[str, Verdict]:
    """The verdicts of `found` that decide, or say more about, what `known` leaves open."""
    return {v.goal.name: v for v in found if isinstance(known[v.goal.name].answer, Unknown)}


def _merge(first: Counts, second: Counts) -> Counts:
    """Counts of two engines that agree, each filling what the other does not know."""
    return Counts(
        states=first.states,
        transitions=first.transitions if first.transitions is not None else second.transitions,
        levels=first.levels if first.levels is not None else second.levels,
        largest_level=first.largest_level if first.largest_level is not None else second.largest_level,
        complete=True,
    )
