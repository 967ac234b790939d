"""Random games, thousands at once: each net is an integer with one bit per game."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random

from checker.engines.smt.circuit import FALSE, TRUE, And, Circuit, Equals, Net
from checker.engines.smt.steps import Rules, StepNets


class Walks:
    """Many games side by side, all started at random initial boards.

    `held[v][i]` has a bit for each game whose variable v holds its value number i. A seed makes the games
    the same every time.
    """

    def __init__(self, rules: Rules, games: int, seed: int = 0) -> None:
        self.rules = rules
        self.games = games
        self.all = (1 << games) - 1
        self._random = Random(seed)
        sizes = rules.circuit.sizes
        self.held = [[0] * size for size in sizes]
        for row, variable in zip(self.held, rules.system.variables, strict=True):
            self._spread(row, variable.initial, self.all)
        roots = [n for s in rules.steps for n in (s.guard, s.ways, s.goes_on)]
        roots += [net for s in rules.steps for ways in s.sets.values() for net in ways.values()]
        self._cone = rules.circuit.cone(roots)

    def evaluate(self, nets: Sequence[Net]) -> list[int]:
        """Return, for each net that reads the board alone, the games in which it holds now."""
        values = self._values(self.rules.circuit.cone(nets), {})
        return [self._net(values, net) for net in nets]

    def step(self) -> None:
        """Take one random step in every game that has one, with random choices of open outcomes."""
        choices = {net: self._random.getrandbits(self.games) for net in self.rules.choices.values()}
        values = self._values(self._cone, choices)
        waiting = self.all
        steps = list(self.rules.steps)
        self._random.shuffle(steps)
        before = [list(row) for row in self.held]
        for lazy in (True, False):
            for step in steps:
                parts = (step.guard, step.ways, step.goes_on)
                takes = waiting
                for net in parts:
                    takes &= self._net(values, net)
                if lazy:
                    takes &= self._random.getrandbits(self.games) & self._random.getrandbits(self.games)
                if takes:
                    waiting &= ~takes
                    self._apply(step, takes, values, before)

    def _apply(self, step: StepNets, takes: int, values: Mapping[Net, int], before: Sequence[Sequence[int]]) -> None:
        for variable, ways in step.sets.items():
            row = self.held[variable]
            to = {value: self._net(values, net) & takes for value, net in ways.items()}
            changed = 0
            for games in to.values():
                changed |= games
            for value, games in enumerate(before[variable]):
                row[value] = row[value] & ~takes | games & takes & ~changed | to.get(value, 0)

    def _spread(self, row: list[int], values: Sequence[int], games: int) -> None:
        """Give each of `games` one of `values`."""
        for value in values[:-1]:
            part = games & self._random.getrandbits(self.games)
            row[value] |= part
            games &= ~part
        row[values[-1]] |= games

    def _values(self, cone: Sequence[Net], choices: Mapping[Net, int]) -> dict[Net, int]:
        circuit: Circuit = self.rules.circuit
        values = {TRUE: self.all}
        for net in cone:
            match circuit.gates[net]:
                case And(inputs):
                    games = self.all
                    for part in inputs:
                        games &= self._net(values, part)
                case Equals(variable, value):
                    games = self.held[variable][value]
                case _:
                    games = choices.get(net, 0)
            values[net] = games
        return values

    def _net(self, values: Mapping[Net, int], net: Net) -> int:
        if net == FALSE:
            return 0
        return values[net] if net > 0 else self.all & ~values[-net]


def exclusions(rules: Rules, games: int = 512, steps: int = 64) -> list[tuple[Net, Net]]:
    """Return the pairs of nets "a variable holds a value" that no board of some random games shows together.

    A pair of one net with itself says that the variable never holds the value.
    """
    circuit = rules.circuit
    nets = [
        circuit.equals(variable, value)
        for variable, size in enumerate(circuit.sizes)
        if size > 1
        for value in range(size)
    ]
    walks = Walks(rules, games)
    seen = [0] * len(nets)
    for step in range(steps):
        shift = step * games
        for index, held in enumerate(walks.evaluate(nets)):
            seen[index] |= held << shift
        walks.step()
    never = [net for net, games_seen in zip(nets, seen, strict=True) if not games_seen]
    pairs = [
        (net, other)
        for index, net in enumerate(nets)
        if seen[index]
        for place, other in enumerate(nets[:index])
        if seen[place] and not seen[index] & seen[place] and circuit.conj((net, other)) != FALSE
    ]
    return [(net, net) for net in never] + pairs
