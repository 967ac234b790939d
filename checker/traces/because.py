"""Say which steps of a game its end rests on, and which earlier steps each of those rests on.

A literal of a board rests on the last step that made it so, and on nothing if it was so at the start. A
derived atom rests on what one rule that derives it reads, an absent one on one obstacle in each of its
rules; where there is a choice, the one that rests on the fewest steps is taken. A step rests on what made
its action legal and on what its effects read. That nothing else was forced is not counted as a reason.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TypeAlias

from checker.system.model import Atom, Goal, Kind, Literal, Rule, TransitionSystem
from checker.traces.evaluate import Evaluator, evaluator
from checker.traces.replay import ReplayedTrace

Reasons: TypeAlias = frozenset[Literal]
"""Literals over the atoms `now(F, V)`."""

Node: TypeAlias = tuple[int, int]
"""A step, from 1, and the variable it changed; -1 for the step as a whole."""

WHOLE = -1
NONE: Reasons = frozenset()


@dataclass(frozen=True, slots=True)
class Because:
    """What the end of a game rests on.

    steps: for each step the numbers of the earlier steps it rests on, none for a step that does not matter.
    end: the steps the end itself rests on. matters: every step it rests on, directly or not.
    stays: the variables that the end rests on as well and that the last step left as they were, each with the
    index of its value; the way a fault looks where something should have changed along.
    changes: for each step the changes of earlier steps it rests on, by step and variable.
    """

    steps: tuple[tuple[int, ...], ...]
    end: tuple[int, ...]
    matters: frozenset[int]
    stays: tuple[tuple[int, int], ...] = ()
    changes: tuple[tuple[Node, ...], ...] = ()


def because(system: TransitionSystem, goal: Goal, trace: ReplayedTrace) -> Because:
    """Trace the end of a confirmed game of `goal` back to the steps it rests on."""
    history = _History(system, trace)
    end = _ends(history, goal)
    seen, waiting = set(end), list(end)
    while waiting:
        fresh = history.rests_on[waiting.pop()] - seen
        seen |= fresh
        waiting.extend(fresh)
    matters = frozenset(step for step, _ in seen)
    rests = {number: set[Node]() for number in range(1, len(trace.steps) + 1)}
    for node in seen:
        rests[node[0]] |= {earlier for earlier in history.rests_on[node] if earlier[0] != node[0]}
    changes = tuple(tuple(sorted(rests[number])) for number in sorted(rests))
    return Because(
        tuple(tuple(sorted({step for step, _ in nodes})) for nodes in changes),
        tuple(sorted({step for step, _ in end})),
        matters,
        _stays(history, goal),
        changes,
    )


class _History:
    """What each change of each step rests on, found in one walk through the game.

    rests_on: for each change, and each step as a whole, the changes it rests on directly.
    """

    def __init__(self, system: TransitionSystem, trace: ReplayedTrace) -> None:
        self.system, self.trace, self.rules = system, trace, evaluator(system)
        self.stratum = {
            rule.head: stratum.rules if stratum.recursive else () for stratum in system.strata for rule in stratum.rules
        }
        self.inputs = frozenset(atom for variable in system.variables for atom in variable.atoms)
        self.rests_on: dict[Node, frozenset[Node]] = {}
        self.steps: dict[Node, frozenset[int]] = {}
        self._origins: list[dict[Literal, Node]] = [{}]
        self._actions = {action.name: action for action in system.actions}
        for index in range(len(trace.steps)):
            self._origins.append(self._walk(index))

    def explain(self, index: int, true: frozenset[Atom]) -> _Explainer:
        """Return what explains atoms on board number `index`, or in the step taken from it."""
        return _Explainer(self, true, self._origins[index])

    def nodes(self, index: int, reasons: Iterable[Literal]) -> frozenset[Node]:
        """Return the changes that made literals so that hold on board number `index`."""
        origin = self._origins[index]
        return frozenset(origin[literal] for literal in reasons if literal in origin)

    def guards(self, index: int) -> Reasons:
        """Return what made the action of step number `index` + 1 legal."""
        step = self.trace.steps[index]
        action = self._actions[step.action]
        atoms = [atom for atom in (action.possible, action.forced) if atom is not None and atom in step.true]
        explainer = self.explain(index, step.true)
        return NONE.union(*(explainer.holds(atom) for atom in atoms))

    def whole(self, index: int, reasons: Reasons) -> Node:
        """Note that step number `index` + 1 as a whole is a reason, and rests on its guards and `reasons`."""
        node = (index + 1, WHOLE)
        found = self.nodes(index, self.guards(index) | reasons)
        self.rests_on[node] = self.rests_on.get(node, frozenset()) | found
        return node

    def _walk(self, index: int) -> dict[Literal, Node]:
        """Note what the changes of a step rest on; return where the literals of the next board come from."""
        step, before, after = self.trace.steps[index], self.trace.states[index], self.trace.steps[index].after
        origin = dict(self._origins[index])
        if after is None:
            return origin
        explainer, guards = self.explain(index, step.true), self.guards(index)
        for effect in self.system.effects:
            old = before[effect.variable]
            if effect.atom not in step.true or effect.value == old:
                continue
            atoms = self.system.variables[effect.variable].atoms
            node = (index + 1, effect.variable)
            self.rests_on[node] = self.nodes(index, guards | explainer.holds(effect.atom))
            self.steps[node] = frozenset({index + 1}).union(*map(self.steps.__getitem__, self.rests_on[node]))
            for gone in (atoms[old], -atoms[effect.value]):
                origin.pop(gone, None)
            origin[atoms[effect.value]] = origin[-atoms[old]] = node
        return origin


class _Explainer:
    """Explains why atoms hold or not, given all that hold; remembers what it found."""

    def __init__(self, history: _History, true: frozenset[Atom], origin: Mapping[Literal, Node]) -> None:
        self.history, self.true, self.origin = history, true, origin
        self.rules: Evaluator = history.rules
        self._known: dict[Literal, Reasons] = {}
        self._ranks: dict[Atom, int] = {}

    def holds(self, atom: Atom) -> Reasons:
        """Say why an atom holds."""
        if atom in self.history.inputs:
            return frozenset({atom})
        if atom not in self._known:
            inner = self._same_stratum(atom)
            ways = [
                self._all(body)
                for rule in self.rules.rules_of.get(atom, ())
                if (body := self._derives(rule, inner)) is not None
            ]
            self._known[atom] = min(ways, key=self._weight) if ways else NONE
        return self._known[atom]

    def fails(self, atom: Atom) -> Reasons:
        """Say why an atom does not hold: an obstacle in each rule, and in those of the loop it stands in."""
        if atom in self.history.inputs:
            return frozenset({-atom})
        if -atom not in self._known:
            inner, found = self._same_stratum(atom), NONE
            seen, waiting = {atom}, [atom]
            while waiting:
                for rule in self.rules.rules_of.get(waiting.pop(), ()):
                    outside, inside = self._obstacles(rule, inner)
                    found |= outside
                    waiting.extend(inside - seen)
                    seen |= inside
            self._known[-atom] = found
        return self._known[-atom]

    def lightest(self, claims: Iterable[Iterable[Atom]]) -> Reasons:
        """Say why all atoms of one of the claims hold, of the one that rests on the fewest steps."""
        ways = [NONE.union(*map(self.holds, atoms)) for atoms in claims]
        return min(ways, key=self._weight) if ways else NONE

    def _all(self, body: Iterable[Literal]) -> Reasons:
        return NONE.union(*map(self._why, body))

    def _why(self, literal: Literal) -> Reasons:
        """Say why a literal is as it is, whether it holds or not."""
        return self.holds(abs(literal)) if abs(literal) in self.true else self.fails(abs(literal))

    def _weight(self, reasons: Reasons) -> tuple[int, int, list[int]]:
        """Rank explanations: by the steps they rest on, then by size."""
        nodes = (self.origin[literal] for literal in reasons if literal in self.origin)
        steps = frozenset[int]().union(*(self.history.steps[node] for node in nodes))
        return len(steps), len(reasons), sorted(reasons)

    def _same_stratum(self, atom: Atom) -> frozenset[Atom]:
        """Return the atoms evaluated in one fixpoint with `atom`, ranked; nothing if it is not recursive."""
        rules = self.history.stratum.get(atom, ())
        inner = frozenset(rule.head for rule in rules)
        if inner and inner & self.true and self._ranks.keys().isdisjoint(inner):
            self._rank(rules, inner)
        return inner

    def _rank(self, rules: Iterable[Rule], inner: frozenset[Atom]) -> None:
        """Number the true atoms of a recursive stratum in rounds, so that each is derived by earlier ones."""
        number, growing = 0, True
        while growing:
            number += 1
            grown = {
                rule.head: number
                for rule in rules
                if rule.head in self.true
                and rule.head not in self._ranks
                and self._body(rule, frozenset(a for a in inner if a not in self._ranks)) is not None
            }
            self._ranks |= grown
            growing = bool(grown)

    def _derives(self, rule: Rule, inner: frozenset[Atom]) -> list[Literal] | None:
        """Return the part of a body that derives its head, None if it does not, or only in a circle."""
        late = frozenset(a for a in inner if self._ranks.get(a, 0) >= self._ranks.get(rule.head, 0))
        return self._body(rule, late)

    def _body(self, rule: Rule, without: frozenset[Atom]) -> list[Literal] | None:
        """Return the part of a body that makes it hold without the atoms `without`, None if it does not."""
        holding = [lit for lit in rule.body if (abs(lit) in self.true) == (lit > 0) and lit not in without]
        if not rule.weights:
            return holding if len(holding) == len(rule.body) else None
        if self._total(rule, holding) < rule.bound:
            return None
        return self._enough(rule, holding, rule.bound)

    def _obstacles(self, rule: Rule, inner: frozenset[Atom]) -> tuple[Reasons, frozenset[Atom]]:
        """Return why a body fails: by literals of other strata if that is enough, else by atoms of this one."""
        failing = [lit for lit in rule.body if (abs(lit) in self.true) != (lit > 0)]
        outside = [lit for lit in failing if abs(lit) not in inner]
        if rule.weights:
            missing = sum(rule.weights) - rule.bound + 1
            if self._total(rule, outside) >= missing:
                return self._all(self._enough(rule, outside, missing)), frozenset()
            return self._all(outside), frozenset(abs(lit) for lit in failing if abs(lit) in inner)
        if outside:
            return min(map(self._why, outside), key=self._weight), frozenset()
        return NONE, frozenset(map(abs, failing[:1]))

    def _enough(self, rule: Rule, literals: list[Literal], bound: int) -> list[Literal]:
        """Return the literals that rest on the fewest steps and whose weights reach `bound`."""
        taken: list[Literal] = []
        for literal in sorted(literals, key=lambda lit: self._weight(self._why(lit))):
            if self._total(rule, taken) >= bound:
                break
            taken.append(literal)
        return taken

    @staticmethod
    def _total(rule: Rule, literals: Iterable[Literal]) -> int:
        chosen = set(literals)
        return sum(w for lit, w in zip(rule.body, rule.weights, strict=True) if lit in chosen)


def _ends(history: _History, goal: Goal) -> frozenset[Node]:
    """Return what the end of a game rests on directly, by the kind of its property."""
    trace, count = history.trace, len(history.trace.steps)
    if goal.kind in (Kind.TERMINATION, Kind.RESPONSE):
        loop = trace.loop if trace.loop is not None else count
        return frozenset(history.whole(i, NONE) for i in range(loop, count)) | _pending(history, goal)
    if goal.kind is Kind.DETERMINISM:
        first = next((i for i, s in enumerate(trace.steps) if not s.true.isdisjoint(goal.resolution)), 0)
        return frozenset(history.whole(index, NONE) for index in range(first, count))
    reasons = _shown(history, goal)
    if len(trace.states) == count:
        return frozenset({history.whole(count - 1, reasons)})
    return history.nodes(len(trace.states) - 1, reasons)


def _shown(history: _History, goal: Goal) -> Reasons:
    """Return what makes a property be broken or reached on the last board or in the last step."""
    trace = history.trace
    true = trace.steps[-1].true if len(trace.states) == len(trace.steps) else trace.boards[-1]
    explainer = history.explain(len(trace.states) - 1, true)
    return explainer.lightest(_claims(history, goal, true))


def _stays(history: _History, goal: Goal) -> tuple[tuple[int, int], ...]:
    """Return the values that the end rests on and that the last step left as they were."""
    steps = history.trace.steps
    if not steps or goal.kind not in (Kind.INVARIANT, Kind.STEP):
        return ()
    reasons, changed = _shown(history, goal), {change.fluent for change in steps[-1].changes}
    return tuple(
        (index, variable.atoms.index(atom))
        for index, variable in enumerate(history.system.variables)
        if variable.name not in changed and len(variable.domain) > 1
        for atom in variable.atoms
        if atom in reasons
    )


def _pending(history: _History, goal: Goal) -> frozenset[Node]:
    """Return what first makes the pending atoms of a response property hold and stay unanswered."""
    trace = history.trace
    answered = [i for i, board in enumerate(trace.boards) if not board.isdisjoint(goal.answered)]
    for index in range(max(answered, default=-1) + 1, len(trace.boards)):
        atoms = [atom for atom in goal.pending if atom in trace.boards[index]]
        if atoms:
            explainer = history.explain(index, trace.boards[index])
            return history.nodes(index, explainer.lightest([[atom] for atom in atoms]))
    return frozenset()


def _claims(history: _History, goal: Goal, true: frozenset[Atom]) -> list[list[Atom]]:
    """Return sets of atoms each of which alone shows the goal where all of `true` holds."""
    match goal.kind:
        case Kind.SOMETIMES:
            return [[atom] for atom in goal.reached if atom in true]
        case Kind.OPEN_OUTCOME:
            return [[outcome.fired] for outcome in history.system.outcomes if outcome.fired in true]
        case Kind.CONFLICT:
            by_variable: dict[int, dict[int, Atom]] = {}
            for effect in history.system.effects:
                if effect.atom in true:
                    by_variable.setdefault(effect.variable, {})[effect.value] = effect.atom
            return [list(atoms.values()) for atoms in by_variable.values() if len(atoms) > 1]
        case _:
            return [[atom] for atom, _ in goal.violated if atom in true]
