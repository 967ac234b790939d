"""Split the ground rules into those of the board and, per action, those of the step it makes.

Partial evaluation: with `occurs(a)` true and every other action false most step rules vanish, and what is
left is the small table of effects of action a. Both bulk engines (explicit, symbolic) start from here.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import groupby

from checker.system.model import Atom, Effect, Literal, Outcome, Rule, Stratum, TransitionSystem

OPEN, TRUE, FALSE = 0, 1, -1


@dataclass(frozen=True, slots=True)
class StepRules:
    """What remains of the rules when one action occurs.

    strata: the step rules left, in order; a rule with an empty body makes its head true. They read inputs
    (`now`, the chosen options), atoms of the board rules, and heads of earlier strata.
    effects, outcomes: those that can happen at all. goals: the step atoms asked for that can be true.
    """

    action: int
    strata: tuple[Stratum, ...]
    effects: tuple[Effect, ...]
    outcomes: tuple[Outcome, ...]
    goals: frozenset[Atom]

    def heads(self) -> frozenset[Atom]:
        """The atoms derived in this step."""
        return frozenset(rule.head for stratum in self.strata for rule in stratum.rules)


@dataclass(frozen=True, slots=True)
class Specialised:
    """A transition system cut into board rules and the rules of each action's step.

    board: rules that read neither `occurs` nor a chosen option, restricted to what is needed.
    """

    board: tuple[Stratum, ...]
    steps: tuple[StepRules, ...]


def specialise(system: TransitionSystem, goals: Iterable[Atom] = ()) -> Specialised:
    """Cut `system` into board rules and step rules, keeping what effects, guards and `goals` need.

    Args:
        system: the ground rulebook.
        goals: atoms that the engine will ask about (violated, reached, fired, ...); step atoms among them
            are kept in every step that can make them true.

    """
    wanted = frozenset(goals)
    of_step = step_atoms(system)
    cutter = _Cutter(system, of_step, wanted)
    steps = tuple(cutter.cut(index) for index in range(len(system.actions)))
    needed = {a for action in system.actions for a in (action.possible, action.forced) if a is not None}
    needed |= {who for action in system.actions for _, who in action.by if who is not None}
    needed |= wanted - of_step
    needed |= {abs(lit) for step in steps for stratum in step.strata for r in stratum.rules for lit in r.body}
    return Specialised(_cone(system.strata, needed, of_step), steps)


def step_atoms(system: TransitionSystem) -> set[Atom]:
    """Return the atoms that depend on the action or on a chosen option, not on the board alone."""
    reached = {a.occurs for a in system.actions} | {o.chosen for out in system.outcomes for o in out.options}
    for stratum in system.strata:
        grown = True
        while grown:
            grown = False
            for rule in stratum.rules:
                if rule.head not in reached and any(abs(lit) in reached for lit in rule.body):
                    reached.add(rule.head)
                    grown = stratum.recursive
    return reached


def _cone(strata: tuple[Stratum, ...], needed: set[Atom], without: set[Atom]) -> tuple[Stratum, ...]:
    """Keep the strata that `needed` atoms depend on, leaving out rules for atoms in `without`."""
    needed, kept = set(needed), []
    for stratum in reversed(strata):
        heads = {rule.head for rule in stratum.rules} - without
        if heads & needed:
            rules = tuple(rule for rule in stratum.rules if rule.head not in without)
            needed.update(abs(lit) for rule in rules for lit in rule.body)
            kept.append(Stratum(rules, stratum.recursive))
    return tuple(reversed(kept))


class _Cutter:
    """Evaluates the step rules partially, once with no action and then once per action.

    Works on units, each the rules of one atom or of one recursive stratum, so that an action costs only
    what it touches.
    """

    def __init__(self, system: TransitionSystem, step_atoms: set[Atom], goals: frozenset[Atom]) -> None:
        self.system, self.goals = system, goals & step_atoms
        self.units = [unit for unit in _units(system.strata) if unit.rules[0].head in step_atoms]
        self.unit_of = {rule.head: number for number, u in enumerate(self.units) for rule in u.rules}
        self.readers: dict[Atom, list[int]] = {}
        for number, unit in enumerate(self.units):
            for atom in {abs(lit) for rule in unit.rules for lit in rule.body}:
                self.readers.setdefault(atom, []).append(number)
        self.base: dict[Atom, int] = dict.fromkeys((a.occurs for a in system.actions), FALSE)
        self.base_rules = [self._evaluate(unit, self.base) for unit in self.units]
        self.base_open = [e for e in system.effects if self.base.get(e.atom, OPEN) != FALSE]
        self.effects_of: dict[Atom, list[Effect]] = {}
        for effect in system.effects:
            self.effects_of.setdefault(effect.atom, []).append(effect)

    def _evaluate(self, unit: _Unit, values: dict[Atom, int]) -> tuple[Rule, ...]:
        """Simplify one unit under `values`, record what became constant, and return the rules left."""
        heads = {rule.head for rule in unit.rules}
        for head in heads:
            values.pop(head, None)
        left = [r for rule in unit.rules if (r := _simplify(rule, values)) is not None]
        true = {rule.head for rule in left if not rule.body}
        for head in heads - {rule.head for rule in left}:
            values[head] = FALSE
        for head in true:
            values[head] = TRUE
        return tuple(r for r in left if r.head not in true) + tuple(Rule(head, ()) for head in sorted(true))

    def cut(self, index: int) -> StepRules:
        """Return the step rules of action number `index`."""
        occurs = self.system.actions[index].occurs
        values = dict(self.base)
        values[occurs] = TRUE
        rules = {number: self._evaluate(self.units[number], values) for number in self._touched(occurs)}

        def possible(atom: Atom) -> bool:
            return values.get(atom, OPEN) != FALSE

        touched = {rule.head for left in rules.values() for rule in left}
        effects = [e for atom in sorted(touched) for e in self.effects_of.get(atom, ())]
        effects = [e for e in {*effects, *self.base_open} if possible(e.atom)]
        outcomes = tuple(o for o in self.system.outcomes if possible(o.fired))
        goals = frozenset(g for g in self.goals if possible(g))
        needed = {e.atom for e in effects} | {o.fired for o in outcomes} | goals
        needed |= {option.enabled for o in outcomes for option in o.options}
        ordered = tuple(sorted(effects, key=lambda e: (e.variable, e.value)))
        return StepRules(index, self._strata(rules, needed), ordered, outcomes, goals)

    def _strata(self, rules: Mapping[int, tuple[Rule, ...]], needed: set[Atom]) -> tuple[Stratum, ...]:
        """Keep the rules that `needed` depends on, level by level."""
        kept: set[int] = set()
        waiting = list(needed)
        while waiting:
            number = self.unit_of.get(waiting.pop())
            if number is not None and number not in kept:
                kept.add(number)
                left = rules.get(number, self.base_rules[number])
                waiting.extend(abs(lit) for rule in left for lit in rule.body)
        strata = []
        for (_, recursive), numbers in groupby(sorted(kept), key=lambda n: self.units[n].key):
            left = tuple(r for n in numbers for r in rules.get(n, self.base_rules[n]))
            if left:
                strata.append(Stratum(left, recursive))
        return tuple(strata)

    def _touched(self, occurs: Atom) -> list[int]:
        """The units that may read something that depends on `occurs`, in order."""
        touched: set[int] = set()
        waiting = [occurs]
        while waiting:
            for number in self.readers.get(waiting.pop(), ()):
                if number not in touched:
                    touched.add(number)
                    waiting.extend({rule.head for rule in self.units[number].rules})
        return sorted(touched)


@dataclass(frozen=True, slots=True)
class _Unit:
    """The rules of one atom, or of a recursive stratum; units with the same key share a stratum."""

    key: tuple[int, bool]
    rules: tuple[Rule, ...]


def _units(strata: tuple[Stratum, ...]) -> Iterator[_Unit]:
    for level, stratum in enumerate(strata):
        if stratum.recursive:
            yield _Unit((level, True), stratum.rules)
            continue
        by_head: dict[Atom, list[Rule]] = {}
        for rule in stratum.rules:
            by_head.setdefault(rule.head, []).append(rule)
        for rules in by_head.values():
            yield _Unit((level, False), tuple(rules))


def _simplify(rule: Rule, values: Mapping[Atom, int]) -> Rule | None:
    """Return what is left of `rule` under `values`, or None if its body is false."""
    if rule.weights:
        return _simplify_weighted(rule, values)
    body: list[Literal] = []
    for lit in rule.body:
        value = values.get(abs(lit), OPEN)
        if value == OPEN:
            body.append(lit)
        elif (value == TRUE) != (lit > 0):
            return None
    return rule if len(body) == len(rule.body) else Rule(rule.head, tuple(body))


def _simplify_weighted(rule: Rule, values: Mapping[Atom, int]) -> Rule | None:
    bound, body, weights = rule.bound, [], []
    for lit, weight in zip(rule.body, rule.weights, strict=True):
        value = values.get(abs(lit), OPEN)
        if value == OPEN:
            body.append(lit)
            weights.append(weight)
        elif (value == TRUE) == (lit > 0):
            bound -= weight
    if bound <= 0:
        return Rule(rule.head, ())
    return Rule(rule.head, tuple(body), tuple(weights), bound) if sum(weights) >= bound else None
