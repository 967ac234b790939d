"""The default engine: from cheap and strong to dear and weak, with a second opinion on small boards."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from time import monotonic
from types import MappingProxyType

from checker.engines.agree import require_agreement
from checker.engines.protocol import Counts, Limits, Report, Result, Unknown, Verdict
from checker.engines.registry import engine
from checker.system.model import Goal, Kind, TransitionSystem

SECOND_OPINION = 20_000
"""Boards up to which the explicit engine is asked as well; it takes well under a second for as many."""


FIRST_SHARE = 0.5
"""What symbolic may take of the seconds there are."""

LATER: Mapping[str, float] = MappingProxyType({"smt": 0.5, "asp": 1.0})
"""The engines asked about what is left open, in turn, each with its share of the seconds left."""

LATER_SECONDS = 60.0
"""What each of them may take where seconds are not limited."""


class AutoEngine:
    """Symbolic first, with explicit as a second opinion where that is cheap; then smt; bounded search at the end.

    smt goes from one-step induction to two-step induction to Spacer. Each verdict names the engine that answered.
    """

    name = "auto"
    kinds = frozenset(Kind)

    def check(self, system: TransitionSystem, goals: Sequence[Goal], limits: Limits, report: Report) -> Result:
        """Decide every goal, each by the strongest engine that can.

        Raises:
            InternalError: two engines answer the same question differently.

        """
        start = monotonic()
        first = engine("symbolic").check(system, goals, _first(limits), report)
        verdicts = {v.goal.name: v for v in first.verdicts}
        details = dict(first.details)
        if first.counts.complete and (first.counts.states or 0) <= SECOND_OPINION:
            second = engine("explicit").check(system, goals, limits, report)
            require_agreement(system, first, second)
            details["second_opinion"] = "explicit"
            verdicts |= _better(verdicts, second.verdicts)
            first = Result(first.verdicts, _merge(first.counts, second.counts), 0.0)
        for name, share in LATER.items():
            later = engine(name)
            asked = [v.goal for v in verdicts.values() if isinstance(v.answer, Unknown) and v.goal.kind in later.kinds]
            rest = _rest(limits, monotonic() - start, share)
            if asked and rest is not None:
                found = later.check(system, asked, rest, report)
                verdicts |= _better(verdicts, found.verdicts)
                details |= {f"{name}: {key}": value for key, value in found.details.items()}
        return Result(tuple(verdicts[g.name] for g in goals), first.counts, monotonic() - start, details)


def _first(limits: Limits) -> Limits:
    return replace(limits, seconds=None if limits.seconds is None else limits.seconds * FIRST_SHARE)


def _rest(limits: Limits, spent: float, share: float) -> Limits | None:
    """Return the limits of a later engine, None if nothing is left."""
    if limits.seconds is None:
        return replace(limits, seconds=LATER_SECONDS)
    left = limits.seconds - spent
    return replace(limits, seconds=left * share) if left > 0 else None


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
