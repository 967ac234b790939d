"""The shortest games after which two systems differ, found in their product and played again on both."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from clingo.symbol import Symbol

from checker.compare.joint import ADDED, CHANGED, EVENTS, REMOVED
from checker.compare.model import Parting, Row
from checker.compare.product import CLAUSE, Product, Side
from checker.engines.protocol import Limits, Report, Unknown, Violated
from checker.engines.registry import engine
from checker.report.words import Words
from checker.system.model import State, Step, Trace
from checker.traces.confirm import confirm
from checker.traces.evaluate import evaluator
from checker.traces.replay import ReplayedStep, ReplayedTrace, ReplayError, replay


@dataclass(frozen=True, slots=True)
class Explored:
    """What a search of a product found. why_open: why it is not exhaustive, empty if it is."""

    partings: tuple[Parting, ...]
    states: int | None
    why_open: str


def explore(
    product: Product, board: str, words: tuple[Words, Words], engine_name: str, limits: Limits, report: Report
) -> Explored:
    """Search a product for differences, and tell the shortest game for each kind and clause.

    Raises:
        InternalError: a game does not show on the two sides, played apart, what it shows in the product.

    """
    system = product.system
    result = engine(engine_name).check(system, system.goals, limits, report)
    partings, why_open = [], ""
    for verdict in result.verdicts:
        answer = verdict.answer
        if isinstance(answer, Unknown):
            why_open = answer.reason
        elif isinstance(answer, Violated) and answer.trace is not None:
            confirm(system, verdict.goal, answer.trace)
            clause = verdict.goal.name.removeprefix(CLAUSE) if verdict.goal.name.startswith(CLAUSE) else None
            partings.append(_Told(product, board, words, answer.trace).parting(clause, answer.culprits))
    return Explored(tuple(partings), result.counts.states if result.counts.complete else None, why_open)


class _Told:
    """A game of a product, played again on both sides."""

    def __init__(self, product: Product, board: str, words: tuple[Words, Words], trace: Trace) -> None:
        self.board, self.words = board, words
        self.sides = (product.left, product.right)
        self.traces = tuple(project(side, trace) for side in self.sides)
        self.games = tuple(replay(side.system, own) for side, own in zip(self.sides, self.traces, strict=True))
        self.in_step = len(trace.states) == len(trace.steps)

    def parting(self, clause: str | None, culprits: Sequence[str]) -> Parting:
        """Tell the game; `culprits` name the actions and fluents in which the sides differ at its end."""
        kinds: set[str]
        ending: list[str]
        if self.in_step:
            kinds, ending = {CHANGED}, self._step_ending()
            if not ending:
                kinds, ending = {EVENTS}, self._events_ending()
        else:
            kinds, ending = self._board_ending(set(culprits))
        if not ending:
            raise ReplayError(len(self.games[0].steps), "the two sides, played apart, do not differ")
        words, game = self.words[0], self.games[0]
        steps = tuple(words.action(s.action, ", ".join(map(words.term, s.deciders))) for s in game.steps)
        kind = next(iter(kinds)) if len(kinds) == 1 else CHANGED
        return Parting(self.board, kind, clause, steps, tuple(ending), tuple(self._rows()), self._fired())

    def _board_ending(self, culprits: set[str]) -> tuple[set[str], list[str]]:
        """Say what is legal on one side alone, and what other players decide."""
        legal = [self._legal(side, game) for side, game in zip(self.sides, self.games, strict=True)]
        said: list[str] = []
        kinds: set[str] = set()
        for here, there, words, title, found in (
            (1, 0, self.words[1], "only on the right", ADDED),
            (0, 1, self.words[0], "only on the left", REMOVED),
        ):
            for action in sorted(legal[here].keys() - legal[there].keys()):
                if str(action) in culprits:
                    kinds.add(found)
                    who = ", ".join(words.term(p) for p in sorted(legal[here][action]))
                    said.append(f"legal {title}: {words.action(action, who)} [{action}]")
        for action in sorted(legal[0].keys() & legal[1].keys()):
            if legal[0][action] != legal[1][action] and str(action) in culprits:
                kinds.add(CHANGED)
                deciders = [
                    ", ".join(map(w.term, sorted(own[action]))) for w, own in zip(self.words, legal, strict=True)
                ]
                said.append(f"decided by {deciders[0]} on the left, {deciders[1]} on the right: {action}")
        return kinds, said

    def _legal(self, side: Side, game: ReplayedTrace) -> dict[Symbol, frozenset[Symbol]]:
        """Return what may be done on the last board, with who may decide it."""
        rules, true = evaluator(side.system), game.boards[-1]
        actions = [side.system.actions[i] for i in rules.enabled(game.states[-1])]
        return {a.name: frozenset(who for who, when in a.by if when is None or when in true) for a in actions}

    def _step_ending(self) -> list[str]:
        """Say what the last step does otherwise."""
        left, right = (game.steps[-1] for game in self.games)
        if (left.after is None) != (right.after is None):
            names = ("left", "right")
            blocked, other = names if left.after is None else names[::-1]
            return [f"the rules contradict each other on the {blocked}, not on the {other}"]
        common = self._ends()
        return [
            f"{self.words[0].change(name, before, mine)} (left), {self.words[1].change(name, before, yours)} (right)"
            for name, before, mine, yours in common
            if mine is not None and yours is not None and mine != yours and before is not None
        ]

    def _events_ending(self) -> list[str]:
        """Say what happens in the last step on one side alone."""
        left, right = (set(game.steps[-1].events) for game in self.games)
        mine = [f"only on the left: {self.words[0].event(name)}" for name in sorted(left - right)]
        return [*mine, *(f"only on the right: {self.words[1].event(name)}" for name in sorted(right - left))]

    def _ends(self) -> Iterator[tuple[Symbol, Symbol | None, Symbol | None, Symbol | None]]:
        """Yield each fluent with its value before the end, and at the end on the left and on the right."""
        before = [_values(side, game.states[-1]) for side, game in zip(self.sides, self.games, strict=True)]
        after = before
        if self.in_step:
            ends = [game.steps[-1].after for game in self.games]
            pairs = zip(self.sides, ends, strict=True)
            after = [_values(side, state) if state is not None else {} for side, state in pairs]
        for name in dict.fromkeys([*before[0], *before[1]]):
            yield name, before[0].get(name, before[1].get(name)), after[0].get(name), after[1].get(name)

    def _rows(self) -> Iterator[Row]:
        start = {
            name: value
            for side, game in zip(self.sides, self.games, strict=True)
            for name, value in _values(side, game.states[0]).items()
        }
        for name, before, left, right in self._ends():
            if left != right or left != start[name]:
                yield Row(str(name), str(before), _shown(left), _shown(right))

    def _fired(self) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """Return, for each side, the clauses of the rules that fired at the end there alone."""
        if not self.in_step:
            return (), ()
        own = [_cited(side, game.steps[-1]) for side, game in zip(self.sides, self.games, strict=True)]
        return tuple(sorted(own[0] - own[1])), tuple(sorted(own[1] - own[0]))


def project(side: Side, trace: Trace) -> Trace:
    """Return a game of a product as a game of one side."""
    states = tuple(
        tuple(domain.index(state[v]) for v, domain in zip(side.variables, side.domains, strict=True))
        for state in trace.states
    )
    steps = tuple(
        Step(side.actions[step.action], tuple(side.chosen[a] for a in step.chosen if a in side.chosen))
        for step in trace.steps
    )
    return Trace(states, steps)


def _values(side: Side, state: State) -> Mapping[Symbol, Symbol]:
    return {v.name: v.domain[value] for v, value in zip(side.system.variables, state, strict=True)}


def _cited(side: Side, step: ReplayedStep) -> set[str]:
    """Return the clauses of the rules that fired in a step."""
    fired = {*step.rules, *step.guards}
    return {clause for source in side.system.sources if source.id in fired for clause in source.clauses}


def _shown(value: Symbol | None) -> str:
    return "-" if value is None else str(value)
