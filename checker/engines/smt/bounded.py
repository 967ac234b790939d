"""Bounded search: the shortest game that shows each goal."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import z3

from checker.engines.protocol import Answer, Holds, Violated
from checker.engines.smt.circuit import FALSE, Net
from checker.engines.smt.steps import Rules, StepNets, asked
from checker.engines.smt.unroll import Budget, Unrolling
from checker.system.model import Atom, Goal, Kind


class Search:
    """A search that deepens step by step and keeps what it found.

    open: the goals not decided yet. depth: no game of as many steps or fewer shows one of them.
    ended: no game has more steps than `depth`.
    """

    def __init__(self, rules: Rules, goals: Sequence[Goal], budget: Budget) -> None:
        self.rules = rules
        self.open = list(goals)
        self.found: dict[str, Answer] = {}
        self.depth: int | None = None
        self.ended = False
        self._game = Unrolling(rules, budget)
        self._game.solver.add(self._game.net(rules.initial, 0))

    def deepen(self) -> None:
        """Look at games of one step more; the first time, at the initial boards.

        A goal shown by the step itself counts as shown at that step's depth, before its next board.

        Raises:
            OutOfBudgetError: the budget ended first.

        """
        if self.depth is not None:
            self._game.add_choice()
            for goal in tuple(self.open):
                self._look(goal, self._game.shows(goal.name, self.depth), in_step=True)
            self._game.add_board()
            self.ended = bool(self.open) and not self._game.check()
        for goal in tuple(self.open):
            net = self.rules.bad[goal.name]
            if net != FALSE:
                self._look(goal, self._game.net(net, self._game.boards - 1), in_step=False)
        self.depth = self._game.boards - 1

    def _look(self, goal: Goal, shown: z3.BoolRef, in_step: bool) -> None:
        if z3.is_false(shown) or not self._game.check(shown):
            self._game.solver.add(z3.Not(shown))
            return
        self.open.remove(goal)
        self.found[goal.name] = self._answer(goal, self._game.solver.model(), in_step)

    def _answer(self, goal: Goal, model: z3.ModelRef, in_step: bool) -> Answer:
        last = self._game.boards - 1
        trace = self._game.trace(model, last + 1, last + in_step)
        if goal.kind is Kind.SOMETIMES:
            return Holds(f"reached in {len(trace.steps)} steps", trace)
        step = self._game.step_nets(model, last) if in_step else None
        return Violated(trace, self._culprits(goal, model, step))

    def _culprits(self, goal: Goal, model: z3.ModelRef, step: StepNets | None) -> tuple[str, ...]:
        if step is not None and goal.kind is Kind.CONFLICT:
            return self._torn(model, step)
        if step is not None and goal.kind is Kind.OPEN_OUTCOME:
            return self._undecided(model, step)
        atoms: Mapping[Atom, Net] = self.rules.atoms if step is None else step.atoms
        present = [atom for atom in asked(goal) if atom in atoms]
        holding = self._true(model, [atoms[atom] for atom in present])
        true = {atom for atom, holds in zip(present, holding, strict=True) if holds}
        return tuple(sorted({str(x) for atom, x in goal.violated if x is not None and atom in true}))

    def _torn(self, model: z3.ModelRef, step: StepNets) -> tuple[str, ...]:
        for variable in sorted(step.sets):
            ways = sorted(step.sets[variable].items())
            held = self._true(model, [net for _, net in ways])
            domain = self.rules.system.variables[variable].domain
            values = [str(domain[value]) for (value, _), holds in zip(ways, held, strict=True) if holds]
            if len(values) > 1:
                return (str(self.rules.system.variables[variable].name), *values)
        return ()

    def _undecided(self, model: z3.ModelRef, step: StepNets) -> tuple[str, ...]:
        for outcome, fired, enabled in step.outcomes:
            on, *open_ = self._true(model, [fired, *enabled])
            ways = [o for o, holds in zip(outcome.options, open_, strict=True) if holds]
            if on and len(ways) != 1:
                return tuple(str(option.effect) for option in ways or outcome.options)
        return ()

    def _true(self, model: z3.ModelRef, nets: Sequence[Net]) -> list[bool]:
        return self._game.true(model, nets, self._game.boards - 1)
