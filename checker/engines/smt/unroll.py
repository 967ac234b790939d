"""Boards and steps of a game as Z3 assertions, within a budget."""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

import z3

from checker.engines.budget import resident
from checker.engines.protocol import Limits
from checker.engines.smt.circuit import Net
from checker.engines.smt.steps import Rules, StepNets
from checker.engines.smt.text import (
    BoardText,
    action_name,
    board_constants,
    net_name,
    step_choice,
    step_effect,
    step_shows,
    variable_name,
)
from checker.system.model import State, Step, Trace


class OutOfBudgetError(Exception):
    """The budget of time or memory is spent, or the solver gave up; the message says which."""


@dataclass(frozen=True)
class Budget:
    """The limits of a run that began at `began` on the monotonic clock."""

    limits: Limits
    began: float = field(default_factory=time.monotonic)

    def left(self, most: float = 3600.0) -> float:
        """Return the seconds left, at most `most`.

        Raises:
            OutOfBudgetError: nothing is left.

        """
        seconds, memory = self.limits.seconds, self.limits.memory
        if memory is not None and resident() > memory:
            raise OutOfBudgetError(f"the budget of {memory:,} bytes of memory is spent")
        if seconds is None:
            return most
        left = seconds - (time.monotonic() - self.began)
        if left <= 0:
            raise OutOfBudgetError(f"the budget of {seconds:g} seconds is spent")
        return min(left, most)


class Unrolling:
    """A game of growing length in one solver.

    boards: how many boards are declared. Between board i and board i + 1 stands the step taken from i.
    """

    def __init__(self, rules: Rules, budget: Budget) -> None:
        """Declare board 0, any board at all, in a context of its own."""
        self.rules = rules
        self.budget = budget
        self.context = z3.Context()
        self.solver = z3.SolverFor("QF_BV", ctx=self.context)
        self.solver.set("core.minimize", True)
        self.boards = 0
        self._parser = z3.ParserContext(self.context)
        self._texts: list[BoardText] = []
        self._chosen = 0
        self.add_board()

    def add_board(self) -> None:
        """Declare the next board, after the step chosen last."""
        board = self.boards
        self._texts.append(BoardText(self.rules.circuit, board))
        self.boards += 1
        self._assert(board_constants(self.rules.circuit, board))
        if board:
            self._assert(step_effect(self.rules, board - 1))

    def add_choice(self) -> None:
        """Choose a legal action on the last board."""
        self._assert(step_choice(self.rules, self._texts[-1]))
        self._chosen = self.boards

    def net(self, net: Net, board: int) -> z3.BoolRef:
        """Return a net on a board as a formula."""
        return self.formulas((net,), board)[0]

    def formulas(self, nets: Sequence[Net], board: int) -> list[z3.BoolRef]:
        """Return nets on a board as formulas."""
        lines = [*self._texts[board].gates(nets), *(f"(assert {net_name(n, board)})" for n in nets)]
        return self._parse(lines)

    def shows(self, goal: str, board: int) -> z3.BoolRef:
        """Return the formula for "the step chosen on the board shows the goal"."""
        return self._parse([f"(assert {step_shows(self.rules, goal, board)})"])[0]

    def check(self, *assumptions: z3.BoolRef) -> bool:
        """Tell whether the assertions and assumptions have a model.

        Raises:
            OutOfBudgetError: there was no answer within the budget.

        """
        self.solver.set("timeout", max(1, int(self.budget.left() * 1000)))
        found = self.solver.check(*assumptions)
        if found == z3.unknown:
            self.budget.left()
            raise OutOfBudgetError(f"Z3 gave up: {self.solver.reason_unknown()}")
        return bool(found == z3.sat)

    def state(self, model: z3.ModelRef, board: int) -> State:
        """Read a board off a model."""
        return tuple(
            self._code(model, variable_name(variable, board), size)
            for variable, size in enumerate(self.rules.circuit.sizes)
        )

    def step(self, model: z3.ModelRef, board: int) -> Step:
        """Read the step taken from a board off a model."""
        nets = self.step_nets(model, board)
        options = [option.chosen for outcome, _, _ in nets.outcomes for option in outcome.options]
        taken = self.true(model, [self.rules.choices[atom] for atom in options], board)
        return Step(nets.action, tuple(atom for atom, took in zip(options, taken, strict=True) if took))

    def step_nets(self, model: z3.ModelRef, board: int) -> StepNets:
        """Return the nets of the step taken from a board in a model."""
        return self.rules.steps[self._code(model, action_name(board), len(self.rules.steps))]

    def true(self, model: z3.ModelRef, nets: Sequence[Net], board: int) -> list[bool]:
        """Return which of `nets` hold on a board, or in the step taken from it, in a model."""
        formulas = self.formulas(nets, board)
        return [z3.is_true(model.eval(formula, model_completion=True)) for formula in formulas]

    def trace(self, model: z3.ModelRef, boards: int, steps: int) -> Trace:
        """Read the first `boards` boards and `steps` steps off a model."""
        return Trace(
            tuple(self.state(model, board) for board in range(boards)),
            tuple(self.step(model, board) for board in range(steps)),
        )

    def _code(self, model: z3.ModelRef, name: str, size: int) -> int:
        constant = z3.BitVec(name, max(1, (size - 1).bit_length()), self.context)
        value = model.eval(constant, model_completion=True)
        assert isinstance(value, z3.BitVecNumRef), "model completion gives every constant a value"
        return int(value.as_long())

    def _assert(self, lines: Iterable[str]) -> None:
        self.solver.add(*self._parse(lines))

    def _parse(self, lines: Iterable[str]) -> list[z3.BoolRef]:
        return list(self._parser.from_string("\n".join(lines)))
