"""The symbolic engine: every reachable board at once, as a decision diagram."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType

from checker.engines.budget import BudgetSpentError
from checker.engines.protocol import Answer, Counts, Limits, Report, Result, Unknown, Verdict
from checker.engines.symbolic.budget import ENTRIES, Budget
from checker.engines.symbolic.determinism import decide_determinism
from checker.engines.symbolic.diagrams import Manager, OutOfNodesError
from checker.engines.symbolic.encoding import Encoding
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
        Kind.TERMINATION: decide_termination,
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

    def __init__(self, width: int = 20_000) -> None:
        """Make an engine that searches breadth first until a layer has `width` nodes, then saturates."""
        self.width = width

    def check(self, system: TransitionSystem, goals: Sequence[Goal], limits: Limits, report: Report) -> Result:
        """Decide every goal. A budget that runs out gives Unknown, never Holds."""
        budget = Budget(limits, report)
        try:
            space = open_space(system, goals, budget, self.width)
        except OutOfNodesError:
            answer = Unknown("the diagrams of the rules do not fit in memory")
            verdicts = tuple(Verdict(goal, answer, self.name) for goal in goals)
            return Result(verdicts, Counts(), budget.elapsed())
        space.explore()
        verdicts = tuple(Verdict(goal, _decide(space, goal), self.name) for goal in goals)
        details = {
            "bits per board": space.encoding.bits,
            "nodes of the set of boards": space.reached.node_count(),
            "nodes of the relations": sum(r.relation.node_count() for r in space.moves.relations),
        }
        return Result(verdicts, space.counts(), budget.elapsed(), details)


def open_space(system: TransitionSystem, goals: Sequence[Goal], budget: Budget, width: int) -> Space:
    """Make the diagrams of a system's rules; `width` as in `SymbolicEngine`.

    Raises:
        OutOfNodesError: they do not fit in memory.

    """
    kinds = {goal.kind for goal in goals}
    atoms = set(watched(system, goals, budget.limits.games))
    if kinds & {Kind.OPEN_OUTCOME, Kind.DETERMINISM}:
        atoms |= set(outcome_atoms(system.outcomes))
    specialised = specialise(system, atoms)
    possible = possible_atoms(system)
    order = Structure(system, specialised, possible).order()
    copies = 3 if Kind.DETERMINISM in kinds else 2
    manager = Manager(budget.nodes(), ENTRIES, 1)
    return Space(Moves(Encoding(system, possible, order, copies, manager), specialised), budget, width)


def _decide(space: Space, goal: Goal) -> Answer:
    try:
        return DECIDE[goal.kind](space, goal)
    except BudgetSpentError as spent:
        return Unknown(str(spent), len(space.rings) - 1)
    except OutOfNodesError:
        return Unknown("the diagrams do not fit in memory", len(space.rings) - 1)
