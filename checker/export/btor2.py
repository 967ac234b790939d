"""BTOR2: a machine over bit-vectors, one for each variable that has two values or more.

Inputs and states are declared in the order of `Machine.inputs` and of the variables; a state that may begin with
several values has no `init`, and `started` tells the first board from the others.
"""

from __future__ import annotations

from collections.abc import Iterable

from checker.engines.smt.circuit import TRUE, And, Equals, Net
from checker.export.machine import Machine


def to_btor2(machine: Machine, comment: str) -> str:
    """Write a machine as BTOR2 text; its bad properties are the goals, in order."""
    return _Writer(machine).write(comment)


def state_variables(machine: Machine) -> list[int]:
    """Return the variables that are states: those with more than one value."""
    return [index for index, size in enumerate(machine.circuit.sizes) if size > 1]


class _Writer:
    """Numbers the lines of the file, equal constants and sorts made once."""

    def __init__(self, machine: Machine) -> None:
        self.machine = machine
        self.lines: list[str] = []
        self.known: dict[str, int] = {}
        self.nets: dict[Net, int] = {}
        self.states: dict[int, int] = {}

    def write(self, comment: str) -> str:
        machine, bit = self.machine, self._sort(1)
        self.nets[TRUE] = self._once(f"one {bit}")
        for net in machine.inputs:
            self.nets[net] = self._line(f"input {bit} {machine.name(net).replace(' ', '_')}")
        self._declare()
        for net in machine.circuit.cone(machine.roots):
            self._gate(net)
        for index in self.states:
            self._next(index)
        self._line(f"next {bit} {self.nets[machine.broken]} {self._net(machine.next_broken)}")
        if machine.started is not None:
            self._line(f"next {bit} {self.nets[machine.started]} {self.nets[TRUE]}")
        for goal, net in zip(machine.goals, machine.bad, strict=True):
            self._line(f"bad {self._net(net)} {goal.name}")
        return "\n".join([f"; {comment}", *self.lines, ""])

    def _declare(self) -> None:
        """Declare the states with what they hold at the start."""
        machine = self.machine
        for index in state_variables(machine):
            variable = machine.system.variables[index]
            sort = self._sort(variable.bits)
            self.states[index] = self._line(f"state {sort} {str(variable.name).replace(' ', '_')}")
            if len(variable.initial) == 1:
                start = self._once(f"constd {sort} {variable.initial[0]}")
                self._line(f"init {sort} {self.states[index]} {start}")
        for net, name in ((machine.broken, "broken"), (machine.started, "started")):
            if net is not None:
                self.nets[net] = self._line(f"state {self._sort(1)} {name}")
                self._line(f"init {self._sort(1)} {self.nets[net]} {self._once(f'zero {self._sort(1)}')}")

    def _gate(self, net: Net) -> None:
        match self.machine.circuit.gates[net]:
            case And(inputs):
                self.nets[net] = self._every(map(self._net, inputs))
            case Equals(variable, value):
                size = self.machine.circuit.sizes[variable]
                code = self._once(f"constd {self._sort((size - 1).bit_length())} {value}")
                how = "ugte" if value == size - 1 else "eq"
                self.nets[net] = self._once(f"{how} {self._sort(1)} {self.states[variable]} {code}")

    def _next(self, index: int) -> None:
        """Give a variable what the step sets, else what it held."""
        sort = self._sort(self.machine.system.variables[index].bits)
        after = self.states[index]
        for value, net in self.machine.sets[index]:
            code = self._once(f"constd {sort} {value}")
            after = self._line(f"ite {sort} {self._net(net)} {code} {after}")
        self._line(f"next {sort} {self.states[index]} {after}")

    def _net(self, net: Net) -> int:
        """Return the number of a net's line; minus it for the negation."""
        return self.nets[abs(net)] * (1 if net > 0 else -1)

    def _every(self, numbers: Iterable[int]) -> int:
        row = list(numbers)
        while len(row) > 1:
            pairs = [self._once(f"and {self._sort(1)} {a} {b}") for a, b in zip(row[::2], row[1::2], strict=False)]
            row = pairs + row[2 * len(pairs) :]
        return row[0]

    def _sort(self, width: int) -> int:
        return self._once(f"sort bitvec {width}")

    def _once(self, text: str) -> int:
        if text not in self.known:
            self.known[text] = self._line(text)
        return self.known[text]

    def _line(self, text: str) -> int:
        self.lines.append(f"{len(self.lines) + 1} {text}")
        return len(self.lines)
