"""Breadth-first search over packed boards."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Protocol

import numpy as np

from checker.engines.budget import Budget
from checker.engines.explicit.bits import Words
from checker.engines.explicit.chunk import Chunk
from checker.engines.explicit.moves import Moves
from checker.engines.explicit.rules import Rules
from checker.engines.explicit.table import Table
from checker.engines.protocol import Counts, Progress, Report

_BATCH = 1 << 17
_EVERY = 0.5
_STARTS = 1 << 16


class Observer(Protocol):
    """Looks at every board and every step once, in the order of the search."""

    def on_chunk(self, chunk: Chunk) -> None:
        """Look at boards."""

    def on_moves(self, moves: Moves) -> None:
        """Look at steps."""


@dataclass(frozen=True)
class Explored:
    """The boards found, level by level, each of shape (words, n); `stopped` says why some may be missing.

    transitions counts the steps with a next board from the boards that were expanded; table holds the boards.
    """

    table: Table
    levels: tuple[Words, ...]
    transitions: int
    stopped: str | None

    @property
    def states(self) -> int:
        """How many boards there are."""
        return sum(level.shape[1] for level in self.levels)

    def counts(self) -> Counts:
        """Return what was explored; the counts of the whole only if nothing is missing."""
        largest = max(level.shape[1] for level in self.levels)
        return Counts(self.states, self.transitions, len(self.levels), largest, self.stopped is None)


class _Frontier:
    """Collects the next boards of a level, adding them to the table in batches of a good size."""

    def __init__(self, table: Table) -> None:
        self._table = table
        self._waiting: list[Words] = []
        self._size = 0
        self._new: list[Words] = []

    def put(self, boards: Words) -> None:
        self._waiting.append(boards)
        self._size += boards.shape[1]
        if self._size >= _BATCH:
            self._flush()

    def _flush(self) -> None:
        if self._waiting:
            batch = self._waiting[0] if len(self._waiting) == 1 else np.concatenate(self._waiting, axis=1)
            self._new.append(batch.take(self._table.add(batch), axis=1))
            self._waiting, self._size = [], 0

    def take(self) -> Words | None:
        """Return the new boards of this level, None if there are none."""
        self._flush()
        new, self._new = self._new, []
        level = np.concatenate(new, axis=1) if new else None
        return level if level is not None and level.shape[1] else None


def explore(rules: Rules, observers: Sequence[Observer], budget: Budget, report: Report) -> Explored:
    """Visit every reachable board and every step once, unless the budget ends first."""
    return _Search(rules, observers, budget, report).run()


class _Search:
    def __init__(self, rules: Rules, observers: Sequence[Observer], budget: Budget, report: Report) -> None:
        self.rules, self.observers, self.budget, self.report = rules, observers, budget, report
        self.table = Table(rules.layout.words)
        self.frontier = _Frontier(self.table)
        self.levels: list[Words] = []
        self.transitions = 0
        self.stopped: str | None = None
        self.said = 0.0

    def run(self) -> Explored:
        states = self.rules.system.initial_states()
        while some := list(islice(states, _STARTS)):
            self.frontier.put(self.rules.layout.pack(some))
        while self.stopped is None and (level := self.frontier.take()) is not None:
            self.levels.append(level)
            self._expand(level, len(self.levels) - 1)
        if self.stopped is not None and (level := self.frontier.take()) is not None:
            self.levels.append(level)
        return Explored(self.table, tuple(self.levels), self.transitions, self.stopped)

    def _expand(self, level: Words, depth: int) -> None:
        """Look at the boards of a level and at their steps; set `stopped` if the budget ends."""
        self._say(depth, level.shape[1])
        last = self.budget.too_deep(depth)
        queue = level.shape[1]
        for chunk in self.rules.chunks(level, depth):
            for observer in self.observers:
                observer.on_chunk(chunk)
            if last is None:
                self._step(chunk)
            if self.stopped is not None:
                return
            queue -= chunk.count
            if self.budget.elapsed() > self.said + _EVERY:
                self._say(depth, queue)
        self.stopped = last

    def _step(self, chunk: Chunk) -> None:
        for moves in self.rules.moves(chunk):
            self.stopped = self.budget.spent(self.table.room_needed())
            if self.stopped is not None:
                return
            for observer in self.observers:
                observer.on_moves(moves)
            rows = moves.rows()
            self.transitions += len(rows)
            self.frontier.put(moves.next_boards(rows))

    def _say(self, depth: int, queue: int) -> None:
        self.said = self.budget.elapsed()
        self.report(Progress("explicit", depth + 1, self.table.size, self.transitions, queue))
