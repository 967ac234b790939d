"""Evaluate the ground rules in plain Python: what holds on a board, what may be done, what follows.

This is the second opinion on every engine, so it shares nothing with them: it reads the raw
`TransitionSystem`, never a specialised one, and uses only sets, lists and dictionaries.

A rule waits at one atom of its positive body and is looked at once that atom holds. Rules wait at atoms of
the step where they can, so that evaluating one step touches few of the rules of the other actions.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from heapq import heapify, heappop, heappush
from typing import TypeAlias

from checker.system.model import Atom, Rule, State, Step, TransitionSystem

Chosen: TypeAlias = tuple[Atom, ...]
"""The `chosen` atoms of one way through the open outcomes of a step."""


@dataclass(frozen=True, slots=True)
class Resolved:
    """A step with its open outcomes settled.

    chosen: the options taken. true: every atom that holds. stuck: the outcomes that fired without an
    enabled option. values: for each variable that is set, the values it is set to. next: the board after
    the step, None where an outcome is stuck or a variable is set to two values.
    """

    chosen: Chosen
    true: frozenset[Atom]
    stuck: tuple[int, ...]
    values: dict[int, frozenset[int]]
    next: State | None

    @property
    def conflicts(self) -> tuple[int, ...]:
        """The variables set to two or more values, in order."""
        return tuple(sorted(variable for variable, values in self.values.items() if len(values) > 1))


@dataclass(frozen=True, slots=True)
class _Compiled:
    """A ground rule ready to test.

    Its body holds if all of `positive` and none of `negative` do; or, where it has weights, if those of the
    literals that hold, each an atom with its sign, add up to `bound`.
    """

    head: Atom
    stratum: int
    positive: frozenset[Atom]
    negative: frozenset[Atom]
    weighted: tuple[tuple[Atom, bool, int], ...]
    bound: int

    def holds(self, true: AbstractSet[Atom]) -> bool:
        """Tell whether the body holds once the atoms it reads are decided."""
        if self.weighted:
            return sum(weight for atom, sign, weight in self.weighted if (atom in true) == sign) >= self.bound
        return self.positive <= true and self.negative.isdisjoint(true)


class Evaluator:
    """The rules of one system, indexed once.

    step_atoms: the inputs `occurs` and `chosen`, and every atom with a rule that reads a step atom.
    """

    def __init__(self, system: TransitionSystem) -> None:
        self.system = system
        self.step_atoms = _step_atoms(system)
        self._outcomes = _by_dependence(system)
        self.rules_of: dict[Atom, list[Rule]] = {}
        self._recursive = [stratum.recursive for stratum in system.strata]
        self._waiting: dict[Atom, list[_Compiled]] = {}
        self._always: list[list[_Compiled]] = [[] for _ in system.strata]
        self._index()

    def _index(self) -> None:
        for number, stratum in enumerate(self.system.strata):
            for rule in stratum.rules:
                self.rules_of.setdefault(rule.head, []).append(rule)
                compiled = _compile(rule, number)
                if compiled.positive:
                    self._waiting.setdefault(self._watch(compiled.positive), []).append(compiled)
                else:
                    self._always[number].append(compiled)

    def _watch(self, positive: frozenset[Atom]) -> Atom:
        """Choose the atom to wait at: of the step if possible, then where fewest rules wait."""
        return min(positive, key=lambda a: (a not in self.step_atoms, len(self._waiting.get(a, ())), a))

    def evaluate(self, state: State, action: int | None = None, chosen: Iterable[Atom] = ()) -> frozenset[Atom]:
        """Return the atoms that hold on `state`, inputs included, when `action` occurs.

        Args:
            state: the board, one value index per variable.
            action: the index of the action that occurs; None for the board alone.
            chosen: the options taken of open outcomes.

        """
        true = {v.atoms[value] for v, value in zip(self.system.variables, state, strict=True)}
        true.update(chosen)
        if action is not None:
            true.add(self.system.actions[action].occurs)
        pending: dict[int, list[_Compiled]] = {}
        for number, rules in enumerate(self._always):
            if rules:
                pending[number] = list(rules)
        for atom in tuple(true):
            self._wake(atom, pending)
        order = list(pending)
        heapify(order)
        while order:
            number = heappop(order)
            if number in pending:
                for woken in self._settle(number, pending, true):
                    heappush(order, woken)
        return frozenset(true)

    def _wake(self, atom: Atom, pending: dict[int, list[_Compiled]]) -> list[int]:
        """Queue the rules waiting at `atom`; return the strata that had nothing queued before."""
        woken = []
        for rule in self._waiting.get(atom, ()):
            if rule.stratum in pending:
                pending[rule.stratum].append(rule)
            else:
                pending[rule.stratum] = [rule]
                woken.append(rule.stratum)
        return woken

    def _settle(self, number: int, pending: dict[int, list[_Compiled]], true: set[Atom]) -> list[int]:
        """Apply the queued rules of one stratum, to a fixpoint if it is recursive; return strata woken."""
        woken: list[int] = []
        seen: list[_Compiled] = []
        while queued := pending.pop(number, []):
            seen += queued
            grown = self._apply(seen if self._recursive[number] else queued, true)
            while grown and self._recursive[number]:
                more = self._apply(seen, true)
                grown += more
                if not more:
                    break
            for atom in grown:
                woken += self._wake(atom, pending)
        return [stratum for stratum in woken if stratum != number]

    @staticmethod
    def _apply(rules: Sequence[_Compiled], true: set[Atom]) -> list[Atom]:
        grown = []
        for rule in rules:
            if rule.head not in true and rule.holds(true):
                true.add(rule.head)
                grown.append(rule.head)
        return grown

    def enabled(self, state: State) -> list[int]:
        """Return the indices of the actions that may be taken on `state`: forced ones, if there are any."""
        true = self.evaluate(state)
        possible = [i for i, action in enumerate(self.system.actions) if action.possible in true]
        forced = [i for i in possible if self.system.actions[i].forced in true]
        return forced or possible

    def resolve(self, state: State, action: int) -> Iterator[Resolved]:
        """Yield every way the open outcomes of a step may go; one way if it has none.

        An outcome that fires without an enabled option is left open, so the step has no next board.
        """
        waiting: list[Chosen] = [()]
        while waiting:
            chosen = waiting.pop()
            true = self.evaluate(state, action, chosen)
            stuck = []
            for number in self._outcomes:
                outcome = self.system.outcomes[number]
                if outcome.fired not in true or any(o.chosen in chosen for o in outcome.options):
                    continue
                ways = [option.chosen for option in outcome.options if option.enabled in true]
                if ways:
                    waiting.extend((*chosen, way) for way in reversed(ways))
                    break
                stuck.append(number)
            else:
                yield self._resolved(state, chosen, true, tuple(stuck))

    def _resolved(self, state: State, chosen: Chosen, true: frozenset[Atom], stuck: tuple[int, ...]) -> Resolved:
        values: dict[int, frozenset[int]] = {}
        for effect in self.system.effects:
            if effect.atom in true:
                values[effect.variable] = values.get(effect.variable, frozenset()) | {effect.value}
        after: State | None = None
        if not stuck and all(len(found) == 1 for found in values.values()):
            after = tuple(min(values.get(i, (value,))) for i, value in enumerate(state))
        return Resolved(chosen, true, stuck, values, after)

    def successors(self, state: State) -> list[tuple[Step, State]]:
        """Return every step from `state` that has a next board, with that board."""
        return [
            (Step(action, way.chosen), way.next)
            for action in self.enabled(state)
            for way in self.resolve(state, action)
            if way.next is not None
        ]

    def behind(self, atom: Atom, true: frozenset[Atom]) -> tuple[Atom, ...]:
        """Return the `fired` atoms behind `atom`, walking back through rules that hold.

        The walk ends at the first on each way, except that it goes on through events: what sets a fluent is
        then cited together with what caused the event that did.
        """
        found: set[Atom] = set()
        seen, waiting = {atom}, [atom]
        while waiting:
            for rule in self.rules_of.get(waiting.pop(), ()):
                if not _compile(rule, 0).holds(true):
                    continue
                for body in {lit for lit in rule.body if lit in true} - seen:
                    seen.add(body)
                    if body in self.system.fired:
                        found.add(body)
                        waiting.extend(self._events_behind(body, true) - seen)
                    else:
                        waiting.append(body)
        return tuple(sorted(found))

    def _events_behind(self, fired: Atom, true: frozenset[Atom]) -> set[Atom]:
        rules = (rule for rule in self.rules_of.get(fired, ()) if _compile(rule, 0).holds(true))
        bodies = (lit for rule in rules for lit in rule.body if lit in true)
        return {atom for atom in bodies if (symbol := self.system.atoms[atom]) is not None and symbol.name == "event"}


def _by_dependence(system: TransitionSystem) -> list[int]:
    """Order outcomes so that one comes after those its options depend on."""
    level = {rule.head: n for n, stratum in enumerate(system.strata) for rule in stratum.rules}

    def height(number: int) -> int:
        outcome = system.outcomes[number]
        return max(level.get(a, 0) for a in (outcome.fired, *(o.enabled for o in outcome.options)))

    return sorted(range(len(system.outcomes)), key=height)


def _compile(rule: Rule, stratum: int) -> _Compiled:
    if rule.weights:
        weighted = tuple((abs(lit), lit > 0, w) for lit, w in zip(rule.body, rule.weights, strict=True))
        return _Compiled(rule.head, stratum, frozenset(), frozenset(), weighted, rule.bound)
    positive = frozenset(lit for lit in rule.body if lit > 0)
    negative = frozenset(-lit for lit in rule.body if lit < 0)
    return _Compiled(rule.head, stratum, positive, negative, (), 0)


def _step_atoms(system: TransitionSystem) -> frozenset[Atom]:
    """Return the atoms that depend on the step: on `occurs` or on a chosen option."""
    readers: dict[Atom, list[Atom]] = {}
    for rule in system.rules():
        for lit in rule.body:
            readers.setdefault(abs(lit), []).append(rule.head)
    waiting = [action.occurs for action in system.actions]
    waiting += [option.chosen for outcome in system.outcomes for option in outcome.options]
    reached = set(waiting)
    while waiting:
        for head in readers.get(waiting.pop(), ()):
            if head not in reached:
                reached.add(head)
                waiting.append(head)
    return frozenset(reached)


def evaluator(system: TransitionSystem) -> Evaluator:
    """Return the evaluator of `system`, indexed on first use and kept with it as a cached property is."""
    cache = vars(system)
    found = cache.get("_evaluator")
    if not isinstance(found, Evaluator):
        found = cache["_evaluator"] = Evaluator(system)
    return found


def evaluate(
    system: TransitionSystem, state: State, action: int | None = None, chosen: Iterable[Atom] = ()
) -> frozenset[Atom]:
    """Return the atoms that hold on `state` when `action` occurs; see `Evaluator.evaluate`."""
    return evaluator(system).evaluate(state, action, chosen)


def enabled(system: TransitionSystem, state: State) -> list[int]:
    """Return the indices of the actions that may be taken on `state`."""
    return evaluator(system).enabled(state)


def options(system: TransitionSystem, state: State, action: int) -> list[Chosen]:
    """Return every way the open outcomes of a step may go: `[()]` where the rules leave nothing open."""
    return [way.chosen for way in evaluator(system).resolve(state, action)]


def successors(system: TransitionSystem, state: State) -> list[tuple[Step, State]]:
    """Return every step from `state` that has a next board, with that board."""
    return evaluator(system).successors(state)
