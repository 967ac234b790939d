"""And-gates with negation over the values of state variables: what the rules come to as a circuit.

Weighted bodies are unfolded into gates as well, so that any solver can read the result.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

Net: TypeAlias = int
"""The index of a gate, or minus it for its negation."""

TRUE: Net = 1
FALSE: Net = -1


@dataclass(frozen=True, slots=True)
class Equals:
    """An input: the variable holds the value with this index in its domain."""

    variable: int
    value: int


@dataclass(frozen=True, slots=True)
class Free:
    """An input that is no part of a board, such as an option chosen."""

    name: str


@dataclass(frozen=True, slots=True)
class And:
    """The conjunction of `inputs`, at least two, each the net of an earlier gate."""

    inputs: tuple[Net, ...]


Gate: TypeAlias = Equals | Free | And


class Circuit:
    """A growing list of gates, equal ones made once and constants folded away.

    Gate 1 is the constant true, the conjunction of nothing. A variable holds exactly one value, and the
    folding knows it.
    """

    def __init__(self, sizes: Sequence[int]) -> None:
        """Start an empty circuit over variables whose domains have the given `sizes`."""
        self.sizes = tuple(sizes)
        self.gates: list[Gate] = [And(()), And(())]
        self._made: dict[Gate, Net] = {}

    def equals(self, variable: int, value: int) -> Net:
        """Return the net of "the variable holds the value"."""
        size = self.sizes[variable]
        if size == 1:
            return TRUE
        if size == 2 and value == 0:
            return -self._make(Equals(variable, 1))
        return self._make(Equals(variable, value))

    def free(self, name: str) -> Net:
        """Return the net of a free input."""
        return self._make(Free(name))

    def conj(self, nets: Iterable[Net]) -> Net:
        """Return the net of a conjunction."""
        inputs = set(nets)
        inputs.discard(TRUE)
        if FALSE in inputs or any(-net in inputs for net in inputs):
            return FALSE
        inputs = self._fold_values(inputs)
        if FALSE in inputs:
            return FALSE
        if len(inputs) < 2:
            return inputs.pop() if inputs else TRUE
        return self._make(And(tuple(sorted(inputs))))

    def disj(self, nets: Iterable[Net]) -> Net:
        """Return the net of a disjunction."""
        return -self.conj(-net for net in nets)

    def ite(self, test: Net, then: Net, other: Net) -> Net:
        """Return the net of "if `test` then `then`, else `other`"."""
        if then == other:
            return then
        return self.disj((self.conj((test, then)), self.conj((-test, other))))

    def at_least(self, bound: int, weighted: Sequence[tuple[Net, int]]) -> Net:
        """Return the net of "the weights of the true nets add up to `bound`"; weights are positive."""
        order = sorted(weighted, key=lambda pair: -pair[1])
        left = [0] * (len(order) + 1)
        for index in range(len(order) - 1, -1, -1):
            left[index] = left[index + 1] + order[index][1]
        row: dict[int, Net] = {}
        for index in range(len(order), -1, -1):
            above, row = row, {}
            for need in self._needs(bound, order[:index]):
                if need <= 0 or need > left[index]:
                    row[need] = TRUE if need <= 0 else FALSE
                else:
                    net, weight = order[index]
                    row[need] = self.ite(net, above[need - weight], above[need])
        return row[bound]

    @staticmethod
    def _needs(bound: int, before: Sequence[tuple[Net, int]]) -> set[int]:
        """Return what may be missing from `bound` after some of the nets `before` counted."""
        needs = {bound}
        for _, weight in before:
            needs |= {need - weight for need in needs if need > 0}
        return needs

    def _fold_values(self, inputs: set[Net]) -> set[Net]:
        """Use that each variable holds exactly one value."""
        held: dict[int, int] = {}
        refused: dict[int, int] = {}
        for net in inputs:
            gate = self.gates[abs(net)]
            if isinstance(gate, Equals):
                if net < 0:
                    refused[gate.variable] = refused.get(gate.variable, 0) + 1
                elif held.setdefault(gate.variable, gate.value) != gate.value:
                    return {FALSE}
        if any(count == self.sizes[variable] for variable, count in refused.items()):
            return {FALSE}
        if not held or held.keys().isdisjoint(refused):
            return inputs

        def idle(net: Net) -> bool:
            gate = self.gates[abs(net)]
            return net < 0 and isinstance(gate, Equals) and gate.variable in held

        return {net for net in inputs if not idle(net)}

    def _make(self, gate: Gate) -> Net:
        net = self._made.get(gate)
        if net is None:
            net = self._made[gate] = len(self.gates)
            self.gates.append(gate)
        return net

    def cone(self, roots: Iterable[Net]) -> list[Net]:
        """Return the gates that `roots` depend on, constants apart, inputs of a gate before it."""
        waiting = [abs(net) for net in roots]
        seen: set[Net] = set()
        while waiting:
            net = waiting.pop()
            if net not in seen and net != TRUE:
                seen.add(net)
                gate = self.gates[net]
                if isinstance(gate, And):
                    waiting.extend(map(abs, gate.inputs))
        return sorted(seen)

    def copy(self, roots: Sequence[Net], inputs: Mapping[Net, Net]) -> list[Net]:
        """Return `roots` with some inputs replaced by other nets of this circuit."""
        moved: dict[Net, Net] = {TRUE: TRUE}
        for net in self.cone(roots):
            gate = self.gates[net]
            if isinstance(gate, And):
                moved[net] = self.conj(moved[n] if n > 0 else -moved[-n] for n in gate.inputs)
            else:
                moved[net] = inputs.get(net, net)
        return [moved[net] if net > 0 else -moved[-net] for net in roots]
