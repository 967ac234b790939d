"""The asp engine: clingo on the ground rules, copied once per step, for shortest counterexamples.

Nothing is grounded again. Each step of a game has its own copy of the atoms and rules; a choice picks the
action, and the next board holds what was set and else what was there. The search deepens step by step, so
what it finds first is shortest. It refutes; it proves only where no game is as long as the depth reached.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from clingo import Configuration, Model

from checker.engines.asp_unroll import Unrolling
from checker.engines.budget import resident
from checker.engines.protocol import (
    Answer,
    Counts,
    Holds,
    Limits,
    Progress,
    Report,
    Result,
    Unknown,
    Verdict,
    Violated,
)
from checker.system.model import Atom, Goal, Kind, Literal, State, Step, Trace, TransitionSystem

PATIENCE = 0.2
"""Seconds between two looks at the budget while clingo searches."""


class _OutOfBudgetError(Exception):
    """The budget of time or memory is spent; the message says which."""


class AspEngine:
    """Bounded search with clingo."""

    name = "asp"
    kinds = frozenset({Kind.INVARIANT, Kind.STEP, Kind.SOMETIMES, Kind.CONFLICT, Kind.OPEN_OUTCOME})

    def __init__(self, depth: int = 24) -> None:
        """Make an engine that searches `depth` steps where the limits name no depth."""
        self.depth = depth

    def check(self, system: TransitionSystem, goals: Sequence[Goal], limits: Limits, report: Report) -> Result:
        """Search for a shortest game that shows each goal, up to the depth of the limits.

        Goals of kinds that the engine does not decide are Unknown.
        """
        began = time.monotonic()
        asked = [goal for goal in goals if goal.kind in self.kinds]
        bound = self.depth if limits.depth is None else limits.depth
        search = _Search(Unrolling(system, asked), asked, limits, began)
        search.run(bound, report)
        verdicts = tuple(Verdict(goal, search.answer(goal), self.name) for goal in goals)
        return Result(verdicts, Counts(complete=search.exhausted), time.monotonic() - began)


@dataclass
class _Search:
    """One run: the goals still open, the answers found, how deep it came and why it ended.

    exhausted: no board is `depth` steps away, so nothing is left to find.
    """

    unrolling: Unrolling
    open: list[Goal]
    limits: Limits
    began: float
    found: dict[str, Answer] = field(default_factory=dict)
    depth: int | None = None
    ended: str = ""
    exhausted: bool = False

    def run(self, bound: int, report: Report) -> None:
        """Deepen until every goal is decided, no game is longer, or the bound or the budget ends it."""
        try:
            self._look(self.unrolling.ask_board)
            self.depth = 0
            while self.open and not self.exhausted and self.depth < bound:
                self.unrolling.add_step()
                self._look(self.unrolling.ask_step)
                self.unrolling.add_board()
                self._look(self.unrolling.ask_board)
                self.depth += 1
                report(Progress("asp", self.depth, 0))
                self.exhausted = bool(self.open) and not self._solve([], None)
            if self.exhausted:
                self.ended = f"no board is more than {self.depth - 1} steps away"
            else:
                self.ended = f"no game of at most {self.depth} steps shows it"
        except _OutOfBudgetError as spent:
            self.ended = str(spent)

    def answer(self, goal: Goal) -> Answer:
        """Return what was found of a goal, or why nothing was."""
        if goal.name in self.found:
            return self.found[goal.name]
        if goal not in self.open:
            return Unknown(f"the asp engine does not decide {goal.kind.value} properties")
        if not self.exhausted:
            return Unknown(self.ended, self.depth)
        if goal.kind is Kind.SOMETIMES:
            return Violated(None, (goal.name,), note=self.ended)
        return Holds(f"exhaustive: {self.ended}")

    def _look(self, ask: Callable[[Goal], Literal | None]) -> None:
        """Search for each open goal at the present depth."""
        for goal in tuple(self.open):
            literal = ask(goal)
            if literal is None:
                continue
            if self._solve([literal], goal):
                self.open.remove(goal)
            else:
                self.unrolling.forbid(literal)

    def _solve(self, assumptions: list[Literal], goal: Goal | None) -> bool:
        """Search once and keep the answer the model gives for `goal`; tell whether there is a model.

        Raises:
            _OutOfBudgetError: the budget was spent before clingo came to an end.

        """

        def keep(model: Model) -> bool:
            if goal is not None:
                self.found[goal.name] = _answer(self.unrolling, goal, model)
            return False

        self._check_budget()
        with self.unrolling.control.solve(assumptions=assumptions, on_model=keep, async_=True) as handle:
            while not handle.wait(PATIENCE):
                try:
                    self._check_budget()
                except _OutOfBudgetError:
                    handle.cancel()
                    raise
            return bool(handle.get().satisfiable)

    def _check_budget(self) -> None:
        seconds, memory = self.limits.seconds, self.limits.memory
        if seconds is not None and time.monotonic() - self.began > seconds:
            raise _OutOfBudgetError(f"the budget of {seconds:g} seconds is spent")
        if memory is not None and resident() > memory:
            raise _OutOfBudgetError(f"the budget of {memory:,} bytes of memory is spent")


def _answer(unrolling: Unrolling, goal: Goal, model: Model) -> Answer:
    trace = _trace(unrolling, model)
    if goal.kind is Kind.SOMETIMES:
        return Holds("reached", trace)
    return Violated(trace, _culprits(unrolling, goal, model, trace))


def _true(model: Model, literal: Literal) -> bool:
    return literal != 0 and model.is_true(literal)


def _state(unrolling: Unrolling, model: Model, board: int) -> State:
    rows = unrolling.board_literals(board)
    return tuple(next(v for v, literal in enumerate(row) if _true(model, literal)) for row in rows)


def _trace(unrolling: Unrolling, model: Model) -> Trace:
    """Read the game off a model; its last step has no next board if the program has none yet."""
    system = unrolling.system
    steps = []
    for board in range(unrolling.steps):
        taken = (i for i, a in enumerate(system.actions) if _true(model, unrolling.copy_of(a.occurs, board)))
        options = (option for outcome in system.outcomes for option in outcome.options)
        chosen = tuple(o.chosen for o in options if _true(model, unrolling.copy_of(o.chosen, board)))
        steps.append(Step(next(taken), chosen))
    return Trace(tuple(_state(unrolling, model, board) for board in range(unrolling.boards)), tuple(steps))


def _culprits(unrolling: Unrolling, goal: Goal, model: Model, trace: Trace) -> tuple[str, ...]:
    system = unrolling.system

    def holds(atom: Atom) -> bool:
        return _true(model, unrolling.copy_of(atom))

    if goal.kind is Kind.CONFLICT:
        effects = {(e.variable, e.value) for e in system.effects if holds(e.atom)}
        torn = min(v for v, _ in effects if sum(v == other for other, _ in effects) > 1)
        values = (str(system.variables[v].domain[value]) for v, value in sorted(effects) if v == torn)
        return (str(system.variables[torn].name), *values)
    if goal.kind is Kind.OPEN_OUTCOME:
        for outcome in system.outcomes:
            ways = [option for option in outcome.options if holds(option.enabled)]
            if holds(outcome.fired) and len(ways) != 1:
                return tuple(str(option.effect) for option in ways or outcome.options)
    in_step = len(trace.states) == len(trace.steps)
    named = {
        str(x)
        for atom, x in goal.violated
        if x is not None and holds(atom) and (atom in unrolling.step_atoms) == in_step
    }
    return tuple(sorted(named))


def enumerate_boards(system: TransitionSystem) -> frozenset[State]:
    """Return every reachable board of a small system, found by clingo alone.

    One step is built once, from any board; for each board known its next boards are enumerated, projected
    on their fluents, until no new one appears. For tests: one search per board.
    """
    unrolling = Unrolling(system, initial=False)
    unrolling.add_step()
    unrolling.add_board()
    before, after = (list(unrolling.board_literals(board)) for board in (0, 1))
    control = unrolling.control
    with control.backend() as backend:
        backend.add_project([literal for row in after for literal in row])
    search = control.configuration.solve
    assert isinstance(search, Configuration), "clingo always has a solve section"
    search.models, search.project = 0, "project"
    seen = set(system.initial_states())
    waiting = list(seen)
    while waiting:
        state = waiting.pop()
        assumed = [row[value] for row, value in zip(before, state, strict=True)]
        with control.solve(assumed, yield_=True) as models:
            found = {_state(unrolling, model, 1) for model in models}
        waiting.extend(found - seen)
        seen |= found
    return frozenset(seen)
