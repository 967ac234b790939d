"""The state graph of a board small enough to hold every step: for lassos, orders, and drawings."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from checker.engines.budget import Budget
from checker.engines.explicit.bits import Flags, Rows, Words, rows_of
from checker.engines.explicit.chunk import Chunk
from checker.engines.explicit.explore import Explored
from checker.engines.explicit.moves import Moves
from checker.engines.explicit.rules import Rules
from checker.engines.explicit.table import Table
from checker.system.model import Step

Numbers: TypeAlias = npt.NDArray[np.int32]
"""Numbers of boards, steps or edges."""

FAR = np.iinfo(np.int32).max
"""The distance of a board that is not reached."""


@dataclass(frozen=True)
class Boards:
    """All reachable boards, numbered in the order of the search.

    packed: shape (words, n). starts: the number of the first board of each level, then n.
    """

    packed: Words
    starts: Rows
    table: Table
    at_slot: Numbers

    @property
    def size(self) -> int:
        """How many boards there are."""
        return int(self.packed.shape[1])

    @cached_property
    def levels(self) -> Numbers:
        """The level of each board, 0 for the initial ones."""
        sizes = np.diff(self.starts)
        return np.repeat(np.arange(len(sizes), dtype=np.int32), sizes)

    def numbers(self, boards: Words) -> Numbers:
        """Return the numbers of reachable boards, shape (words, n)."""
        return self.at_slot[self.table.find(boards)]


@dataclass(frozen=True)
class Edges:
    """Steps between boards: for each its source and target, and which of `steps` it takes."""

    sources: Numbers
    targets: Numbers
    moves: Numbers
    steps: tuple[Step, ...]


@dataclass(frozen=True)
class Graph:
    """Edges sorted by source: those of board i are offsets[i] .. offsets[i+1]-1."""

    boards: Boards
    offsets: Rows
    edges: Edges

    @cached_property
    def into(self) -> tuple[Rows, Rows]:
        """The edges sorted by target: offsets per board, and edge numbers."""
        order = np.argsort(self.edges.targets, kind="stable")
        return _offsets(self.edges.targets, self.boards.size), order

    def out_of(self, boards: Rows) -> Rows:
        """Return the edges that leave the given boards."""
        return _ranges(self.offsets, boards)

    def leading_to(self, boards: Rows) -> Rows:
        """Return the edges that enter the given boards."""
        offsets, order = self.into
        return order[_ranges(offsets, boards)]

    def reach(self, starts: Rows, distances: Numbers, inside: Flags) -> tuple[Numbers, Rows]:
        """Search breadth first from several boards, each with a distance to begin with.

        Returns:
            For each board its distance (FAR if not reached), and the edge it was reached by (-1 at a start).

        """
        found = np.full(self.boards.size, FAR, dtype=np.int32)
        by = np.full(self.boards.size, -1, dtype=np.intp)
        np.minimum.at(found, starts, distances)
        waiting = np.unique(found[starts]).tolist()
        fresh = starts[:0]
        distance = 0
        while len(fresh) or waiting:
            if waiting and (not len(fresh) or waiting[0] == distance):
                distance = waiting.pop(0)
                fresh = np.union1d(fresh, starts[found[starts] == distance])
            edges = self.out_of(fresh)
            targets = self.edges.targets[edges]
            closer = inside[targets] & (found[targets] > distance + 1)
            targets, first = np.unique(targets[closer], return_index=True)
            found[targets] = distance + 1
            by[targets] = edges[closer][first]
            fresh = targets.astype(np.intp)
            distance += 1
        return found, by


def number_boards(explored: Explored, budget: Budget) -> Boards:
    """Number the boards that a complete search found.

    Raises:
        BudgetSpentError: there is not enough memory.

    """
    budget.check(8 * explored.states * len(explored.levels[0]) + 4 * explored.table.slots)
    packed = np.concatenate(explored.levels, axis=1)
    starts = np.cumsum([0, *(level.shape[1] for level in explored.levels)])
    at_slot = np.zeros(explored.table.slots, dtype=np.int32)
    at_slot[explored.table.find(packed)] = np.arange(packed.shape[1], dtype=np.int32)
    return Boards(packed, starts, explored.table, at_slot)


def collect(rules: Rules, boards: Boards, select: Callable[[Moves], Words | None], budget: Budget) -> Edges:
    """Return the steps from those boards that `select` picks; each must have a next board.

    Raises:
        BudgetSpentError: time or memory ran out.

    """
    steps: dict[Step, int] = {}
    parts: list[tuple[Rows, Numbers, int]] = []
    for first, chunk in _chunks(rules, boards):
        budget.check()
        for moves in rules.moves(chunk):
            picked = select(moves)
            if picked is None or not picked.any():
                continue
            rows = rows_of(picked)
            move = steps.setdefault(Step(moves.action, moves.variant.chosen), len(steps))
            parts.append((rows + first, boards.numbers(moves.next_boards(rows)), move))
    sources = _joined([sources for sources, _, _ in parts])
    targets = _joined([targets for _, targets, _ in parts])
    moves_taken = _joined([np.full(len(rows), move, dtype=np.int32) for rows, _, move in parts])
    return Edges(sources, targets, moves_taken, tuple(steps))


def graph_of(boards: Boards, edges: Edges) -> Graph:
    """Sort edges into a graph."""
    order = np.argsort(edges.sources, kind="stable")
    ordered = Edges(edges.sources[order], edges.targets[order], edges.moves[order], edges.steps)
    return Graph(boards, _offsets(edges.sources, boards.size), ordered)


def state_graph(rules: Rules, explored: Explored, budget: Budget) -> Graph:
    """Return the graph of all boards and steps of a complete search.

    Raises:
        BudgetSpentError: time or memory ran out.

    """
    boards = number_boards(explored, budget)
    return graph_of(boards, collect(rules, boards, lambda moves: moves.lands, budget))


def forced_graph(rules: Rules, boards: Boards, budget: Budget) -> Graph:
    """Return the graph of all boards and the forced steps between them.

    Raises:
        BudgetSpentError: time or memory ran out.

    """
    return graph_of(boards, collect(rules, boards, forced_moves, budget))


def forced_moves(moves: Moves) -> Words | None:
    """Pick the boards on which a step is forced; where anything is forced, every step is."""
    return None if moves.chunk.busy is None else moves.lands & moves.chunk.busy


def flag(rules: Rules, boards: Boards, look: Callable[[Chunk], Words | None]) -> Flags:
    """Return for each board whether `look` sees it."""
    flags = np.zeros(boards.size, dtype=np.bool_)
    for first, chunk in _chunks(rules, boards):
        seen = look(chunk)
        if seen is not None:
            flags[rows_of(seen & chunk.valid) + first] = True
    return flags


def _chunks(rules: Rules, boards: Boards) -> Iterator[tuple[int, Chunk]]:
    """Yield each chunk with the number of its first board."""
    first = 0
    for chunk in rules.chunks(boards.packed):
        yield first, chunk
        first += chunk.count


def _ranges(offsets: Rows, items: Rows) -> Rows:
    """Return the numbers offsets[i] .. offsets[i+1]-1 of all items, one after the other."""
    lengths = offsets[items + 1] - offsets[items]
    before = np.cumsum(lengths) - lengths
    return np.repeat(offsets[items] - before, lengths) + np.arange(lengths.sum())


def _offsets(ends: Numbers, size: int) -> Rows:
    return np.concatenate(([0], np.cumsum(np.bincount(ends, minlength=size))))


def _joined(parts: list[Numbers] | list[Rows]) -> Numbers:
    return np.concatenate(parts).astype(np.int32) if parts else np.empty(0, dtype=np.int32)
