"""A board of the rules as formulas, before and after a step: what each function of the other encoding sees in it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import product

import z3
from clingo.symbol import Symbol, SymbolType, parse_term

from checker.engines.smt.circuit import FALSE, TRUE, And, Circuit, Equals, Net
from checker.engines.smt.steps import Rules, StepNets, compile_rules
from checker.equivalence.shared import Shared
from checker.errors import InputError
from checker.firstorder.boards import Universe
from checker.firstorder.theory import Theory
from checker.system.model import Atom, Goal, Kind, TransitionSystem

_Pair = tuple[Symbol, ...]

Tables = Mapping[str, Mapping[tuple[Symbol, ...], Mapping[Symbol | None, Net]]]
"""For each function and its arguments the net of each value; a predicate has the one value None."""


class View:
    """The rules of a board as a circuit, and what the functions of a theory see in it.

    elements: for each sort its elements as the rules name them. constants: the theory's constant for each.
    """

    def __init__(self, system: TransitionSystem, theory: Theory, shared: Shared) -> None:
        self.system, self.theory, self.shared = system, theory, shared
        _require_names(theory, shared)
        self.elements = {sort: tuple(_elements(system, template)) for sort, template in shared.sorts.items()}
        sizes = [(sort, len(self.elements.get(name, ())) or 1) for name, sort in theory.sorts.items()]
        self.universe = Universe(sizes)
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
        self.now = self._tables(self._atom)

    def after(self, step: StepNets) -> Tables:
        """Return what the functions see on the board after a step."""
        circuit = self.rules.circuit
        roots = [net for table in self.now.values() for row in table.values() for net in row.values()]
        moved = dict(zip(roots, circuit.copy(roots, _next(circuit, step, circuit.cone(roots))), strict=True))
        return {
            name: {arguments: {v: moved[net] for v, net in row.items()} for arguments, row in table.items()}
            for name, table in self.now.items()
        }

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

    def fixed(self, board: Sequence[int]) -> Iterator[z3.BoolRef]:
        """Yield that the board is this one."""
        yield from (variable == value for variable, value in zip(self._variables, board, strict=True))

    def bounds(self) -> Iterator[z3.BoolRef]:
        """Yield that every variable has a value of its domain."""
        for bits, variable in zip(self._variables, self.system.variables, strict=True):
            yield z3.ULE(bits, len(variable.domain) - 1)

    def calm(self) -> Net:
        """Return the net of "in scope, and nothing must be done first"."""
        circuit = self.rules.circuit
        due = [circuit.conj(map(self._number, (a.possible, a.forced))) for a in self.system.actions]
        outside = [self._atom(parse_term(text)) for text in self.shared.out_of_scope]
        return circuit.conj(-net for net in (*due, *outside))

    def _gate(self, net: Net) -> z3.BoolRef:
        match self.rules.circuit.gates[net]:
            case And(inputs):
                return z3.And([self.formula(n) for n in inputs])
            case Equals(variable, value):
                return self._variables[variable] == value
            case free:
                return z3.Bool(free.name, self.theory.context)

    def _atom(self, symbol: Symbol) -> Net:
        return TRUE if symbol in self.system.facts else self._number(self.system.atom_of.get(symbol))

    def _number(self, atom: Atom | None) -> Net:
        return FALSE if atom is None else self.rules.atoms.get(atom, FALSE)

    def _tables(self, holds: Callable[[Symbol], Net]) -> Tables:
        """Return what the functions see, given the net of each atom."""
        circuit = self.rules.circuit
        found: dict[str, dict[tuple[Symbol, ...], dict[Symbol | None, Net]]] = {}
        for name, function in self.theory.functions_at(0):
            seen = self.shared.functions.get(name)
            domains = [self.elements.get(function.domain(place).name()) for place in range(function.arity())]
            if seen is None or seen.closure is not None:
                continue
            values = (None,) if function.range().kind() == z3.Z3_BOOL_SORT else self.elements[function.range().name()]
            table = found.setdefault(name, {})
            for arguments in product(*(domain or () for domain in domains)):
                table[arguments] = {
                    value: circuit.conj((
                        circuit.disj(holds(_fill(text, arguments, value)) for text in seen.any),
                        *(-holds(_fill(text, arguments, value)) for text in seen.none),
                    ))
                    for value in values
                }  # fmt: skip
        for name, seen in self.shared.functions.items():
            if seen.closure is not None:
                found[name] = {pair: {None: net} for pair, net in self._closure(found[seen.closure]).items()}
        return found

    def _closure(self, table: Mapping[_Pair, Mapping[Symbol | None, Net]]) -> dict[_Pair, Net]:
        circuit = self.rules.circuit
        found = {pair: TRUE if pair[0] == pair[1] else row[None] for pair, row in table.items()}
        elements = sorted({pair[0] for pair in found})
        for middle in elements:
            found = {
                (x, y): circuit.disj((net, circuit.conj((found[x, middle], found[middle, y]))))
                for (x, y), net in found.items()
            }
        return found


def _require_names(theory: Theory, shared: Shared) -> None:
    """Raise unless the file names functions of the theory only, and all that a step may change."""
    state = {function.name for function in theory.state}
    strange = {*shared.functions, *shared.names} - state - dict(theory.rigid).keys()
    for name in sorted(strange):
        raise InputError(f"shared.toml: the encoding has no function {name}")
    for name in sorted(state - shared.functions.keys()):
        raise InputError(f"shared.toml does not say how {name} reads a board")


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


def _elements(system: TransitionSystem, template: str) -> list[Symbol]:
    name = template.partition("(")[0]
    facts = (f for f in system.facts if f.type is SymbolType.Function)
    return sorted(fact.arguments[0] for fact in facts if fact.name == name and len(fact.arguments) == 1)


def _fill(template: str, arguments: Sequence[Symbol], value: Symbol | None) -> Symbol:
    return parse_term(template.format(*arguments, v=value))
