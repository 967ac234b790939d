"""A board of the rules as formulas, before and after steps: what each function of the other encoding sees in it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import product

import z3
from clingo.symbol import Symbol, SymbolType, parse_term

from checker.engines.smt.circuit import FALSE, TRUE, And, Circuit, Equals, Net
from checker.engines.smt.steps import Rules, StepNets, compile_rules
from checker.equivalence.shared import Seen, Shared
from checker.errors import InputError
from checker.firstorder.boards import Universe
from checker.firstorder.theory import Theory
from checker.system.model import Atom, Goal, Kind, TransitionSystem

Row = Mapping[Symbol | bool, Net]
"""For each value that a function may be seen to have the net of its being seen; at most one of them holds."""

Tables = Mapping[str, Mapping[tuple[Symbol, ...], Row]]
"""For each function and its arguments what is seen of its value."""


class View:
    """The rules of a board as a circuit, and what the functions of a theory see in it.

    elements: for each sort its elements as the rules name them. constants: the theory's constant for each.
    compared: the state functions, but those that are derived.
    never: the net of "no game comes to this board".
    """

    def __init__(self, system: TransitionSystem, theory: Theory, shared: Shared) -> None:
        self.system, self.theory, self.shared = system, theory, shared
        _require_names(theory, shared)
        self.elements = {sort: tuple(_elements(system, shared, sort)) for sort in theory.sorts}
        self.universe = Universe([(theory.sorts[sort], len(found)) for sort, found in self.elements.items()])
        self.constants = {
            symbol: constant
            for sort, symbols in self.elements.items()
            for symbol, constant in zip(symbols, self.universe.constants[sort], strict=True)
        }
        goal = Goal("seen", Kind.INVARIANT, tuple((atom, None) for atom in system.atom_of.values()))
        self.rules: Rules = compile_rules(system, [goal])
        self._formulas: dict[Net, z3.BoolRef] = {TRUE: z3.BoolVal(True, theory.context)}
        self._variables = [
            z3.BitVec(str(variable.name), max(1, variable.bits), theory.context) for variable in system.variables
        ]
        derived = {name for name, seen in shared.functions.items() if seen.derived is not None}
        self.compared = tuple(function for function in theory.state if function.name not in derived)
        self.now = self._tables()
        known = {symbol for symbol in (*system.atom_of, *system.facts) if symbol.type is SymbolType.Function}
        self.never = self.rules.circuit.disj(self.holds(symbol) for symbol in known if symbol.name in shared.never)

    def after(self, steps: Sequence[StepNets]) -> Tables:
        """Return what the functions see on the board after steps."""
        roots = [net for table in self.now.values() for row in table.values() for net in row.values()]
        moved = dict(zip(roots, self.before(steps, roots), strict=True))
        return {
            name: {arguments: {value: moved[net] for value, net in row.items()} for arguments, row in table.items()}
            for name, table in self.now.items()
        }

    def before(self, steps: Sequence[StepNets], nets: Sequence[Net]) -> list[Net]:
        """Return nets about the board after steps as nets about the board before them."""
        circuit, found = self.rules.circuit, list(nets)
        for step in reversed(steps):
            found = circuit.copy(found, _next(circuit, step, circuit.cone(found)))
        return found

    def may(self, steps: Sequence[StepNets]) -> Net:
        """Return the net of "these steps may be taken, one after the other"."""
        guards = [self.before(steps[:number], [step.guard])[0] for number, step in enumerate(steps)]
        return self.rules.circuit.conj([*guards, self.goes_on(steps[:-1])])

    def goes_on(self, steps: Sequence[StepNets]) -> Net:
        """Return the net of "each of the steps has a next board"."""
        nets = [self.before(steps[:number], [step.goes_on])[0] for number, step in enumerate(steps)]
        return self.rules.circuit.conj(nets)

    def ways(self, steps: Sequence[StepNets]) -> Net:
        """Return the net of "the options chosen fit the open outcomes".

        Raises:
            InputError: several of the steps have open outcomes.

        """
        if sum(bool(step.outcomes) for step in steps) > 1:
            raise InputError("shared.toml: more than one of the steps of an action has an open outcome")
        nets = [self.before(steps[:number], [step.ways])[0] for number, step in enumerate(steps)]
        return self.rules.circuit.conj(nets)

    def torn(self, tables: Tables) -> Net:
        """Return the net of "a function is seen to have two values", of what no step changes now and then too."""
        circuit, found = self.rules.circuit, []
        rigid = dict(self.theory.rigid)
        for name, table in tables.items():
            for arguments, row in table.items():
                found += [circuit.at_least(2, [(net, 1) for net in row.values()])]
                if name in rigid:
                    now = self.now[name][arguments]
                    found += [circuit.conj((now[v], net)) for v in now for w, net in row.items() if v != w]
        return circuit.disj(found)

    def formula(self, net: Net) -> z3.BoolRef:
        """Return a net as a formula over the board's variables."""
        for inner in self.rules.circuit.cone([net]):
            if inner not in self._formulas:
                self._formulas[inner] = self._gate(inner)
        return self._formulas[net] if net > 0 else z3.Not(self._formulas[-net])

    def values(self, model: z3.ModelRef) -> tuple[int, ...]:
        """Read the board off a model."""
        found = [model.eval(variable, model_completion=True) for variable in self._variables]
        return tuple(value.as_long() for value in found)

    def said(self, board: Sequence[int]) -> tuple[str, ...]:
        """Say a board, variable by variable."""
        pairs = zip(self.system.variables, board, strict=True)
        return tuple(f"{variable.name}={variable.domain[value]}" for variable, value in pairs)

    def rows(self, function: z3.FuncDeclRef) -> Iterator[tuple[z3.ExprRef, ...]]:
        """Yield the arguments that a function may have."""
        yield from product(*(self.universe.constants[function.domain(n).name()] for n in range(function.arity())))

    def fixed(self, board: Sequence[int]) -> Iterator[z3.BoolRef]:
        """Yield that the board is this one."""
        yield from (variable == value for variable, value in zip(self._variables, board, strict=True))

    def bounds(self) -> Iterator[z3.BoolRef]:
        """Yield that every variable has a value of its domain."""
        for bits, variable in zip(self._variables, self.system.variables, strict=True):
            yield z3.ULE(bits, len(variable.domain) - 1)

    def calm(self, apart_from: int | None = None) -> Net:
        """Return the net of "nothing must be done first", one action perhaps apart."""
        circuit = self.rules.circuit
        due = [
            circuit.conj(map(self._number, (action.possible, action.forced)))
            for index, action in enumerate(self.system.actions)
            if index != apart_from
        ]
        return circuit.conj(-net for net in due)

    def holds(self, symbol: Symbol) -> Net:
        """Return the net of an atom."""
        return TRUE if symbol in self.system.facts else self._number(self.system.atom_of.get(symbol))

    def value(self, value: Symbol | bool) -> z3.ExprRef:
        """Return the constant of an element, or the truth value."""
        return z3.BoolVal(value, self.theory.context) if isinstance(value, bool) else self.constants[value]

    def _gate(self, net: Net) -> z3.BoolRef:
        match self.rules.circuit.gates[net]:
            case And(inputs):
                return z3.And([self.formula(n) for n in inputs])
            case Equals(variable, value):
                return self._variables[variable] == value
            case free:
                return z3.Bool(free.name, self.theory.context)

    def _number(self, atom: Atom | None) -> Net:
        return FALSE if atom is None else self.rules.atoms.get(atom, FALSE)

    def _tables(self) -> Tables:
        """Return what the functions see on a board."""
        found: dict[str, dict[tuple[Symbol, ...], Row]] = {}
        for name, function in self.theory.functions_at(0):
            seen = self.shared.functions.get(name)
            if seen is None or seen.closure is not None:
                continue
            domains = [self.elements[function.domain(place).name()] for place in range(function.arity())]
            found[name] = {row: self._row(seen, function, row) for row in product(*domains)}
        for name, seen in self.shared.functions.items():
            if seen.closure is not None:
                found[name] = self._closure(found[seen.closure])
        return found

    def _row(self, seen: Seen, function: z3.FuncDeclRef, arguments: tuple[Symbol, ...]) -> Row:
        """Return what is seen of a function at some arguments."""
        if function.range().kind() != z3.Z3_BOOL_SORT:
            return {value: self._any(seen.any, arguments, value) for value in self.elements[function.range().name()]}
        held = self.rules.circuit.conj((self._any(seen.any, arguments), -self._any(seen.none, arguments)))
        return {True: held, False: self._any(seen.denied, arguments) if seen.denied else -held}

    def _any(self, templates: Iterable[str], arguments: tuple[Symbol, ...], value: Symbol | None = None) -> Net:
        return self.rules.circuit.disj(
            self.holds(parse_term(text.format(*arguments, v=value))) for text in templates
        )  # fmt: skip

    def _closure(self, table: Mapping[tuple[Symbol, ...], Row]) -> dict[tuple[Symbol, ...], Row]:
        circuit = self.rules.circuit
        found = {pair: TRUE if pair[0] == pair[1] else row[True] for pair, row in table.items()}
        elements = sorted({pair[0] for pair in found})
        for middle in elements:
            found = {
                (x, y): circuit.disj((net, circuit.conj((found[x, middle], found[middle, y]))))
                for (x, y), net in found.items()
            }
        return {pair: {True: net, False: -net} for pair, net in found.items()}


