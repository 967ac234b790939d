"""The explicit engine: every reachable board, one by one, a few million a second."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from checker.engines.budget import Budget, BudgetSpentError
from checker.engines.explicit.determinism import determinism
from checker.engines.explicit.different import with_further
from checker.engines.explicit.explore import explore
from checker.engines.explicit.liveness import response, termination
from checker.engines.explicit.rules import compile_system
from checker.engines.explicit.trace import Run
from checker.engines.explicit.watch import Watch, watch_for
from checker.engines.protocol import Answer, Limits, Report, Result, Unknown, Verdict
from checker.system.model import Atom, Goal, Kind, TransitionSystem


class ExplicitEngine:
    """Enumerates the reachable boards breadth first, so that every game it shows is a shortest one."""

    name = "explicit"
    kinds = frozenset(Kind)

    def check(self, system: TransitionSystem, goals: Sequence[Goal], limits: Limits, report: Report) -> Result:
        """Decide every goal by looking at all boards. A budget that runs out gives Unknown, never Holds."""
        budget = Budget(limits)
        rules = compile_system(system, _watched(system, goals, limits.games))
        watches = [watch_for(goal, system, rules.board_atoms) for goal in goals]
        explored = explore(rules, [watch for watch in watches if watch is not None], budget, report)
        run = Run(rules, explored)
        verdicts = tuple(
            Verdict(goal, _answer(goal, watch, run, budget), self.name)
            for goal, watch in zip(goals, watches, strict=True)
        )
        details = {
            "bits per board": system.bits,
            "words per board": rules.layout.words,
            "table slots": explored.table.slots,
        }
        return Result(verdicts, explored.counts(), budget.elapsed(), details)


def _answer(goal: Goal, watch: Watch | None, run: Run, budget: Budget) -> Answer:
    if watch is None:
        return _on_graph(goal, run, budget)
    return with_further(watch.answer(run), run, goal, budget)


def _on_graph(goal: Goal, run: Run, budget: Budget) -> Answer:
    """Answer a property that takes the graph of steps."""
    if run.explored.stopped is not None:
        return Unknown(run.explored.stopped, len(run.explored.levels) - 1)
    try:
        if goal.kind is Kind.TERMINATION:
            return termination(run, budget)
        return response(goal, run, budget) if goal.kind is Kind.RESPONSE else determinism(goal, run, budget)
    except BudgetSpentError as spent:
        return Unknown(str(spent))


def _watched(system: TransitionSystem, goals: Sequence[Goal], games: int) -> Iterator[Atom]:
    """Yield the atoms that the goals ask about; `games` as in `Limits`."""
    if games > 1:
        yield from system.fired
    for goal in goals:
        yield from (atom for atom, _ in goal.violated)
        yield from (*goal.reached, *goal.resolution, *goal.pending, *goal.answered)
        if goal.kind is Kind.RULES_FIRE:
            yield from system.fired
