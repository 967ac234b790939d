"""Simulators of AIGER text and of BTOR2, written from the formats alone, and a search over what they simulate."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Protocol, TypeAlias

Values: TypeAlias = tuple[int, ...]


class Model(Protocol):
    """A model: the widths of its inputs, its initial states, and what follows from a state and inputs."""

    widths: Values

    def starts(self) -> Iterator[Values]:
        """Yield every initial state."""
        ...

    def step(self, state: Values, inputs: Values) -> tuple[Values, tuple[bool, ...]]:
        """Return the next state, and which bad properties hold now."""
        ...


class Aag:
    """A model in the ASCII format of AIGER 1.9."""

    def __init__(self, text: str) -> None:
        lines = text.split("\nc\n")[0].splitlines()
        kind, last, inputs, latches, outputs, gates, bad = lines[0].split()
        assert (kind, int(outputs)) == ("aag", 0)
        assert int(last) == int(inputs) + int(latches) + int(gates)
        rows = [[int(word) for word in line.split()] for line in lines[1 : 1 + int(last) + int(bad)]]
        self.inputs = [row[0] for row in rows[: int(inputs)]]
        self.latches = rows[int(inputs) : int(inputs) + int(latches)]
        rest = rows[int(inputs) + int(latches) :]
        self.bad = [row[0] for row in rest[: int(bad)]]
        self.gates = rest[int(bad) :]
        self.widths: Values = (1,) * len(self.inputs)

    def starts(self) -> Iterator[Values]:
        """Yield every initial state."""
        resets = [(row[2:] or [0])[0] for row in self.latches]
        ways = [(0, 1) if reset == row[0] else (reset,) for row, reset in zip(self.latches, resets, strict=True)]
        yield from product(*ways)

    def step(self, state: Values, inputs: Values) -> tuple[Values, tuple[bool, ...]]:
        """Return the next state, and which bad properties hold now."""
        value = {0: 0, 1: 1}

        def give(literal: int, bit: int) -> None:
            value[literal], value[literal ^ 1] = bit, 1 - bit

        for literal, bit in zip(self.inputs, inputs, strict=True):
            give(literal, bit)
        for row, bit in zip(self.latches, state, strict=True):
            give(row[0], bit)
        for out, high, low in self.gates:
            assert out > high >= low, "gates are in order, as the binary format wants them"
            give(out, value[high] & value[low])
        return tuple(value[row[1]] for row in self.latches), tuple(value[bad] == 1 for bad in self.bad)


class Btor2:
    """A model in the part of BTOR2 that is written."""

    def __init__(self, text: str) -> None:
        self.lines: dict[int, list[str]] = {}
        for line in text.splitlines():
            words = line.split()
            if words[0] != ";":
                self.lines[int(words[0])] = words[1:]
        self.sort = {n: int(w[2]) for n, w in self.lines.items() if w[0] == "sort"}
        self.inputs = [n for n, w in self.lines.items() if w[0] == "input"]
        self.states = [n for n, w in self.lines.items() if w[0] == "state"]
        self.init = {int(w[2]): int(w[3]) for w in self.lines.values() if w[0] == "init"}
        self.next = {int(w[2]): int(w[3]) for w in self.lines.values() if w[0] == "next"}
        self.bad = [int(w[1]) for w in self.lines.values() if w[0] == "bad"]
        self.widths: Values = tuple(self._width(n) for n in self.inputs)

    def _width(self, number: int) -> int:
        return self.sort[int(self.lines[abs(number)][1])]

    def starts(self) -> Iterator[Values]:
        """Yield every initial state."""
        ways = [[self._value(self.init[n], {})] if n in self.init else range(1 << self._width(n)) for n in self.states]
        yield from product(*ways)

    def step(self, state: Values, inputs: Values) -> tuple[Values, tuple[bool, ...]]:
        """Return the next state, and which bad properties hold now."""
        known = dict(zip((*self.states, *self.inputs), (*state, *inputs), strict=True))
        bad = tuple(self._value(n, known) == 1 for n in self.bad)
        return tuple(self._value(self.next[n], known) for n in self.states), bad

    def _value(self, number: int, known: dict[int, int]) -> int:
        if number < 0:
            return self._value(-number, known) ^ (1 << self._width(number)) - 1
        if number not in known:
            assert number in self.lines
            kind, *words = self.lines[number]
            given = [int(word) for word in words]
            match kind:
                case "one" | "zero":
                    known[number] = int(kind == "one")
                case "constd":
                    known[number] = given[1]
                case "and":
                    known[number] = self._value(given[1], known) & self._value(given[2], known)
                case "eq":
                    known[number] = int(self._value(given[1], known) == self._value(given[2], known))
                case "ugte":
                    known[number] = int(self._value(given[1], known) >= self._value(given[2], known))
                case "ite":
                    known[number] = self._value(given[2 if self._value(given[1], known) else 3], known)
                case _:
                    raise AssertionError(kind)
            assert known[number] < 1 << self._width(number)
        return known[number]


@dataclass(frozen=True, slots=True)
class Found:
    """A shortest run to a bad property: its initial state, and the inputs of each frame."""

    start: Values
    frames: tuple[Values, ...]


def search(model: Model) -> Mapping[int, Found]:
    """Look at every reachable state; return a shortest run for each bad property that is reached."""
    layer: dict[Values, Found] = {state: Found(state, ()) for state in model.starts()}
    seen, found = set(layer), dict[int, Found]()
    ways: Sequence[Values] = list(product(*(range(1 << width) for width in model.widths)))
    while layer:
        after: dict[Values, Found] = {}
        for state, run in layer.items():
            for inputs in ways:
                following, bad = model.step(state, inputs)
                longer = Found(run.start, (*run.frames, inputs))
                for number in (n for n, holds in enumerate(bad) if holds):
                    found.setdefault(number, longer)
                if following not in seen:
                    seen.add(following)
                    after[following] = longer
        layer = after
    return found
