"""Two systems run side by side with the plain evaluator, board by board: what the product must find."""

from __future__ import annotations

from typing import TypeAlias

from clingo.symbol import Symbol

from checker.system.model import State, TransitionSystem
from checker.traces.evaluate import Evaluator, Resolved, evaluator

Pair: TypeAlias = tuple[State, State]


class Lockstep:
    """Breadth-first search of all pairs of boards that agree on what both sides have.

    lengths: for each kind of difference the length of a shortest game that shows it, steps without a next
    board on both sides counted too. pairs: how many pairs there are.
    """

    def __init__(self, left: TransitionSystem, right: TransitionSystem) -> None:
        self.left, self.right = evaluator(left), evaluator(right)
        self.common = {v.name for v in left.variables} & {v.name for v in right.variables}
        self.lengths: dict[str, int] = {}
        starts = [(a, b) for a in left.initial_states() for b in right.initial_states() if self._agree(a, b)]
        seen, level, depth = set(starts), starts, 0
        while level:
            level = list(dict.fromkeys(n for pair in level for n in self._after(pair, depth) if n not in seen))
            seen.update(level)
            depth += 1
        self.pairs = len(seen)

    def _agree(self, a: State, b: State) -> bool:
        return self._shared(self.left, a) == self._shared(self.right, b)

    def _shared(self, rules: Evaluator, state: State) -> dict[Symbol, Symbol]:
        values = zip(rules.system.variables, state, strict=True)
        return {v.name: v.domain[i] for v, i in values if v.name in self.common}

    def _after(self, pair: Pair, depth: int) -> list[Pair]:
        legal = [_legal(rules, state) for rules, state in zip((self.left, self.right), pair, strict=True)]
        if legal[1].keys() - legal[0].keys():
            self.lengths.setdefault("added", depth)
        if legal[0].keys() - legal[1].keys():
            self.lengths.setdefault("removed", depth)
        both = legal[0].keys() & legal[1].keys()
        if any(legal[0][name] != legal[1][name] for name in both):
            self.lengths.setdefault("changed", depth)
        return [n for name in sorted(both) for n in self._step(pair, name, depth)]

    def _step(self, pair: Pair, name: Symbol, depth: int) -> list[Pair]:
        mine, yours = (_ways(r, s, name) for r, s in zip((self.left, self.right), pair, strict=True))
        after = []
        for chosen, way in mine.items():
            for other, theirs in yours.items():
                if chosen != other and chosen in yours and other in mine:
                    continue
                if _events(self.left, way) != _events(self.right, theirs):
                    self.lengths["events"] = min(self.lengths.get("events", depth + 1), depth + 1)
                if way.next is None or theirs.next is None:
                    same = way.next is theirs.next
                else:
                    same = self._agree(way.next, theirs.next)
                    after += [(way.next, theirs.next)] if same else []
                if not same:
                    self.lengths["changed"] = min(self.lengths.get("changed", depth + 1), depth + 1)
        return after


def _legal(rules: Evaluator, state: State) -> dict[Symbol, frozenset[Symbol]]:
    true = rules.evaluate(state)
    actions = [rules.system.actions[i] for i in rules.enabled(state)]
    return {a.name: frozenset(w for w, when in a.by if when is None or when in true) for a in actions}


def _ways(rules: Evaluator, state: State, name: Symbol) -> dict[frozenset[Symbol], Resolved]:
    """Return the ways a step may go, by the effects chosen."""
    index = [action.name for action in rules.system.actions].index(name)
    effects = {o.chosen: o.effect for outcome in rules.system.outcomes for o in outcome.options}
    return {frozenset(effects[a] for a in way.chosen): way for way in rules.resolve(state, index)}


def _events(rules: Evaluator, way: Resolved) -> set[Symbol]:
    named = (rules.system.atoms[atom] for atom in way.true)
    return {symbol for symbol in named if symbol is not None and symbol.match("event", 1)}