def _require_names(theory: Theory, shared: Shared) -> None:
    """Raise unless the file names what is in the theory only, and all that a step may change."""
    state = {function.name for function in theory.state}
    strange = {*shared.functions, *shared.names} - state - dict(theory.rigid).keys()
    for name in sorted(strange):
        raise InputError(f"shared.toml: the encoding has no function {name}")
    for name in sorted(state - shared.functions.keys()):
        raise InputError(f"shared.toml does not say how {name} reads a board")
    actions = {action.name for action in theory.actions}
    named = {like.name for action in shared.actions for like in action.here} | shared.left_out.keys()
    for name in sorted(named - actions):
        raise InputError(f"shared.toml: there is no action {name}")
    for name in sorted(actions - named):
        raise InputError(f"shared.toml says nothing of the action {name}")


def _next(circuit: Circuit, step: StepNets, cone: Iterable[Net]) -> dict[Net, Net]:
    """Return for each input "a variable has a value" the net of its having it after the step."""
    found = {}
    for net in cone:
        gate = circuit.gates[net]
        if isinstance(gate, Equals):
            ways = step.sets.get(gate.variable, {})
            kept = circuit.conj((net, *(-way for way in ways.values())))
            found[net] = circuit.disj((ways.get(gate.value, FALSE), kept))
    return found


def _elements(system: TransitionSystem, shared: Shared, sort: str) -> list[Symbol]:
    """Return the elements of a sort on a board, those of which a fact of its template speaks."""
    name = shared.sorts.get(sort, "").partition("(")[0]
    facts = (f for f in system.facts if f.type is SymbolType.Function)
    found = sorted(fact.arguments[0] for fact in facts if fact.name == name and len(fact.arguments) == 1)
    if not found:
        raise InputError(f"shared.toml: the board {system.name} has nothing of the sort {sort}")
    return found
