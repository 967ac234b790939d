"""The symbolic engine: every reachable board at once, as a decision diagram."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType

from oxidd.util import DDMemoryError

from checker.engines.protocol import Answer, Limits, Report, Result, Unknown, Verdict
from checker.engines.symbolic.budget import ENTRIES, Budget, BudgetSpentError
from checker.engines.symbolic.determinism import decide_determinism
from checker.engines.symbolic.encoding import Encoding, Manager
from checker.engines.symbolic.goals import (
    decide_actions,
    decide_found,
    decide_rules,
    outcome_atoms,
    watched,
)
from checker.engines.symbolic.liveness import decide_response, decide_termination
from checker.engines.symbolic.order import Structure
from checker.engines.symbolic.reach import Space
from checker.engines.symbolic.relations import Moves
from checker.engines.symbolic.relax import possible_atoms
from checker.system.model import Goal, Kind, TransitionSystem
from checker.system.specialise import specialise

DECIDE: Mapping[Kind, Callable[[Space, Goal], Answer]] = MappingProxyType(
    {
        Kind.INVARIANT: decide_found,
        Kind.STEP: decide_found,
        Kind.SOMETIMES: decide_found,
        Kind.CONFLICT: decide_found,
        Kind.OPEN_OUTCOME: decide_found,
        Kind.TERMINATION: lambda space, _: decide_termination(space),
        Kind.ACTIONS_REACHABLE: lambda space, _: decide_actions(space),
        Kind.RULES_FIRE: lambda space, _: decide_rules(space),
        Kind.RESPONSE: decide_response,
        Kind.DETERMINISM: decide_determinism,
    }
)


class SymbolicEngine:
    """Works on sets of boards, so that size is not what counts; every game it shows is a shortest one."""

    name = "symbolic"
    kinds = frozenset(Kind)

    def check(
        self, system: TransitionSystem, goals: Sequence[Goal], limits: Limits, report: Report
    ) -> Result:
        """Decide every goal. A budget that runs out gives Unknown, never Holds."""
        budget = Budget(limits, report)
        space = None
        try:
            space = open_space(system, goals, budget)
            space.explore()
            verdicts = tuple(Verdict(goal, _decide(space, goal), self.name) for goal in goals)
        ...
