"""Does the order of what must happen matter? Exactly, by closing every resolution under forced steps."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations, islice

import numpy as np

from checker.engines.budget import Budget, BudgetSpentError
from checker.engines.different import Alike, Key
from checker.engines.explicit.bits import Words, bit_at, rows_of
from checker.engines.explicit.chunk import Chunk
from checker.engines.explicit.graph import FAR, Edges, Graph, collect, flag, forced_graph, number_boards
from checker.engines.explicit.liveness import along
from checker.engines.explicit.moves import Moves
from checker.engines.explicit.stable import StableSets
from checker.engines.explicit.trace import Path, Run
from checker.engines.explicit.watch import options_at
from checker.engines.protocol import NO_RESOLUTION, Answer, Further, Holds, Shown, Violated
from checker.system.model import Goal, Step

GAME = "game"


@dataclass(frozen=True, slots=True)
class Alternative:
    """A forced action on a board: who decides it and which stable boards (a set's number) it can end on."""

    action: int
    deciders: frozenset[str]
    ends: int
    targets: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Fault:
    """Where the rules are silent: on a board, or in a step from it. `depth` is the length of the trace.

    actions: those whose order matters, or the one that is left open.
    """

    depth: int
    board: int
    actions: tuple[int, ...]
    step: Step | None
    culprits: tuple[str, ...]
    note: str


def determinism(goal: Goal, run: Run, budget: Budget) -> Answer:
    """Answer whether resolutions come out one way, and if not, who decides.

    Raises:
        BudgetSpentError: time or memory ran out.

    """
    if not goal.resolution:
        return Holds(NO_RESOLUTION)
    boards = number_boards(run.explored, budget)
    begun = collect(run.rules, boards, lambda moves: moves.lands & _begins(moves, goal), budget)
    graph = forced_graph(run.rules, boards, budget)
    return _Question(goal, run, budget, graph, begun).answer()


class _Question:
    """One question on one board. begun: the steps that begin a resolution; graph: the forced steps."""

    def __init__(self, goal: Goal, run: Run, budget: Budget, graph: Graph, begun: Edges) -> None:
        self.goal, self.run, self.rules, self.budget = goal, run, run.rules, budget
        self.graph, self.begun, self.boards = graph, begun, graph.boards
        everything = np.ones(graph.boards.size, dtype=np.bool_)
        depths = graph.boards.levels[begun.sources] + 1
        self.distances, self.by = graph.reach(begun.targets.astype(np.intp), depths, everything)
        self.inside = self.distances < FAR
        busy = flag(run.rules, graph.boards, lambda chunk: chunk.busy)
        self.stable = StableSets(graph, self.inside, busy)
        self.ordered: dict[str, frozenset[str]] = {}
        self.chosen: dict[str, frozenset[str]] = {}

    def answer(self) -> Answer:
        faults, complete = self._faults()
        if faults:
            first, *others = map(self._shown, faults[: self.budget.limits.games])
            left = len(faults) <= self.budget.limits.games
            further = Further(tuple(others), complete and left) if self.budget.limits.games > 1 else None
            return Violated(first.trace, first.culprits, note=first.note, further=further)
        if not self.begun.sources.size:
            return Holds(NO_RESOLUTION)
        if self.ordered:
            players = sorted({player for deciders in self.ordered.values() for player in deciders})
            actions = ", ".join(sorted(self.ordered))
            return Holds(f"order-dependent, ordered by {', '.join(players)}: {actions}")
        if self.chosen:
            said = (f"{name} ({', '.join(sorted(who))})" for name, who in sorted(self.chosen.items()))
            return Holds(f"functional given choices: {', '.join(said)}")
        return Holds("functional")

    def _faults(self) -> tuple[list[Fault], bool]:
        """Return the nearest of the faults, and whether there are no others that differ; of alike ones there is one.

        If a single one is asked for, nobody asks what is alike.
        """
        wanted, alike = self.budget.limits.games, Alike(self.rules.system)
        near = sorted(self._open_outcomes(), key=_nearness)
        if wanted == 1:
            return sorted([*near, *islice(self._silent_order(), 1)], key=_nearness)[:1], False
        found: dict[Key, Fault] = {}
        for fault in near:
            found.setdefault(alike.actions(*fault.actions), fault)
        opened, complete = len(found), True
        try:
            for fault in self._silent_order():
                found.setdefault(alike.actions(*fault.actions), fault)
                if len(found) - opened >= wanted:
                    complete = False
                    break
        except BudgetSpentError:
            if len(found) == opened:
                raise
            complete = False
        return sorted(found.values(), key=_nearness), complete

    def _open_outcomes(self) -> Iterator[Fault]:
        """Yield steps of resolutions that leave an outcome open, the nearest of each action and chunk."""
        if not self.rules.system.outcomes:
            return
        first = 0
        for chunk in self.rules.chunks(self.boards.packed):
            self.budget.check()
            for moves in self.rules.moves(chunk):
                if moves.undecided is not None:
                    several = moves.undecided if moves.stuck is None else moves.undecided & ~moves.stuck
                    yield from self._nearest(moves, several, first)
            first += chunk.count

    def _nearest(self, moves: Moves, several: Words, first: int) -> Iterator[Fault]:
        """Yield the nearest of the boards of a chunk on which a step has several options, if it is in question."""
        depths = [(self.boards.levels, rows_of(several & _begins(moves, self.goal)))]
        if moves.chunk.busy is not None:
            forced = rows_of(several & moves.chunk.busy)
            depths.append((self.distances, forced[self.inside[forced + first]]))
        for distances, rows in depths:
            if len(rows):
                row = int(rows[np.argmin(distances[rows + first])])
                options = options_at(moves, row)
                note = f"{self._name(moves.action)} leaves open: {' or '.join(options)}"
                depth = int(distances[row + first]) + 1
                yield Fault(depth, row + first, (moves.action,), Step(moves.action), options, note)

    def _silent_order(self) -> Iterator[Fault]:
        """Yield where an order that no player decides matters, nearest first; note what players decide."""
        split = self.stable.split(np.flatnonzero(self.inside))
        split = split[np.argsort(self.distances[split], kind="stable")]
        first = 0
        for chunk in self.rules.chunks(self.boards.packed.take(split, axis=1)):
            for row, board in enumerate(split[first : first + chunk.count].tolist()):
                self.budget.check()
                for pair in combinations(self._alternatives(chunk, row, board), 2):
                    if self._matters(*pair):
                        yield self._fault(board, *pair)
            first += chunk.count

    def _alternatives(self, chunk: Chunk, row: int, board: int) -> list[Alternative]:
        edges = self.graph.out_of(np.array([board])).tolist()
        targets: dict[int, list[int]] = {}
        for edge in edges:
            step = self.graph.edges.steps[self.graph.edges.moves[edge]]
            targets.setdefault(step.action, []).append(int(self.graph.edges.targets[edge]))
        found = []
        for action, after in sorted(targets.items()):
            by = self.rules.system.actions[action].by
            deciders = frozenset(str(p) for p, atom in by if atom is None or bit_at(chunk.values[atom], row))
            ends = self.stable.union(int(self.stable.of[target]) for target in after)
            found.append(Alternative(action, deciders, ends, tuple(after)))
        return found

    def _matters(self, one: Alternative, other: Alternative) -> bool:
        """Tell whether the order of two actions matters and nobody decides it; note it if a player does."""
        if one.ends == other.ends:
            return False
        if one.deciders != other.deciders or GAME in one.deciders:
            return True
        order = self._leaves(one, other) and self._leaves(other, one)
        order = order and self._then(one, other) != self._then(other, one)
        noted = self.ordered if order else self.chosen
        for alternative in (one, other):
            noted[self._name(alternative.action)] = alternative.deciders
        return False

    def _leaves(self, one: Alternative, other: Alternative) -> bool:
        """Tell whether the other action is still to be taken after the first, however that goes."""
        for target in one.targets:
            moves = self.graph.edges.moves[self.graph.out_of(np.array([target]))]
            if not any(self.graph.edges.steps[move].action == other.action for move in moves):
                return False
        return True

    def _then(self, one: Alternative, other: Alternative) -> int:
        """Return what one action and then the other can end on, as a set's number."""
        edges = self.graph.out_of(np.array(one.targets)).tolist()
        steps, moves = self.graph.edges.steps, self.graph.edges.moves
        after = [int(self.graph.edges.targets[e]) for e in edges if steps[moves[e]].action == other.action]
        return self.stable.union(int(self.stable.of[target]) for target in after)

    def _fault(self, board: int, one: Alternative, other: Alternative) -> Fault:
        first, second = self._endings(one, other)
        names = self._name(one.action), self._name(other.action)
        deciders = (", ".join(sorted(a.deciders)) or "nobody" for a in (one, other))
        said = [f"{name} ({who})" for name, who in zip(names, deciders, strict=True)]
        note = f"{said[0]} before {said[1]} {first}; {said[1]} before {said[0]} {second}"
        return Fault(int(self.distances[board]), board, (one.action, other.action), None, names, note)

    def _endings(self, one: Alternative, other: Alternative) -> tuple[str, str]:
        """Say how two stable boards differ that the two alternatives end on."""
        first, second = self.stable.members(one.ends), self.stable.members(other.ends)
        left = min(first - second or first, default=None)
        right = min(second - first or second, default=None)
        if left is None or right is None:
            return ("never ends" if left is None else "ends", "never ends" if right is None else "ends")
        variables = self.rules.system.variables
        states = [self.rules.layout.unpack(self.boards.packed[:, board]) for board in (left, right)]
        different = [i for i in range(len(variables)) if states[0][i] != states[1][i]]
        said = [
            ", ".join(f"{variables[i].name} = {variables[i].domain[state[i]]}" for i in different) for state in states
        ]
        return f"ends with {said[0]}", f"ends with {said[1]}"

    def _name(self, action: int) -> str:
        return str(self.rules.system.actions[action].name)

    def _shown(self, fault: Fault) -> Shown:
        begins_it = fault.step is not None and fault.depth == int(self.boards.levels[fault.board]) + 1
        path = self._path_from_start(fault.board) if begins_it else self._path_through(fault.board)
        if fault.step is not None:
            path = Path(path.boards, (*path.steps, fault.step))
        return Shown(path.trace(self.rules), fault.culprits, fault.note)

    def _path_from_start(self, board: int) -> Path:
        level = int(self.boards.levels[board])
        return self.run.path_to(level, self.boards.packed[:, board])

    def _path_through(self, board: int) -> Path:
        """Return a shortest path that begins a resolution and then takes forced steps to a board."""
        edges: list[int] = []
        while self.by[board] >= 0:
            edges.append(int(self.by[board]))
            board = int(self.graph.edges.sources[edges[-1]])
        depths = self.boards.levels[self.begun.sources] + 1
        start = int(np.flatnonzero((self.begun.targets == board) & (depths == self.distances[board]))[0])
        step = self.begun.steps[self.begun.moves[start]]
        path = self._path_from_start(int(self.begun.sources[start]))
        return along(self.graph, path.then(step, self.boards.packed[:, board]), edges[::-1])


def _nearness(fault: Fault) -> tuple[int, int]:
    return fault.depth, fault.board


def _begins(moves: Moves, goal: Goal) -> Words:
    """Return where a step begins a resolution."""
    begins: Words = np.bitwise_or.reduce([moves.values[atom] for atom in goal.resolution])
    return begins & moves.taken
