"""An inductive invariant as gates over a board's variables, whoever found it, and as a JSON value."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from checker.engines.smt.circuit import TRUE, And, Circuit, Equals, Free, Net
from checker.errors import EquipoiseError
from checker.system.model import TransitionSystem

Lit: TypeAlias = int
"""Input or gate number n, from 1, inputs first; minus n for its negation."""


class CertificateError(EquipoiseError):
    """A certificate does not stand; the message says which part of it and why."""


class NotHeldError(CertificateError):
    """The certificate is as it was written, but what it is meant to show does not hold."""

    exit_code = 1


class UndecidedError(CertificateError):
    """The other solver gives up, so that nothing is known of what the certificate is meant to show."""

    exit_code = 3


@dataclass(frozen=True, slots=True)
class Input:
    """What a gate may read of a board.

    kind: "value" for "variable number `variable` has value number `place` of its domain"; "bit" for bit
    number `place`, from 0 for the least, of the index of the variable's value.
    """

    kind: Literal["value", "bit"]
    variable: int
    place: int


@dataclass(frozen=True, slots=True)
class Invariant:
    """The conjunction of `lemmas`, each a literal.

    gates: each the conjunction of literals of inputs and earlier gates; one without any is true. See
    `Gates` for a way to build them.
    """

    inputs: tuple[Input, ...]
    gates: tuple[tuple[Lit, ...], ...]
    lemmas: tuple[Lit, ...]

    def nets(self, circuit: Circuit) -> list[Net]:
        """Return the lemmas as nets of a circuit over the same variables.

        Raises:
            CertificateError: a literal names no input and no earlier gate, or an input no value.

        """
        nets: list[Net] = [0, *(_input_net(circuit, item) for item in self.inputs)]
        for gate in self.gates:
            nets.append(circuit.conj([_pick(nets, lit) for lit in gate]))
        return [_pick(nets, lit) for lit in self.lemmas]


class Gates:
    """Builds an invariant over given inputs, equal gates made once."""

    def __init__(self, inputs: Sequence[Input]) -> None:
        self._inputs = tuple(inputs)
        self._gates: list[tuple[Lit, ...]] = []
        self._made: dict[tuple[Lit, ...], Lit] = {}

    def all(self, *lits: Lit) -> Lit:
        """Return the literal of a conjunction; input number n, from 1, is literal n."""
        if len(lits) == 1:
            return lits[0]
        if lits not in self._made:
            self._gates.append(lits)
            self._made[lits] = len(self._inputs) + len(self._gates)
        return self._made[lits]

    def ite(self, test: Lit, then: Lit, other: Lit) -> Lit:
        """Return the literal of a node of a decision diagram; `all()` is its leaf true, `-all()` false."""
        return -self.all(-self.all(test, then), -self.all(-test, other))

    def invariant(self, *lemmas: Lit) -> Invariant:
        """Return the conjunction of `lemmas`."""
        return Invariant(self._inputs, tuple(self._gates), lemmas)


def invariant_of(circuit: Circuit, lemmas: Sequence[Net]) -> Invariant:
    """Return nets over the board as an invariant.

    Raises:
        CertificateError: a net reads something that is no part of a board.

    """
    cone = circuit.cone(lemmas)
    leaves = [(net, gate) for net in cone if isinstance(gate := circuit.gates[net], Equals)]
    gates = Gates([Input("value", gate.variable, gate.value) for _, gate in leaves])
    made = {net: number for number, (net, _) in enumerate(leaves, 1)} | {TRUE: gates.all()}

    def lit(net: Net) -> Lit:
        return made[net] if net > 0 else -made[-net]

    for net in cone:
        match circuit.gates[net]:
            case And(parts):
                made[net] = gates.all(*map(lit, parts))
            case Free(name):
                raise CertificateError(f"an invariant reads {name}, which is no part of a board")
    return gates.invariant(*map(lit, lemmas))


def to_json(invariant: Invariant, system: TransitionSystem) -> dict[str, Any]:
    """Return an invariant as a JSON value that names fluents and values."""
    inputs = []
    for item in invariant.inputs:
        variable = system.variables[item.variable]
        place = str(variable.domain[item.place]) if item.kind == "value" else item.place
        inputs.append([item.kind, str(variable.name), place])
    return {"inputs": inputs, "gates": [list(g) for g in invariant.gates], "lemmas": list(invariant.lemmas)}


def from_json(data: Mapping[str, Any], system: TransitionSystem) -> Invariant:
    """Read an invariant back.

    Raises:
        CertificateError: it is none, or speaks of fluents or values that the system does not have.

    """
    variables = {str(variable.name): index for index, variable in enumerate(system.variables)}
    inputs = []
    try:
        for kind, fluent, place in data["inputs"]:
            index = variables[fluent]
            if kind == "value":
                place = [str(value) for value in system.variables[index].domain].index(place)
            inputs.append(Input("value" if kind == "value" else "bit", index, int(place)))
        gates = tuple(tuple(int(lit) for lit in gate) for gate in data["gates"])
        return Invariant(tuple(inputs), gates, tuple(int(lit) for lit in data["lemmas"]))
    except (KeyError, ValueError, TypeError) as error:
        raise CertificateError(f"the invariant does not fit the rulebook: {error}") from error


def _input_net(circuit: Circuit, item: Input) -> Net:
    size = circuit.sizes[item.variable]
    if item.kind == "bit" and item.place >= 0:
        return circuit.disj(circuit.equals(item.variable, v) for v in range(size) if v >> item.place & 1)
    if not 0 <= item.place < size:
        raise CertificateError(f"the invariant speaks of value {item.place} of a variable that has {size}")
    return circuit.equals(item.variable, item.place)


def _pick(nets: Sequence[Net], lit: Lit) -> Net:
    if not 0 < abs(lit) < len(nets):
        raise CertificateError(f"literal {lit} of the invariant names no input and no earlier gate")
    return nets[lit] if lit > 0 else -nets[-lit]
