"""Inductive invariants: the largest inductive part of a set of candidates, and what of it a goal needs.

The first is the Houdini algorithm (Flanagan and Leino 2001): assume all candidates, drop those a step can
break, and repeat until none is.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import z3

from checker.engines.smt.circuit import TRUE, Net
from checker.engines.smt.steps import Rules
from checker.engines.smt.unroll import Budget, Unrolling
from checker.system.model import State


@dataclass(frozen=True, slots=True)
class Proof:
    """Why no game shows a goal: lemmas that hold at the start, that steps keep, and that exclude the goal.

    length: 1 if the lemmas exclude the goal themselves; 2 if they do so after a board and a step without
    it. method: what found the lemmas.
    """

    goal: str
    lemmas: tuple[Net, ...]
    length: int
    method: str

    @property
    def how(self) -> str:
        """The evidence, as a verdict says it."""
        return "inductive, any depth" if self.length == 1 else f"{self.length}-inductive, any depth"


class Induction:
    """One step from any board: the solver that tells which lemmas a step keeps."""

    def __init__(self, rules: Rules, budget: Budget) -> None:
        self.rules = rules
        self.start = Unrolling(rules, budget)
        self._initial = self.start.net(rules.initial, 0)
        self.step = Unrolling(rules, budget)
        self.step.add_choice()
        self.choice = Unrolling(rules, budget)
        self.choice.add_choice()
        self.step.add_board()
        self._switches: dict[Net, z3.BoolRef] = {}
        self._breaks: dict[Net, z3.BoolRef] = {}

    def largest(self, candidates: Iterable[Net]) -> list[Net]:
        """Return the largest set of candidates, nets over the board, that holds at the start and that steps keep.

        Raises:
            OutOfBudgetError: the budget ended first.

        """
        left = self._kept_at_start(list(dict.fromkeys(candidates)))
        while left:
            assumed = [self._switch(net) for net in left]
            broken = z3.Or([self._break(net) for net in left])
            marker = z3.FreshBool("some", self.step.context)
            self.step.solver.add(z3.Implies(marker, broken))
            if not self.step.check(*assumed, marker):
                break
            model = self.step.solver.model()
            dropped = {n for n in left if z3.is_true(model.eval(self._break(n), model_completion=True))}
            left = [net for net in left if net not in dropped]
        return left

    def counterexample(self, goal: str, lemmas: Sequence[Net]) -> State | None:
        """Return a board with the lemmas that does not show `goal` but from which one step leads to it.

        None means that with the lemmas the goal is excluded by plain induction.
        """
        good = -self.rules.bad[goal]
        found = self.step_counterexample(goal, [*lemmas, good])
        if found is None and good != TRUE:
            assumed = [self._switch(net) for net in (*lemmas, good)]
            if self.step.check(*assumed, self._break(good)):
                found = self.step.state(self.step.solver.model(), 0)
        return found

    def step_counterexample(self, goal: str, lemmas: Sequence[Net]) -> State | None:
        """Return a board with the lemmas from which a legal step shows `goal`, None if there is none."""
        if self.choice.check(*self.choice.formulas(lemmas, 0), self.choice.shows(goal, 0)):
            return self.choice.state(self.choice.solver.model(), 0)
        return None

    def needed(self, goal: str, lemmas: Sequence[Net]) -> list[Net]:
        """Return a part of an inductive set of lemmas that is inductive and excludes the goal.

        It is found backwards: what excludes the goal, what keeps that, and so on, each by an unsat core.
        """
        wanted = list(dict.fromkeys(self._excluding(goal, lemmas)))
        for lemma in wanted:
            core = self._keeping(lemma, wanted) or self._keeping(lemma, lemmas)
            assert core is not None, "the lemmas are inductive"
            wanted += [net for net in core if net not in wanted]
        return wanted

    def _keeping(self, lemma: Net, lemmas: Sequence[Net]) -> list[Net] | None:
        """Return those of `lemmas` that make a step keep `lemma`; None if all together do not."""
        switches = {self._switch(net).get_id(): net for net in lemmas}
        if self.step.check(*(self._switch(net) for net in lemmas), self._break(lemma)):
            return None
        core = (part.get_id() for part in self.step.solver.unsat_core())
        return [switches[key] for key in core if key in switches]

    def _excluding(self, goal: str, lemmas: Sequence[Net]) -> list[Net]:
        """Return lemmas that no board and no legal step that shows the goal satisfies."""
        board, choice = self.start.formulas(lemmas, 0), self.choice.formulas(lemmas, 0)
        shown = self.start.net(self.rules.bad[goal], 0)
        found = []
        for where, parts, bad in (
            (self.start, board, shown),
            (self.choice, choice, self.choice.shows(goal, 0)),
        ):
            assert not where.check(*parts, bad), "the lemmas exclude the goal"
            core = {part.get_id() for part in where.solver.unsat_core()}
            found += [net for net, part in zip(lemmas, parts, strict=True) if part.get_id() in core]
        return found

    def excludes(self, goal: str, lemmas: Sequence[Net]) -> bool:
        """Tell whether no board with the lemmas, and no legal step from one, shows the goal."""
        parts = self.start.formulas([*lemmas, self.rules.bad[goal]], 0)
        return not self.start.check(*parts) and self.step_counterexample(goal, lemmas) is None

    def _kept_at_start(self, candidates: list[Net]) -> list[Net]:
        formulas = dict(zip(candidates, self.start.formulas(candidates, 0), strict=True))
        left = candidates
        while left:
            broken = z3.Or([z3.Not(formulas[net]) for net in left])
            if not self.start.check(self._initial, broken):
                break
            model = self.start.solver.model()
            left = [n for n in left if z3.is_true(model.eval(formulas[n], model_completion=True))]
        return left

    def _switch(self, net: Net) -> z3.BoolRef:
        """Return a constant that makes a lemma hold before the step."""
        if net not in self._switches:
            switch = z3.Bool(f"lemma_{net}", self.step.context)
            self.step.solver.add(z3.Implies(switch, self.step.net(net, 0)))
            self._switches[net] = switch
        return self._switches[net]

    def _break(self, net: Net) -> z3.BoolRef:
        if net not in self._breaks:
            broken = z3.Bool(f"broken_{net}", self.step.context)
            self.step.solver.add(broken == z3.Not(self.step.net(net, 1)))
            self._breaks[net] = broken
        return self._breaks[net]


def two_steps(rules: Rules, goal: str, lemmas: Sequence[Net], budget: Budget) -> bool:
    """Tell whether two boards with `lemmas` and a step between them, all without the goal, exclude it next.

    Raises:
        OutOfBudgetError: the budget ended first.

    """
    game = Unrolling(rules, budget)
    for board in range(2):
        game.solver.add(*game.formulas(lemmas, board), z3.Not(game.net(rules.bad[goal], board)))
        game.add_choice()
        game.solver.add(z3.Not(game.shows(goal, board)))
        game.add_board()
    game.solver.add(*game.formulas(lemmas, 2))
    if game.check(game.net(rules.bad[goal], 2)):
        return False
    game.add_choice()
    return not game.check(game.shows(goal, 2))
