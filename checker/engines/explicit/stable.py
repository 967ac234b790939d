"""Which stable boards forced steps can lead to, for each board of a set closed under forced steps."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
import numpy.typing as npt

from checker.engines.explicit.bits import Flags, Rows
from checker.engines.explicit.graph import Graph

UNKNOWN = -1


class StableSets:
    """For each board of `inside` the set of stable boards that forced steps can end on.

    A set is a number: i < n for the set of board i alone, others by `members`. graph: the forced steps, none
    of which leaves `inside`. busy: the boards where something is forced.
    """

    def __init__(self, graph: Graph, inside: Flags, busy: Flags) -> None:
        self._graph = graph
        self._size = graph.boards.size
        self._sets: list[frozenset[int]] = []
        self._number: dict[frozenset[int], int] = {}
        self.of: npt.NDArray[np.int64] = np.full(self._size, UNKNOWN, dtype=np.int64)
        degrees = np.diff(graph.offsets)
        stable = np.flatnonzero(inside & ~busy)
        self.of[stable] = stable
        dead = np.flatnonzero(inside & busy & (degrees == 0))
        self.of[dead] = self._intern(frozenset())
        self._peel(np.concatenate((stable, dead)), degrees.copy(), inside)
        self._close(np.flatnonzero(inside & (self.of == UNKNOWN)))

    def members(self, number: int) -> frozenset[int]:
        """Return the boards of a set."""
        return frozenset((number,)) if number < self._size else self._sets[number - self._size]

    def union(self, numbers: Iterable[int]) -> int:
        """Return the union of sets."""
        distinct = set(numbers)
        if len(distinct) == 1:
            return distinct.pop()
        return self._intern(frozenset().union(*(self.members(number) for number in distinct)))

    def split(self, boards: Rows) -> Rows:
        """Return those of the boards from which not all steps can end on the same stable boards."""
        boards = boards[np.diff(self._graph.offsets)[boards] > 1]
        if not len(boards):
            return boards
        least, most = self._range(boards)
        uneven: Rows = boards[least != most]
        return uneven

    def _intern(self, members: frozenset[int]) -> int:
        if len(members) == 1:
            return next(iter(members))
        if members not in self._number:
            self._number[members] = self._size + len(self._sets)
            self._sets.append(members)
        return self._number[members]

    def _range(self, boards: Rows) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
        """Return the least and the greatest number of a set that a step from each board can end on."""
        edges = self._graph.out_of(boards)
        ends = self.of[self._graph.edges.targets[edges]]
        lengths = np.diff(self._graph.offsets)[boards]
        firsts = np.cumsum(lengths) - lengths
        return np.minimum.reduceat(ends, firsts), np.maximum.reduceat(ends, firsts)

    def _peel(self, fresh: Rows, left: Rows, inside: Flags) -> None:
        """Settle every board all of whose steps lead to settled boards."""
        while len(fresh):
            sources = self._graph.edges.sources[self._graph.leading_to(fresh)]
            np.subtract.at(left, sources, 1)
            touched = np.unique(sources).astype(np.intp)
            fresh = touched[inside[touched] & (left[touched] == 0)]
            if len(fresh):
                least, most = self._range(fresh)
                self.of[fresh] = least
                for board in fresh[least != most].tolist():
                    self.of[board] = self.union(self._after(board))

    def _after(self, board: int) -> Sequence[int]:
        low, high = self._graph.offsets[board], self._graph.offsets[board + 1]
        ends: list[int] = self.of[self._graph.edges.targets[low:high]].tolist()
        return ends

    def _close(self, boards: Rows) -> None:
        """Settle the boards on and before loops: the least sets closed under their steps."""
        self.of[boards] = self._intern(frozenset())
        grown = True
        while grown:
            grown = False
            for board in boards.tolist():
                after = self.union(self._after(board))
                if after != self.of[board]:
                    self.of[board] = after
                    grown = True
