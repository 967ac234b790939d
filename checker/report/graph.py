"""Tell the state graph of a small board in words: every reachable board, and every step between two of them."""

from __future__ import annotations

from collections.abc import Iterable

from checker.check import BoardResult
from checker.report.dot import broken_on, is_forced, joined, small_graph
from checker.report.model import EdgeView, GraphView, NodeView
from checker.report.words import Words
from checker.system.model import State, Step
from checker.traces.evaluate import evaluate


def tell_graph(result: BoardResult, words: Words, language: str, most: int) -> GraphView | None:
    """Return the state graph of a board, or None if more than `most` boards are reachable."""
    counts = result.counts
    if not counts.complete or counts.states is None or counts.states > most:
        return None
    graph, states = small_graph(result.system, most)
    teller = _Teller(result, words, language, states)
    levels = zip(graph.boards.levels, states, strict=True)
    return GraphView(
        nodes=tuple(NodeView(int(level), teller.differs(state), teller.breaks(state)) for level, state in levels),
        edges=tuple(teller.edge(source, target, steps) for (source, target), steps in joined(graph)),
    )


class _Teller:
    """Says boards and steps of one graph."""

    def __init__(self, result: BoardResult, words: Words, language: str, states: list[State]) -> None:
        self.system, self.words, self.states = result.system, words, states
        self.titles = {wanted.name: wanted.title[language] for wanted in result.rulebook.properties}

    def differs(self, state: State) -> tuple[str, ...]:
        """Say what is not as on the first initial board."""
        pairs = zip(self.system.variables, self.states[0], state, strict=True)
        changed = ((v.name, v.domain[was], v.domain[value]) for v, was, value in pairs if was != value)
        return tuple(self.words.change(*change) for change in changed)

    def breaks(self, state: State, step: Step | None = None) -> tuple[str, ...]:
        """Return the titles of what a board, or a step from it, breaks."""
        return tuple(self.titles.get(name, name) for name in broken_on(self.system, state, step))

    def edge(self, source: int, target: int, steps: Iterable[Step]) -> EdgeView:
        """Tell the steps from one board to another."""
        state, listed = self.states[source], list(steps)
        already = self.breaks(state)
        broken = [title for step in listed for title in self.breaks(state, step) if title not in already]
        return EdgeView(
            source,
            target,
            tuple(dict.fromkeys(self._said(state, step) for step in listed)),
            all(is_forced(self.system, state, step) for step in listed),
            tuple(dict.fromkeys(broken)),
        )

    def _said(self, state: State, step: Step) -> str:
        action, true = self.system.actions[step.action], evaluate(self.system, state)
        by = (who for who, atom in action.by if atom is None or atom in true)
        return self.words.action(action.name, ", ".join(map(self.words.term, by)))
