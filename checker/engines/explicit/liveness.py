"""Runs without an end: forced steps for ever, and boards that nothing ever answers."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass

import numpy as np

from checker.engines.budget import Budget
from checker.engines.explicit.bits import Flags, Rows, Words
from checker.engines.explicit.chunk import Chunk
from checker.engines.explicit.graph import (
    FAR,
    Graph,
    Numbers,
    flag,
    forced_graph,
    number_boards,
    state_graph,
)
from checker.engines.explicit.rules import Rules
from checker.engines.explicit.trace import Path, Run
from checker.engines.protocol import Answer, Holds, Unknown, Violated
from checker.system.model import Atom, Goal

EFFORT = 2_000_000
"""Edges looked at in search of a shortest lasso, before one that may be longer is taken."""


@dataclass(frozen=True, slots=True)
class Lasso:
    """A run without an end: it comes to board `start` and then takes the edges of `cycle` again and again.

    Without a cycle the run ends there, since no step is possible. shortest: no run to show is shorter.
    """

    start: int
    cycle: tuple[int, ...]
    shortest: bool


def termination(run: Run, budget: Budget) -> Answer:
    """Answer whether forced steps always end.

    Raises:
        BudgetSpentError: time or memory ran out.

    """
    if all(action.forced is None for action in run.rules.system.actions):
        return Holds("no step is ever forced")
    graph = forced_graph(run.rules, number_boards(run.explored, budget), budget)
    busy = np.diff(graph.offsets) > 0
    endless = without_end(graph, busy, np.zeros_like(busy))
    if not endless.any():
        return Holds(run.everywhere())
    lasso = shortest_lasso(graph, endless, graph.boards.levels, np.zeros_like(busy), budget)
    board = graph.boards.packed[:, lasso.start]
    path = run.path_to(int(graph.boards.levels[lasso.start]), board)
    return _violated(run.rules, graph, path, lasso)


def response(goal: Goal, run: Run, budget: Budget) -> Answer:
    """Answer whether every pending board is followed, whatever happens, by an answered one.

    Raises:
        BudgetSpentError: time or memory ran out.

    """
    if not run.rules.board_atoms.issuperset((*goal.pending, *goal.answered)):
        return Unknown("pending or answered depends on the step, which is not supported")
    graph = state_graph(run.rules, run.explored, budget)
    open_boards = ~flag(run.rules, graph.boards, lambda chunk: _any(chunk, goal.answered))
    ends = open_boards & (np.diff(graph.offsets) == 0)
    endless = without_end(graph, open_boards, ends)
    starts = np.flatnonzero(flag(run.rules, graph.boards, lambda chunk: _any(chunk, goal.pending)) & endless)
    if not len(starts):
        return Holds(run.everywhere())
    distances, by = graph.reach(starts, graph.boards.levels[starts], endless)
    lasso = shortest_lasso(graph, endless, distances, ends, budget)
    edges = [int(by[lasso.start])]
    while edges[-1] >= 0:
        edges.append(int(by[graph.edges.sources[edges[-1]]]))
    edges = edges[-2::-1]
    first = int(graph.edges.sources[edges[0]]) if edges else lasso.start
    path = run.path_to(int(graph.boards.levels[first]), graph.boards.packed[:, first])
    return _violated(run.rules, graph, along(graph, path, edges), lasso)


def without_end(graph: Graph, inside: Flags, ends: Flags) -> Flags:
    """Return the greatest set within `inside` whose boards each are in `ends` or have a step into the set."""
    kept = inside.copy()
    within = kept[graph.edges.sources] & kept[graph.edges.targets]
    left = np.bincount(graph.edges.sources[within], minlength=len(kept))
    fresh = np.flatnonzero(kept & ~ends & (left == 0))
    while len(fresh):
        kept[fresh] = False
        sources = graph.edges.sources[graph.leading_to(fresh)]
        np.subtract.at(left, sources, 1)
        touched = np.unique(sources)
        fresh = touched[kept[touched] & (left[touched] == 0)].astype(np.intp)
    return kept


def shortest_lasso(graph: Graph, inside: Flags, distances: Numbers, ends: Flags, budget: Budget) -> Lasso:
    """Return a run without an end within a set that has one.

    distances: how many steps lead to each board, FAR where none do. ends: boards where no step is possible.
    """
    reached = np.flatnonzero(inside & (distances < FAR))
    reached = reached[np.argsort(distances[reached], kind="stable")]
    stops = reached[ends[reached]]
    best = Lasso(int(stops[0]), (), True) if len(stops) else None
    length = int(distances[stops[0]]) if len(stops) else FAR
    effort = EFFORT
    for start in reached.tolist():
        budget.check()
        room = length - int(distances[start])
        if room <= 1:
            break
        if effort <= 0 and best is not None:
            return Lasso(best.start, best.cycle, False)
        cycle, spent = _cycle(graph, inside, start, room)
        effort -= spent
        if cycle is not None:
            best, length = Lasso(start, cycle, True), int(distances[start]) + len(cycle)
    assert best is not None, "a set without an end has a lasso"
    return best


def _cycle(graph: Graph, inside: Flags, start: int, room: int) -> tuple[tuple[int, ...] | None, int]:
    """Return the edges of a shortest cycle from `start` of under `room` steps, and the edges looked at."""
    by: dict[int, int] = {}
    waiting = deque([(start, 0)])
    spent = 0
    while waiting:
        board, depth = waiting.popleft()
        if depth + 1 >= room:
            break
        low, high = int(graph.offsets[board]), int(graph.offsets[board + 1])
        spent += high - low
        for edge, target in enumerate(graph.edges.targets[low:high].tolist(), low):
            if not inside[target] or target in by:
                continue
            by[target] = edge
            if target == start:
                return _unwind(graph, by, start), spent
            waiting.append((target, depth + 1))
    return None, spent


def _unwind(graph: Graph, by: dict[int, int], start: int) -> tuple[int, ...]:
    edges = [by[start]]
    while graph.edges.sources[edges[-1]] != start:
        edges.append(by[int(graph.edges.sources[edges[-1]])])
    return tuple(reversed(edges))


def along(graph: Graph, path: Path, edges: Rows | list[int] | tuple[int, ...]) -> Path:
    """Return a path with the steps of some edges after it."""
    for edge in edges:
        step = graph.edges.steps[graph.edges.moves[edge]]
        path = path.then(step, graph.boards.packed[:, graph.edges.targets[edge]])
    return path


def _violated(rules: Rules, graph: Graph, path: Path, lasso: Lasso) -> Violated:
    loop = len(path.steps) if lasso.cycle else None
    trace = along(graph, path, lasso.cycle).trace(rules, loop)
    return Violated(trace, shortest=lasso.shortest)


def _any(chunk: Chunk, atoms: tuple[Atom, ...]) -> Words | None:
    return np.bitwise_or.reduce([chunk.values[atom] for atom in atoms]) if atoms else None
