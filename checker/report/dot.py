"""The state graph of a small board for Graphviz."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from checker.engines.budget import Budget
from checker.engines.explicit.explore import explore
from checker.engines.explicit.graph import Graph, state_graph
from checker.engines.explicit.rules import compile_system
from checker.engines.protocol import Limits
from checker.errors import InputError
from checker.system.model import State, Step, TransitionSystem
from checker.traces.evaluate import evaluate

MOST = 400
"""Boards at most that make a picture one can read."""

PATIENCE = 20.0
"""Seconds after which a board is too large for a picture anyway."""


def to_dot(system: TransitionSystem, most: int = MOST) -> Iterator[str]:
    """Yield the lines of a DOT graph of every reachable board and step.

    A board shows what differs from the first initial board, initial boards are filled, and boards that break
    an invariant have a red border and name it. A step is an edge named after its action; steps between the
    same two boards share an edge, forced ones are bold.

    Raises:
        InputError: more than `most` boards are reachable.

    """
    graph, states = small_graph(system, most)
    starts = int(graph.boards.starts[1])
    yield "strict digraph boards {"
    yield f"    label = {_quoted(system.name)};"
    yield "    rankdir = LR; node [shape = box, style = rounded]; edge [fontsize = 10];"
    for number, state in enumerate(states):
        label = _differences(system, states[0], state)
        broken = broken_on(system, state)
        style = ['style = "rounded,filled"', "fillcolor = lightgray"] if number < starts else []
        style += ["color = red", "penwidth = 2"] if broken else []
        parts = [f"label = {_quoted(chr(10).join([*label, *broken]) or 'start')}", *style]
        yield f"    b{number} [{', '.join(parts)}];"
    yield from _edges(system, graph, states)
    yield "}"


def small_graph(system: TransitionSystem, most: int) -> tuple[Graph, list[State]]:
    """Return the graph of all boards with the boards in its order.

    Raises:
        InputError: more than `most` boards are reachable.

    """
    rules, budget = compile_system(system, ()), Budget(Limits(seconds=PATIENCE))
    explored = explore(rules, (), budget, lambda _: None)
    if explored.states > most or explored.stopped is not None:
        found = f"{explored.states:,} reachable boards{' and more' if explored.stopped else ''}"
        raise InputError(f"{system.name} has {found}; a graph of more than {most} cannot be read")
    graph = state_graph(rules, explored, budget)
    return graph, [rules.layout.unpack(board) for board in graph.boards.packed.T]


def _edges(system: TransitionSystem, graph: Graph, states: list[State]) -> Iterator[str]:
    for (source, target), steps in joined(graph):
        forced = all(is_forced(system, states[source], step) for step in steps)
        bold = ", style = bold" if forced else ""
        label = "\n".join(dict.fromkeys(str(system.actions[step.action].name) for step in steps))
        yield f"    b{source} -> b{target} [label = {_quoted(label)}{bold}];"


def joined(graph: Graph) -> list[tuple[tuple[int, int], list[Step]]]:
    """Return the steps between each two boards, by the numbers of the boards."""
    found: dict[tuple[int, int], list[Step]] = {}
    edges = graph.edges
    for source, target, move in zip(edges.sources, edges.targets, edges.moves, strict=True):
        found.setdefault((int(source), int(target)), []).append(edges.steps[move])
    return sorted(found.items())


def is_forced(system: TransitionSystem, state: State, step: Step) -> bool:
    """Tell whether a step is a forced one."""
    return system.actions[step.action].forced in evaluate(system, state)


def broken_on(system: TransitionSystem, state: State, step: Step | None = None) -> list[str]:
    """Return the names of the properties that a board, or a step from it, breaks."""
    true = evaluate(system, state, *((step.action, step.chosen) if step else ()))
    return [goal.name for goal in system.goals if any(atom in true for atom, _ in goal.violated)]


def _differences(system: TransitionSystem, first: State, state: State) -> list[str]:
    return [
        f"{variable.name} = {variable.domain[value]}"
        for variable, start, value in zip(system.variables, first, state, strict=True)
        if value != start
    ]


def _quoted(text: str) -> str:
    """Return a DOT string; line breaks stay line breaks."""
    return '"' + _join(text.replace("\\", "\\\\").replace('"', '\\"').split("\n")) + '"'


def _join(lines: Iterable[str]) -> str:
    return "\\n".join(lines)
