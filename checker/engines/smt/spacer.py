"""Proofs for games of any length by Spacer, Z3's solver for Horn clauses (Komuravelli and others 2014)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import product

import z3

from checker.engines.smt.circuit import FALSE, TRUE, Circuit, Net
from checker.engines.smt.steps import Rules
from checker.engines.smt.text import (
    BoardText,
    board_constants,
    conjunction,
    literal,
    net_name,
    variable_name,
    width,
)
from checker.engines.smt.unroll import OutOfBudgetError

PRODUCT = 4096
"""Boards of its variables that an atom of an answer may be tried on."""

OPTIONS = {
    "engine": "spacer",
    "xform.slice": False,  # the answer is wanted over the boards as they are
    "xform.inline_linear": False,
    "xform.inline_eager": False,
}


def spacer(rules: Rules, goal: str, known: Sequence[Net], seconds: float) -> list[Net] | None:
    """Search for an inductive invariant that excludes a goal.

    Args:
        rules: the rulebook as a circuit.
        goal: the goal's name.
        known: lemmas already proved; they are assumed on every board.
        seconds: when to give up.

    Returns:
        Nets over the board that hold at the start and together with `known` are kept by every step and
        exclude the goal; None if some game shows the goal.

    Raises:
        OutOfBudgetError: there was no answer in time.

    """
    return _Horn(rules, goal, known).solve(seconds)


class _Horn:
    """The Horn clauses of one question; `board(x)` over-approximates the reachable boards."""

    def __init__(self, rules: Rules, goal: str, known: Sequence[Net]) -> None:
        self.rules = rules
        self.goal = goal
        self.context = z3.Context()
        self._parser = z3.ParserContext(self.context)
        self._text = BoardText(rules.circuit, 0)
        self._ranges = self._parse(board_constants(rules.circuit, 0))
        self._known = self._nets(known)
        self.constants = [
            z3.BitVec(variable_name(index, 0), width(size), self.context)
            for index, size in enumerate(rules.circuit.sizes)
        ]
        sorts = [constant.sort() for constant in self.constants]
        self.reached = z3.Function("board", *sorts, z3.BoolSort(self.context))
        self.shown = z3.Function("shown", z3.BoolSort(self.context))
        self.solver = z3.Fixedpoint(ctx=self.context)
        self.solver.set(**OPTIONS)
        self.solver.register_relation(self.reached)
        self.solver.register_relation(self.shown)
        choices = [z3.Bool(f"b0_c{atom}", self.context) for atom in rules.choices]
        self.solver.declare_var(*self.constants, *choices)
        self._add_rules()

    def solve(self, seconds: float) -> list[Net] | None:
        """Run Spacer; see `spacer`."""
        self.solver.set("timeout", max(1, int(seconds * 1000)))
        try:
            found = self.solver.query(self.shown())
        except z3.Z3Exception as error:
            raise OutOfBudgetError(f"Spacer gave up after {seconds:.0f} s") from error
        if found == z3.unknown:
            raise OutOfBudgetError(f"Spacer gave up: {self.solver.reason_unknown()}")
        if found == z3.sat:
            return None
        answer = z3.substitute_vars(self.solver.get_cover_delta(-1, self.reached), *self.constants)
        parts = answer.children() if z3.is_and(answer) else [answer]
        reader = _Reader(self.rules.circuit, self.constants)
        return [net for part in parts if (net := reader.net(part)) != TRUE]

    def _add_rules(self) -> None:
        board = self.reached(*self.constants)
        self.solver.rule(board, [*self._ranges, *self._nets([self.rules.initial])])
        bad = self.rules.bad[self.goal]
        if bad != FALSE:
            self.solver.rule(self.shown(), [board, *self._known, *self._nets([bad])])
        for step in self.rules.steps:
            taken = [board, *self._known, *self._nets((step.guard, step.ways))]
            if step.bad[self.goal] != FALSE:
                self.solver.rule(self.shown(), [*taken, *self._nets([step.bad[self.goal]])])
            after = list(self.constants)
            for variable, ways in step.sets.items():
                after[variable] = self._after(variable, ways)
            self.solver.rule(self.reached(*after), [*taken, *self._nets([step.goes_on])])

    def _after(self, variable: int, ways: Mapping[int, Net]) -> z3.BitVecRef:
        """Return the value that a variable has after a step."""
        name, size = variable_name(variable, 0), self.rules.circuit.sizes[variable]
        term = name
        for value, net in ways.items():
            term = f"(ite {net_name(net, 0)} {literal(value, size)} {term})"
        equation = self._parse([*self._text.gates(ways.values()), f"(assert (= {name} {term}))"])[0]
        after = equation.arg(1)
        assert isinstance(after, z3.BitVecRef), "a variable is a bit-vector"
        return after

    def _nets(self, nets: Sequence[Net]) -> list[z3.BoolRef]:
        lines = [*self._text.gates(nets), f"(assert {conjunction([net_name(net, 0) for net in nets])})"]
        return self._parse(lines)

    def _parse(self, lines: Iterable[str]) -> list[z3.BoolRef]:
        return list(self._parser.from_string("\n".join(lines)))


class _Reader:
    """Turns a formula over the variables of a board into a net."""

    def __init__(self, circuit: Circuit, constants: Sequence[z3.BitVecRef]) -> None:
        self.circuit = circuit
        self.index = {constant.get_id(): place for place, constant in enumerate(constants)}
        self.constants = constants
        self._made: dict[int, Net] = {}

    def net(self, formula: z3.ExprRef) -> Net:
        """Return the net of a Boolean formula."""
        key = formula.get_id()
        if key not in self._made:
            self._made[key] = self._net(formula)
        return self._made[key]

    def _net(self, formula: z3.ExprRef) -> Net:
        if z3.is_and(formula):
            return self.circuit.conj(map(self.net, formula.children()))
        if z3.is_or(formula):
            return self.circuit.disj(map(self.net, formula.children()))
        if z3.is_not(formula):
            return -self.net(formula.arg(0))
        return self._atom(formula)

    def _atom(self, atom: z3.ExprRef) -> Net:
        """Return the net of an atom, tried on all values of the variables in it.

        Raises:
            OutOfBudgetError: it speaks of too many variables at once.

        """
        places = sorted(self._places(atom, {}))
        sizes = [self.circuit.sizes[place] for place in places]
        ways = []
        for count, values in enumerate(product(*map(range, sizes))):
            if count >= PRODUCT:
                raise OutOfBudgetError("Spacer's answer is too intricate to state as gates")
            pairs = [(self.constants[p], self._code(p, v)) for p, v in zip(places, values, strict=True)]
            if z3.is_true(z3.simplify(z3.substitute(atom, *pairs))):
                ways.append(self.circuit.conj(map(self.circuit.equals, places, values)))
        return self.circuit.disj(ways)

    def _code(self, place: int, value: int) -> z3.BitVecRef:
        constant = self.constants[place]
        return z3.BitVecVal(value, constant.size(), constant.ctx)

    def _places(self, term: z3.ExprRef, seen: dict[int, frozenset[int]]) -> frozenset[int]:
        key = term.get_id()
        if key in self.index:
            return frozenset({self.index[key]})
        if key not in seen:
            seen[key] = frozenset().union(*(self._places(child, seen) for child in term.children()))
        return seen[key]
