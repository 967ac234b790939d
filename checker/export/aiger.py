"""AIGER 1.9: a machine as latches and and-gates, as text (`aag`) or binary (`aig`).

A variable is a latch for each bit of its value's index, lowest first, in the order of the variables; then
`broken`, and `started` where there is one. A code beyond the domain stands for the last value.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from checker.engines.smt.circuit import And, Equals, Net
from checker.export.machine import Machine

FALSE, TRUE = 0, 1


@dataclass
class _Gates:
    """And-gates over literals, equal ones made once. `first` is the variable of the first gate."""

    first: int
    made: dict[tuple[int, int], int] = field(default_factory=dict)

    def both(self, a: int, b: int) -> int:
        """Return the literal of a conjunction."""
        high, low = max(a, b), min(a, b)
        if low == FALSE or high == low ^ 1:
            return FALSE
        if low == TRUE or high == low:
            return high
        return self.made.setdefault((high, low), 2 * (self.first + len(self.made)))

    def every(self, literals: Iterable[int]) -> int:
        """Return the literal of a conjunction of many, as a balanced tree."""
        row = sorted(set(literals))
        while len(row) > 1:
            pairs = [self.both(a, b) for a, b in zip(row[::2], row[1::2], strict=False)]
            row = pairs + row[2 * len(pairs) :]
        return row[0] if row else TRUE

    def some(self, literals: Iterable[int]) -> int:
        """Return the literal of a disjunction."""
        return self.every(literal ^ 1 for literal in literals) ^ 1


@dataclass(frozen=True, slots=True)
class Latch:
    """A latch: its name, its literal, its value at the start (None for any), and the literal of its next value."""

    name: str
    literal: int
    reset: bool | None
    after: int


@dataclass(frozen=True, slots=True)
class Aiger:
    """An and-inverter graph. gates: literals (output, higher input, lower input), in order."""

    inputs: tuple[str, ...]
    latches: tuple[Latch, ...]
    bad: tuple[tuple[str, int], ...]
    gates: tuple[tuple[int, int, int], ...]
    comment: str

    def text(self) -> str:
        """Return the ASCII format."""
        lines = [self._head("aag")]
        lines += [str(2 * number) for number in range(1, len(self.inputs) + 1)]
        lines += [f"{latch.literal} {self._latch(latch)}" for latch in self.latches]
        lines += [str(literal) for _, literal in self.bad]
        lines += [f"{out} {high} {low}" for out, high, low in self.gates]
        return "\n".join([*lines, self._symbols()])

    def binary(self) -> bytes:
        """Return the binary format."""
        lines = [self._head("aig"), *map(self._latch, self.latches), *(str(literal) for _, literal in self.bad)]
        gates = b"".join(_delta(out - high) + _delta(high - low) for out, high, low in self.gates)
        return "\n".join(lines).encode() + b"\n" + gates + self._symbols().encode()

    def _head(self, form: str) -> str:
        last = len(self.inputs) + len(self.latches) + len(self.gates)
        return f"{form} {last} {len(self.inputs)} {len(self.latches)} 0 {len(self.gates)} {len(self.bad)}"

    @staticmethod
    def _latch(latch: Latch) -> str:
        reset = latch.literal if latch.reset is None else int(latch.reset)
        return f"{latch.after} {reset}" if reset else str(latch.after)

    def _symbols(self) -> str:
        names = [f"i{n} {name}" for n, name in enumerate(self.inputs)]
        names += [f"l{n} {latch.name}" for n, latch in enumerate(self.latches)]
        names += [f"b{n} {name}" for n, (name, _) in enumerate(self.bad)]
        return "\n".join([*names, "c", self.comment, ""])


def _delta(number: int) -> bytes:
    """Return a number in groups of seven bits, lowest first, all but the last marked."""
    found = bytearray()
    while number > 127:
        found.append(number & 127 | 128)
        number >>= 7
    return bytes((*found, number))


def to_aiger(machine: Machine, comment: str) -> Aiger:
    """Write a machine as an and-inverter graph; its bad states are the goals, in order."""
    return _Writer(machine).write(comment)


class _Writer:
    """Turns nets into literals."""

    def __init__(self, machine: Machine) -> None:
        self.machine = machine
        self.inputs = machine.inputs
        number = len(self.inputs) + 1
        self.bits: list[tuple[int, ...]] = []
        for variable in machine.system.variables:
            self.bits.append(tuple(2 * (number + bit) for bit in range(variable.bits)))
            number += variable.bits
        self.flags = [net for net in (machine.broken, machine.started) if net is not None]
        self.literals: dict[Net, int] = {1: TRUE}
        self.literals |= {net: 2 * index for index, net in enumerate(self.inputs, start=1)}
        self.literals |= {net: 2 * index for index, net in enumerate(self.flags, start=number)}
        self.gates = _Gates(number + len(self.flags))

    def write(self, comment: str) -> Aiger:
        machine = self.machine
        for net in machine.circuit.cone(machine.roots):
            self._gate(net)
        latches = [latch for index in range(len(self.bits)) for latch in self._latches(index)]
        latches.append(Latch("broken", self._literal(machine.broken), False, self._literal(machine.next_broken)))
        if machine.started is not None:
            latches.append(Latch("started", self._literal(machine.started), False, TRUE))
        bad = tuple((goal.name, self._literal(net)) for goal, net in zip(machine.goals, machine.bad, strict=True))
        gates = tuple((out, high, low) for (high, low), out in self.gates.made.items())
        return Aiger(tuple(map(machine.name, self.inputs)), tuple(latches), bad, gates, comment)

    def _literal(self, net: Net) -> int:
        return self.literals[abs(net)] ^ (net < 0)

    def _gate(self, net: Net) -> None:
        match self.machine.circuit.gates[net]:
            case And(inputs):
                self.literals[net] = self.gates.every(map(self._literal, inputs))
            case Equals(variable, value):
                self.literals[net] = self._equals(variable, value)

    def _equals(self, variable: int, value: int) -> int:
        """Return "the variable holds the value"; the last value is what no other is."""
        last = self.machine.circuit.sizes[variable] - 1
        if value == last:
            return self.gates.every(self._code(variable, other) ^ 1 for other in range(last))
        return self._code(variable, value)

    def _code(self, variable: int, value: int) -> int:
        return self.gates.every(bit ^ (not value >> place & 1) for place, bit in enumerate(self.bits[variable]))

    def _latches(self, index: int) -> Iterable[Latch]:
        """Yield the bits of a variable: what the step sets, else what they were."""
        variable, ways = self.machine.system.variables[index], self.machine.sets[index]
        stays = self.gates.every(self._literal(net) ^ 1 for _, net in ways)
        for place, bit in enumerate(self.bits[index]):
            given = [self._literal(net) for value, net in ways if value >> place & 1]
            after = self.gates.some((*given, self.gates.both(stays, bit)))
            reset = bool(variable.initial[0] >> place & 1) if len(variable.initial) == 1 else None
            yield Latch(f"{variable.name}[{place}]", bit, reset, after)
