"""Shortest games, rebuilt backwards from the levels of the search."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from checker.engines.explicit.bits import Rows, Words
from checker.engines.explicit.explore import Explored
from checker.engines.explicit.rules import Rules
from checker.engines.protocol import Answer, Unknown
from checker.system.model import Step, Trace


@dataclass(frozen=True, slots=True)
class Finding:
    """Something seen on a board of a level of the search, or in a step from it.

    board: shape (words,). step: the step in which it was seen, None if it was seen on the board.
    """

    level: int
    board: Words
    step: Step | None = None
    culprits: tuple[str, ...] = ()

    @property
    def depth(self) -> int:
        """The number of steps to it, its own included."""
        return self.level + (self.step is not None)


@dataclass(frozen=True, slots=True)
class Path:
    """Packed boards, each of shape (words,), and the steps between them."""

    boards: tuple[Words, ...]
    steps: tuple[Step, ...]

    def then(self, step: Step, board: Words) -> Path:
        """Return the path with one more step."""
        return Path((*self.boards, board), (*self.steps, step))

    def trace(self, rules: Rules, loop: int | None = None) -> Trace:
        """Return the path as a trace."""
        return Trace(tuple(rules.layout.unpack(board) for board in self.boards), self.steps, loop)


@dataclass(frozen=True, slots=True)
class Run:
    """A search that is over: the rules it went by and the boards it found."""

    rules: Rules
    explored: Explored

    def path_to(self, level: int, board: Words) -> Path:
        """Return a path of `level` steps from an initial board to a board of that level."""
        boards, steps = [board], []
        for earlier in reversed(self.explored.levels[:level]):
            before, step = _predecessor(self.rules, earlier, boards[-1])
            boards.append(before)
            steps.append(step)
        return Path(tuple(reversed(boards)), tuple(reversed(steps)))

    def trace(self, finding: Finding) -> Trace:
        """Return the shortest game to a finding; the step it was seen in is last, without its next board."""
        path = self.path_to(finding.level, finding.board)
        if finding.step is not None:
            path = Path(path.boards, (*path.steps, finding.step))
        return path.trace(self.rules)

    def everywhere(self) -> str:
        """Say that all boards were looked at."""
        return f"all {self.explored.states:,} reachable boards"

    def unless_found(self, answer: Answer) -> Answer:
        """Return the answer for a search in which nothing was found: unknown if it was stopped."""
        if self.explored.stopped is None:
            return answer
        return Unknown(self.explored.stopped, len(self.explored.levels) - 1)


def _predecessor(rules: Rules, level: Words, board: Words) -> tuple[Words, Step]:
    """Return a board of the level with a step to `board`."""
    wanted = board[:, None]
    for chunk in rules.chunks(level[:, _candidates(rules, level, wanted)]):
        for moves in rules.moves(chunk):
            rows = moves.rows()
            hits = np.flatnonzero((moves.next_boards(rows) == wanted).all(axis=0))
            if len(hits):
                return chunk.boards[:, rows[hits[0]]], Step(moves.action, moves.variant.chosen)
    raise AssertionError("a board of one level has no predecessor in the level before")


def _candidates(rules: Rules, level: Words, wanted: Words) -> Rows:
    """Return the boards of a level that differ from `wanted` only in what some one action may change."""
    difference = level ^ wanted
    candidate = np.zeros(level.shape[1], dtype=np.bool_)
    for action in rules.actions:
        candidate |= ((difference & ~action.touched) == 0).all(axis=0)
    return np.flatnonzero(candidate)
