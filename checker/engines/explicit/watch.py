"""What to look at while searching: each watch is an observer that answers one property at the end."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from checker.engines.explicit.bits import Words, bit_at, constant, rows_of
from checker.engines.explicit.bits import count as bits_set
from checker.engines.explicit.chunk import Chunk
from checker.engines.explicit.explore import Explored
from checker.engines.explicit.moves import Moves
from checker.engines.protocol import Answer, Holds, Unknown, Violated
from checker.system.model import Atom, Effect, Goal, RuleSource, Step, Trace, TransitionSystem

ToTrace: TypeAlias = Callable[["Finding"], Trace]
"""Rebuilds the shortest game to what was found."""


@dataclass(frozen=True, slots=True)
class Finding:
    """Something seen after `depth` steps.

    board: the packed board it was seen on, of level `level`; step: the step from it in which it was seen, which
    then is the last of the `depth` steps.
    """

    level: int
    board: Words
    step: Step | None = None
    culprits: tuple[str, ...] = ()

    @property
    def depth(self) -> int:
        """The number of steps to it."""
        return self.level + (self.step is not None)


def everywhere(explored: Explored) -> str:
    """Say that all boards were looked at."""
    return f"all {explored.states:,} reachable boards"


def missing(explored: Explored) -> Unknown:
    """Say why nothing can be said."""
    return Unknown(explored.stopped or "", len(explored.levels) - 1)


class Watch:
    """Keeps the first thing found at the least depth."""

    def __init__(self, goal: Goal) -> None:
        self.goal = goal
        self.first: Finding | None = None

    def on_chunk(self, chunk: Chunk, depth: int) -> None:
        """Look at boards."""

    def on_moves(self, moves: Moves, depth: int) -> None:
        """Look at steps."""

    def answer(self, explored: Explored, to_trace: ToTrace) -> Answer:
        """Answer the property after the search."""
        raise NotImplementedError

    def sooner(self, depth: int) -> bool:
        """Tell whether something after `depth` steps would be the first."""
        return self.first is None or depth < self.first.depth


class AtomWatch(Watch):
    """Watches for boards and steps on which one of some atoms holds."""

    def __init__(self, goal: Goal, atoms: Mapping[Atom, str | None], step_atoms: frozenset[Atom]) -> None:
        super().__init__(goal)
        self.said = dict(atoms)
        self.on_board = [atom for atom in atoms if atom not in step_atoms]
        self.on_step = frozenset(atoms) & step_atoms
        self.boards = 0

    def on_chunk(self, chunk: Chunk, depth: int) -> None:
        """Count the boards on which an atom holds, and keep the first."""
        if not self.on_board:
            return
        seen = np.bitwise_or.reduce([chunk.values[atom] for atom in self.on_board]) & chunk.valid
        if not seen.any():
            return
        self.boards += bits_set(seen)
        if self.sooner(depth):
            row = int(rows_of(seen)[0])
            true = (self.said[a] for a in self.on_board if bit_at(chunk.values[a], row))
            self.first = Finding(depth, chunk.boards[:, row], None, _named(true))

    def on_moves(self, moves: Moves, depth: int) -> None:
        """Keep the first step in which an atom holds."""
        atoms = [atom for atom in self.said if atom in self.on_step and atom in moves.variant.goals]
        if not atoms or not self.sooner(depth + 1):
            return
        seen = np.bitwise_or.reduce([moves.values[atom] for atom in atoms]) & moves.taken
        if seen.any():
            row = int(rows_of(seen)[0])
            true = (self.said[a] for a in atoms if bit_at(moves.values[a], row))
            self.first = found_in(moves, row, depth, _named(true))


class ViolatedWatch(AtomWatch):
    """An invariant or step property."""

    def answer(self, explored: Explored, to_trace: ToTrace) -> Answer:
        """Violated by the first atom seen."""
        if self.first is not None:
            breaking = self.boards if explored.stopped is None and not self.on_step else None
            return Violated(to_trace(self.first), self.first.culprits, breaking=breaking)
        return Holds(everywhere(explored)) if explored.stopped is None else missing(explored)


class ReachedWatch(AtomWatch):
    """A board or step that must be reachable."""

    def answer(self, explored: Explored, to_trace: ToTrace) -> Answer:
        """Holds with the first witness."""
        if self.first is not None:
            return Holds("a shortest game reaches it", to_trace(self.first))
        return Violated(None, note=f"not on {everywhere(explored)}") if explored.stopped is None else missing(explored)


class ClashWatch(Watch):
    """No step sets one variable to two values."""

    def __init__(self, goal: Goal, system: TransitionSystem) -> None:
        super().__init__(goal)
        self.system = system

    def on_moves(self, moves: Moves, depth: int) -> None:
        """Keep the first clash."""
        if moves.clash is None or not self.sooner(depth + 1):
            return
        row = int(rows_of(moves.clash)[0])
        for change in moves.variant.contested:
            variable = self.system.variables[change.variable]
            codes = [c for c, atoms in change.codes if any(bit_at(moves.values[a], row) for a in atoms)]
            if len(codes) > 1:
                said = (str(variable.name), *(str(variable.domain[code]) for code in codes))
                self.first = found_in(moves, row, depth, said)
                return

    def answer(self, explored: Explored, to_trace: ToTrace) -> Answer:
        """Violated by the first clash: the variable, then its values."""
        if self.first is not None:
            return Violated(to_trace(self.first), self.first.culprits)
        return Holds(everywhere(explored)) if explored.stopped is None else missing(explored)


class UndecidedWatch(ClashWatch):
    """No step leaves an outcome open: two or more options, or none."""

    def on_moves(self, moves: Moves, depth: int) -> None:
        """Keep the first open outcome."""
        for seen in (moves.stuck, moves.undecided):
            if seen is not None and self.sooner(depth + 1):
                row = int(rows_of(seen)[0])
                said = tuple(sorted(str(effect) for effect in options_at(moves, row)))
                step = Step(moves.action)
                self.first = Finding(depth, moves.chunk.boards[:, row], step, said)


class ActionsWatch(Watch):
    """Every action is possible on some board."""

    def __init__(self, goal: Goal, system: TransitionSystem) -> None:
        super().__init__(goal)
        self.names = {index: str(action.name) for index, action in enumerate(system.actions)}

    def on_moves(self, moves: Moves, depth: int) -> None:
        """Strike off the action."""
        self.names.pop(moves.action, None)

    def answer(self, explored: Explored, to_trace: ToTrace) -> Answer:
        """Violated by the actions left."""
        if not self.names:
            return Holds("every action is taken on a reachable board")
        if explored.stopped is not None:
            return missing(explored)
        return Violated(None, tuple(self.names.values()))


class RulesWatch(Watch):
    """Every rule of the rulebook fires on some board or in some step."""

    def __init__(self, goal: Goal, system: TransitionSystem, step_atoms: frozenset[Atom]) -> None:
        super().__init__(goal)
        self.fired = system.fired
        self.step_atoms = step_atoms
        self.left = {source.id: source for source in system.sources}
        self.atoms = dict(system.fired)

    def on_chunk(self, chunk: Chunk, depth: int) -> None:
        """Strike off the rules that fire on a board."""
        board = [atom for atom in self.atoms if atom not in self.step_atoms]
        self._strike(atom for atom in board if (chunk.values[atom] & chunk.valid).any())

    def on_moves(self, moves: Moves, depth: int) -> None:
        """Strike off the rules that fire in a step."""
        step = [atom for atom in self.atoms if atom in moves.variant.goals]
        self._strike(atom for atom in step if (moves.values[atom] & moves.taken).any())

    def _strike(self, atoms: Iterable[Atom]) -> None:
        fired = {self.fired[atom] for atom in atoms}
        if fired:
            self.left = {i: source for i, source in self.left.items() if i not in fired}
            self.atoms = {a: rule for a, rule in self.atoms.items() if rule not in fired}

    def answer(self, explored: Explored, to_trace: ToTrace) -> Answer:
        """Violated by the rules left."""
        if not self.left:
            return Holds("every rule fires on a reachable board")
        if explored.stopped is not None:
            return missing(explored)
        return Violated(None, tuple(place(source) for source in self.left.values()))


def place(source: RuleSource) -> str:
    """Say where a rule stands and which clauses it means."""
    return f"{source.file}:{source.line} {', '.join(source.clauses)}".rstrip()


def found_in(moves: Moves, row: int, depth: int, culprits: tuple[str, ...]) -> Finding:
    """Return the finding of a step from one board of a chunk."""
    return Finding(depth, moves.chunk.boards[:, row], Step(moves.action, moves.variant.chosen), culprits)


def options_at(moves: Moves, row: int) -> list[Effect]:
    raise NotImplementedError


def _named(culprits: Iterable[str | None]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(name for name in culprits if name is not None))
