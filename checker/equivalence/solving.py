"""Questions about the boards of a view, put to one solver."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager

import z3
from clingo.symbol import Symbol

from checker.engines.smt.circuit import TRUE
from checker.equivalence.view import Row, Tables, View
from checker.errors import EquipoiseError, InputError, InternalError
from checker.firstorder.theory import Claim, StateFunction
from checker.system.model import State


class Questions:
    """A solver that knows the axioms, the switches, and what the theory's functions see on a board.

    claims: those about boards, over the elements of the board. claims_after: the same of the next board, by name.
    last: the model of the last question that had one.
    """

    def __init__(self, view: View, chosen: Mapping[str, bool], claims: Sequence[Claim], seconds: float) -> None:
        self.view = view
        theory, universe = view.theory, view.universe
        self.claims = [universe.ground(claim.formula) for claim in claims if not claim.of_step]
        self.claims_after = [
            (claim.name, universe.ground(theory.after(claim.formula))) for claim in claims if not claim.of_step
        ]
        self._solver = z3.Solver(ctx=theory.context)
        self._solver.set("timeout", int(seconds * 1000))
        self._model: z3.ModelRef | None = None
        self._terms: dict[tuple[str, tuple[Symbol, ...]], z3.ExprRef] = {}
        functions = [f for _, f in theory.functions_at(0)] + [f.next for f in theory.state]
        self.add(*map(universe.ground, (*theory.axioms, *theory.chosen(chosen))))
        self.add(*(z3.Distinct(row) for row in universe.constants.values() if len(row) > 1))
        self.add(*universe.closed(functions), *view.bounds(), *self._names())
        self.require_not(view.formula(view.torn(view.now)), "shared.toml: two values are seen of one function")
        self.add(*self.sees(view.now, dict(theory.functions_at(0))))

    def add(self, *formulas: z3.BoolRef) -> None:
        """Take formulas for granted."""
        self._solver.add(*formulas)

    @contextmanager
    def scope(self, formulas: Iterable[z3.BoolRef]) -> Iterator[None]:
        """Take formulas for granted for a while."""
        found = list(formulas)
        self._solver.push()
        self._solver.add(*found)
        yield
        self._solver.pop()

    def solved(self, formula: z3.BoolRef) -> bool:
        """Tell whether there is a board with the formula.

        Raises:
            InternalError: the solver gives up.

        """
        answer = self._solver.check(formula)
        if answer == z3.unknown:
            raise InternalError(f"the solver gave up: {self._solver.reason_unknown()}")
        self._model = self._solver.model() if answer == z3.sat else None
        return bool(answer == z3.sat)

    def board(self, formula: z3.BoolRef) -> State | None:
        """Return a board with the formula, None if there is none."""
        return self.view.values(self.last) if self.solved(formula) else None

    @property
    def last(self) -> z3.ModelRef:
        """The model of the last question, which had one."""
        assert self._model is not None, "asked for only after a board was found"
        return self._model

    def require(self, formula: z3.BoolRef, message: str) -> z3.ModelRef:
        """Return a model of the formula; raise InputError with the message if there is none."""
        if not self.solved(formula):
            raise InputError(message)
        return self.last

    def require_not(self, formula: z3.BoolRef, message: str, error: type[EquipoiseError] = InputError) -> None:
        """Raise an error with the message if there is a board with the formula."""
        if self.solved(formula):
            board = ", ".join(self.view.said(self.view.values(self.last)))
            raise error(f"{message}; on {board}")

    def sees(self, tables: Tables, functions: Mapping[str, z3.FuncDeclRef]) -> Iterator[z3.BoolRef]:
        """Yield that functions have the values that a board shows."""
        for name, table in tables.items():
            for arguments, row in table.items() if name in functions else ():
                yield from self._values(functions[name], arguments, row)

    def sees_after(self, after: Tables) -> Iterator[z3.BoolRef]:
        """Yield that functions have the values that a next board shows; one that shows none keeps its own."""
        rigid = dict(self.view.theory.rigid)
        state = {function.name: function for function in self.view.theory.state}
        for name, table in after.items():
            for arguments, row in table.items():
                if row == self.view.now[name][arguments]:
                    yield from () if name in rigid else (self._kept(state[name], arguments),)
                    continue
                yield from self._values(rigid[name] if name in rigid else state[name].next, arguments, row)
                shown = self.view.rules.circuit.disj(row.values())
                if name in state and shown != TRUE:
                    yield z3.Or(self.view.formula(shown), self._kept(state[name], arguments))

    def _values(self, function: z3.FuncDeclRef, arguments: tuple[Symbol, ...], row: Row) -> Iterator[z3.BoolRef]:
        term = self._term(function, arguments)
        if True in row and row[False] == -row[True]:
            yield term == self.view.formula(row[True])
        else:
            yield from (z3.Implies(self.view.formula(net), term == self.view.value(v)) for v, net in row.items())

    def _kept(self, function: StateFunction, arguments: tuple[Symbol, ...]) -> z3.BoolRef:
        return self._term(function.next, arguments) == self._term(function.now, arguments)

    def _term(self, function: z3.FuncDeclRef, arguments: tuple[Symbol, ...]) -> z3.ExprRef:
        key = function.name(), arguments
        if key not in self._terms:
            self._terms[key] = function(*(self.view.constants[a] for a in arguments))
        return self._terms[key]

    def _names(self) -> Iterator[z3.BoolRef]:
        """Yield what is so by its name alone."""
        rigid = dict(self.view.theory.rigid)
        for name, template in self.view.shared.names.items():
            function = rigid[name]
            for symbol in self.view.elements[function.domain(0).name()]:
                value = next(s for s in self.view.constants if str(s) == template.format(symbol))
                yield function(self.view.constants[symbol]) == self.view.constants[value]
