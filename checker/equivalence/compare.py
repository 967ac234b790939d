"""Prove that two encodings of a game take the same steps on a board, or show a board on which they do not.

Compared is every board on which the theory's claims hold and nothing is on the chain or must be done first, with
every action that `shared.toml` names. The two models differ on purpose in what is not named there: in the theory
any cost can be paid, the Cleanup takes one card at a time, and cards off the board are in no particular zone. Where
an instruction does nothing the rules have an action without effect, and the theory has none; such steps agree.
Of playing a card the guard is compared in one direction, since the theory does not know what is in hand.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product

import z3
from clingo.symbol import Symbol

from checker.engines.smt.circuit import FALSE
from checker.engines.smt.steps import StepNets
from checker.equivalence.shared import Shared, SharedAction
from checker.equivalence.view import Tables, View
from checker.errors import InputError, InternalError
from checker.firstorder.theory import Action, Claim, StateFunction, Theory, rename, renaming, symbols
from checker.system.model import State, TransitionSystem
from checker.traces import evaluator

SECONDS = 60.0
"""What the solver may take for one question."""


@dataclass(frozen=True, slots=True)
class Disagreement:
    """A board and an action on which two encodings differ.

    what: "guard" or "outcome". rules, theory: what each says; of outcomes only where they differ. fired: the
    clauses of the rules that fire in the step, if it may be taken. clauses: those the theory's action cites.
    """

    action: str
    what: str
    board: tuple[str, ...]
    rules: tuple[str, ...]
    theory: tuple[str, ...]
    fired: tuple[str, ...]
    clauses: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Compared:
    """An action of the rules with its like; `differs` is None if they are proved to agree.

    happens: some board that is compared allows both.
    """

    action: str
    like: str
    happens: bool
    differs: Disagreement | None


def compare(
    system: TransitionSystem,
    theory: Theory,
    shared: Shared,
    chosen: Mapping[str, bool],
    claims: Iterable[Claim],
    seconds: float = SECONDS,
) -> Iterator[Compared]:
    """Compare every shared action of a board.

    Args:
        system: the rules on the board.
        theory: the first-order encoding.
        shared: what they have in common.
        chosen: switches of the theory, those of the board's readings.
        claims: what holds on every board to be compared; claims that are proved, so that none is left out.
        seconds: what the solver may take for one question.

    Raises:
        InternalError: the solver gives up, or an action of the theory does not say all of what is next.

    """
    comparison = _Comparison(View(system, theory, shared), chosen, claims, seconds)
    for step in comparison.view.rules.steps:
        name = system.actions[step.action].name
        for action in shared.actions:
            values = action.match(name, system.facts)
            if values is not None:
                yield comparison.action(step, action, values)


class _Comparison:
    """The questions about one board, in one solver."""

    def __init__(self, view: View, chosen: Mapping[str, bool], claims: Iterable[Claim], seconds: float) -> None:
        self.view, self.theory = view, view.theory
        self.ground = view.universe.ground
        self.solver = z3.Solver(ctx=self.theory.context)
        self.solver.set("timeout", int(seconds * 1000))
        self.known = {action.name: action for action in self.theory.actions}
        self.shared_names = set(view.now)
        functions = [f for _, f in self.theory.functions_at(0)] + [f.next for f in self.theory.state]
        self.solver.add(*map(self.ground, (*self.theory.axioms, *self.theory.chosen(chosen))))
        self.solver.add(*(z3.Distinct(row) for row in view.universe.constants.values() if len(row) > 1))
        self.solver.add(*view.universe.closed(functions), *view.bounds(), *self._names(), *self._nothing())
        self.solver.add(*self._sees(view.now, dict(self.theory.functions_at(0))))
        self.solver.add(*(self.ground(claim.formula) for claim in claims if not claim.of_step))
        self.solver.add(view.formula(view.calm()))
        if self.solver.check() != z3.sat:
            raise InternalError("no board satisfies the claims, so that a comparison would say nothing")

    def action(self, step: StepNets, shared: SharedAction, values: Mapping[str, Symbol]) -> Compared:
        """Compare one ground action."""
        like = self.known.get(shared.name)
        if like is None:
            raise InputError(f"shared.toml: there is no action {shared.name}")
        self.solver.push()
        terms = {letter: self.view.constants[value] for letter, value in values.items()}
        loose = [f.decl() for f in like.params if _letter(f) not in terms and _letter(f) in shared.arguments]
        terms |= {_letter(p): p for p in like.params if p.decl() in loose}
        self.solver.add(*self.view.universe.closed(loose), self._term(shared.where, terms))
        pairs = [(p, self._argument(text, terms)) for p, text in zip(like.params, shared.arguments, strict=True)]
        self.solver.add(*self._sees(self.view.after(step), self._next_functions()), *self._kept(self.view.after(step)))
        self.solver.add(self.view.formula(step.ways))
        found = self._compare(step, like, pairs, self._term(shared.when, terms), shared.narrower)
        self.solver.pop()
        return found

    def _compare(
        self,
        step: StepNets,
        like: Action,
        pairs: Sequence[tuple[z3.ExprRef, z3.ExprRef]],
        when: z3.BoolRef,
        narrower: bool,
    ) -> Compared:
        parts = [z3.substitute(self.ground(part), *pairs) for part in like.conjuncts]
        late = [bool(symbols(part) & self.theory.next_names) for part in parts]
        allowed = z3.And([part for part, after in zip(parts, late, strict=True) if not after])
        effect = z3.And([part for part, after in zip(parts, late, strict=True) if after])
        self._require_one_outcome(like.name, allowed, effect)
        may = self.view.formula(step.guard)
        differs = self._guards(step, like, may, allowed, when, narrower)
        if differs is None:
            wrong = z3.Not(z3.And(self.view.formula(step.goes_on), effect))
            board = self._board(z3.And(may, allowed, wrong))
            differs = None if board is None else self._outcomes(step, board, like, effect)
        return Compared(self._name(step), like.name, self._solved(z3.And(may, allowed)), differs)

    def _guards(
        self,
        step: StepNets,
        like: Action,
        may: z3.BoolRef,
        allowed: z3.BoolRef,
        when: z3.BoolRef,
        narrower: bool,
    ) -> Disagreement | None:
        idle = z3.And([self._same(f.now, f.next) for f in self._compared()])
        wrongly = z3.And(may, z3.Not(z3.And(allowed, when)), z3.Not(z3.And(z3.Not(allowed), idle)))
        board = self._board(wrongly)
        if board is None and not narrower:
            board = self._board(z3.And(allowed, when, z3.Not(may)))
        if board is None:
            return None
        self.solver.push()
        self.solver.add(*self.view.fixed(board))
        ours, theirs = self._solved(may), self._solved(z3.And(allowed, when))
        self.solver.pop()
        rules, other = (("allowed",) if yes else ("not allowed",) for yes in (ours, theirs))
        fired = self._fired(step, board) if ours else ()
        return Disagreement(self._name(step), "guard", self._say(board), rules, other, fired, like.clauses)

    def _outcomes(self, step: StepNets, board: State, like: Action, effect: z3.BoolRef) -> Disagreement:
        """Say how the outcomes on a board differ, function by function."""
        other = {f.name: _other(f) for f in self._compared()}
        self.solver.push()
        self.solver.add(*self.view.fixed(board), self._elsewhere(effect))
        if self.solver.check() != z3.sat:
            raise InternalError(f"{like.name} has no outcome on a board on which it is allowed")
        model = self.solver.model()
        self.solver.pop()
        named = {self._read(model, constant): str(symbol) for symbol, constant in self.view.constants.items()}
        rules, theory = [], []
        for function in self._compared():
            for row in product(*self._rows(function.next)):
                ours, theirs = (self._read(model, f(*row)) for f in (function.next, other[function.name]))
                if ours != theirs:
                    term = f"{function.name}({', '.join(named[self._read(model, x)] for x in row)})"
                    rules.append(f"{term} = {named.get(ours, ours)}")
                    theory.append(f"{term} = {named.get(theirs, theirs)}")
        said, fired = self._say(board), self._fired(step, board)
        return Disagreement(self._name(step), "outcome", said, tuple(rules), tuple(theory), fired, like.clauses)

    def _fired(self, step: StepNets, board: State) -> tuple[str, ...]:
        """Return the clauses of the rules that fire in a step and not on the board alone."""
        system = self.view.system
        rules = evaluator(system)
        atoms = rules.evaluate(board, step.action) - rules.evaluate(board)
        ids = {system.fired[atom] for atom in atoms if atom in system.fired}
        return tuple(dict.fromkeys(c for source in system.sources if source.id in ids for c in source.clauses))

    def _name(self, step: StepNets) -> str:
        return str(self.view.system.actions[step.action].name)

    @staticmethod
    def _read(model: z3.ModelRef, term: z3.ExprRef) -> str:
        return str(model.eval(term, model_completion=True))

    def _require_one_outcome(self, name: str, allowed: z3.BoolRef, effect: z3.BoolRef) -> None:
        """Raise unless the theory's action has at most one outcome in what is compared."""
        differs = z3.Not(z3.And([self._same(f.next, _other(f)) for f in self._compared()]))
        if self._solved(z3.And(allowed, effect, self._elsewhere(effect), differs)):
            raise InternalError(f"{name} has several outcomes")

    def _elsewhere(self, effect: z3.BoolRef) -> z3.BoolRef:
        return rename(effect, renaming((f.next, _other(f)) for f in self.theory.state))

    def _board(self, formula: z3.BoolRef) -> State | None:
        return self.view.values(self.solver.model()) if self._solved(formula) else None

    def _solved(self, formula: z3.BoolRef) -> bool:
        """Tell whether there is a board with the formula; the model stays in the solver."""
        answer = self.solver.check(formula)
        if answer == z3.unknown:
            raise InternalError(f"the solver gave up: {self.solver.reason_unknown()}")
        return bool(answer == z3.sat)

    def _compared(self) -> list[StateFunction]:
        return [f for f in self.theory.state if f.name in self.shared_names]

    def _next_functions(self) -> dict[str, z3.FuncDeclRef]:
        return {f.name: f.next for f in self.theory.state}

    def _names(self) -> Iterator[z3.BoolRef]:
        """Yield what is so by its name alone."""
        rigid = dict(self.theory.rigid)
        for name, template in self.view.shared.names.items():
            function = rigid[name]
            for symbol in self.view.elements[function.domain(0).name()]:
                value = next(s for s in self.view.constants if str(s) == template.format(symbol))
                yield function(self.view.constants[symbol]) == self.view.constants[value]

    def _nothing(self) -> Iterator[z3.BoolRef]:
        """Yield that predicates of which no board has any hold of nothing, before and after."""
        for function in self.theory.state:
            seen = self.view.shared.functions.get(function.name)
            if seen is not None and not seen.any and seen.closure is None:
                for declared in (function.now, function.next):
                    yield from (z3.Not(declared(*row)) for row in product(*self._rows(declared)))

    def _sees(self, tables: Tables, functions: Mapping[str, z3.FuncDeclRef]) -> Iterator[z3.BoolRef]:
        """Yield that functions have the values that a board shows."""
        for name, table in tables.items():
            if name not in functions:
                continue
            for arguments, row in table.items():
                term = functions[name](*(self.view.constants[a] for a in arguments))
                for value, net in row.items():
                    held = self.view.formula(net)
                    yield term == held if value is None else z3.Implies(held, term == self.view.constants[value])

    def _kept(self, after: Tables) -> Iterator[z3.BoolRef]:
        """Yield that a function for which the next board shows no value keeps its own."""
        for function in self._compared():
            for arguments, row in after[function.name].items():
                if None not in row:
                    terms = [self.view.constants[a] for a in arguments]
                    shown = [self.view.formula(net) for net in row.values() if net != FALSE]
                    yield z3.Or(*shown, function.next(*terms) == function.now(*terms))

    def _same(self, one: z3.FuncDeclRef, other: z3.FuncDeclRef) -> z3.BoolRef:
        return z3.And([one(*row) == other(*row) for row in product(*self._rows(one))])

    def _rows(self, function: z3.FuncDeclRef) -> list[list[z3.ExprRef]]:
        return [self.view.universe.constants[function.domain(place).name()] for place in range(function.arity())]

    def _argument(self, text: str, terms: Mapping[str, z3.ExprRef]) -> z3.ExprRef:
        return self._term(f"(= {text} {text})", terms).arg(0) if text not in terms else terms[text]

    def _term(self, text: str, terms: Mapping[str, z3.ExprRef]) -> z3.BoolRef:
        """Read a formula of `shared.toml` over an action's parameters."""
        known: dict[str, z3.FuncDeclRef] = {f.name: f.now for f in self.theory.state} | dict(self.theory.rigid)
        known |= {letter: term.decl() for letter, term in terms.items()}
        sorts = dict(self.theory.sorts)
        try:
            parsed = z3.parse_smt2_string(f"(assert {text})", sorts=sorts, decls=known, ctx=self.theory.context)
        except z3.Z3Exception as error:
            raise InputError(f"shared.toml: {text}: {error}") from error
        return self.ground(z3.And(list(parsed))) if len(parsed) != 1 else self.ground(parsed[0])

    def _say(self, board: Iterable[int]) -> tuple[str, ...]:
        variables = self.view.system.variables
        return tuple(f"{v.name}={v.domain[value]}" for v, value in zip(variables, board, strict=True))


def _letter(param: z3.ExprRef) -> str:
    return str(param.decl().name()).rpartition(".")[2]


def _other(function: StateFunction) -> z3.FuncDeclRef:
    """Return a function like the next one, for a second outcome of the same step."""
    sorts = [function.next.domain(place) for place in range(function.next.arity())]
    return z3.Function(f"{function.name}.other", *sorts, function.next.range())
