"""What two systems say, side by side in one set of rules, and every way in which they may differ."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import combinations
from itertools import product as product_of

from clingo.symbol import Function, Number, Symbol

from checker.compare.merge import Merged, lay
from checker.system.model import Action, Atom, Outcome, TransitionSystem

ADDED, REMOVED, CHANGED, EVENTS = "added", "removed", "changed", "events"
"""An action is legal on the right alone; on the left alone; a step goes otherwise, or is another's to decide;
or a step makes other things happen, whatever board it leads to.
"""

STOP = Function("stop")
"""The variable that a step sets to two values where the sides part, so that there is no next board."""


@dataclass(frozen=True, slots=True)
class Difference:
    """One way the sides may differ: in which action or fluent, and the atom that says they do.

    roots: for each side, its own atoms that this rests on.
    """

    kind: str
    what: Symbol
    atom: Atom
    roots: tuple[frozenset[Atom], frozenset[Atom]]


@dataclass(frozen=True, slots=True)
class Laid:
    """A side with the merged atom of each of its atoms, and its effects by fluent and value."""

    system: TransitionSystem
    atoms: Mapping[Atom, Atom]
    chosen: Mapping[Atom, Atom]
    sets: Mapping[Symbol, Mapping[Symbol, Atom]]
    acts: Mapping[Symbol, Action]


class Joint:
    """The merged rules of two sides, and what they say of each action and fluent.

    common: the fluents both sides have; only: those one side alone has.
    """

    def __init__(self, left: TransitionSystem, right: TransitionSystem) -> None:
        self.merged = Merged()
        self.left = self._lay(left, 0, {})
        self.right = self._lay(right, 1, {})
        shared: dict[Atom, Atom] = {}
        while (more := self._same_options()) != shared:
            shared = more
            self.right = self._lay(right, 1, shared)
        self.sides = (self.left, self.right)
        self.busy = tuple(self._busy(side) for side in self.sides)
        self.blocked = tuple(self._blocked(side) for side in self.sides)
        mine, yours = ({v.name for v in side.system.variables} for side in self.sides)
        self.common = [v.name for v in left.variables if v.name in yours]
        self.only = tuple(sorted(mine - yours)), tuple(sorted(yours - mine))

    def _lay(self, system: TransitionSystem, number: int, shared: Mapping[Atom, Atom]) -> Laid:
        options = [o.chosen for outcome in system.outcomes for o in outcome.options]
        own = {a: self.merged.input(Function("chosen", [Number(number), Number(a)])) for a in options}
        chosen = own | dict(shared)
        atoms = lay(self.merged, system, chosen)
        nobody = self.merged.never()
        sets: dict[Symbol, dict[Symbol, Atom]] = {}
        for effect in system.effects:
            variable = system.variables[effect.variable]
            sets.setdefault(variable.name, {})[variable.domain[effect.value]] = atoms.get(effect.atom, nobody)
        return Laid(system, atoms, chosen, sets, {action.name: action for action in system.actions})

    def _same_options(self) -> dict[Atom, Atom]:
        """Return, for options of the right, the chosen inputs of outcomes of the left that say just the same."""
        known = {said(self.left, outcome): outcome for outcome in self.left.system.outcomes}
        shared: dict[Atom, Atom] = {}
        for outcome in self.right.system.outcomes:
            same = known.get(said(self.right, outcome))
            if same is not None:
                by_effect = {o.effect: self.left.chosen[o.chosen] for o in same.options}
                shared |= {o.chosen: by_effect[o.effect] for o in outcome.options}
        return shared

    def _busy(self, side: Laid) -> Atom:
        pairs = ((self.of(side, a.possible), self.of(side, a.forced)) for a in side.system.actions)
        return self.merged.any_of(sorted(set(pairs)))

    def enabled(self, side: Laid, busy: Atom, action: Symbol) -> Atom:
        """Return the atom of a board on which an action may be taken; `busy` says that something is forced."""
        found = side.acts.get(action)
        if found is None or found.possible is None:
            return self.merged.never()
        possible = self.of(side, found.possible)
        return self.merged.any_of([(possible, self.of(side, found.forced)), (possible, -busy)])

    def of(self, side: Laid, atom: Atom | None) -> Atom:
        """Return the merged atom of a side's atom; one without a rule never holds."""
        return self.merged.never() if atom is None else side.atoms.get(atom, self.merged.never())

    def _blocked(self, side: Laid) -> Atom:
        """Return the atom of a step without a next board: two values for one fluent, or no option."""
        two = [pair for by_value in side.sets.values() for pair in combinations(by_value.values(), 2)]
        stuck = [
            (side.atoms[o.fired], *(-self.of(side, option.enabled) for option in o.options))
            for o in side.system.outcomes
        ]
        return self.merged.any_of([*two, *stuck])

    def legal(self) -> Iterator[Difference]:
        """Yield what may be legal on one side alone."""
        for name in sorted({*self.left.acts, *self.right.acts}):
            mine, yours = (self.enabled(s, b, name) for s, b in zip(self.sides, self.busy, strict=True))
            roots = [_guards(side, None if self.busy[0] != self.busy[1] else name) for side in self.sides]
            if mine != yours:
                yield Difference(ADDED, name, self.merged.any_of([(yours, -mine)]), (roots[0], roots[1]))
                yield Difference(REMOVED, name, self.merged.any_of([(mine, -yours)]), (roots[0], roots[1]))

    def deciders(self) -> Iterator[Difference]:
        """Yield what is legal on both sides but may be for others to decide."""
        for name in sorted(self.left.acts.keys() & self.right.acts.keys()):
            deciders = [
                {who: self.merged.always() if a is None else self.of(side, a) for who, a in side.acts[name].by}
                for side in self.sides
            ]
            roots = [frozenset(a for _, a in side.acts[name].by if a is not None) for side in self.sides]
            if deciders[0] != deciders[1]:
                nobody = self.merged.never()
                both = self.both(name)
                pairs = [[d.get(who, nobody) for d in deciders] for who in sorted({*deciders[0], *deciders[1]})]
                other = self.merged.any_of([(self.merged.either(*pair),) for pair in pairs if pair[0] != pair[1]])
                yield Difference(CHANGED, name, self.merged.any_of([(both, other)]), (roots[0], roots[1]))

    def both(self, action: Symbol) -> Atom:
        """Return the atom of a board on which an action may be taken on both sides."""
        enabled = (self.enabled(s, b, action) for s, b in zip(self.sides, self.busy, strict=True))
        return self.merged.any_of([tuple(dict.fromkeys(enabled))])

    def next(self) -> Iterator[Difference]:
        """Yield what may be otherwise after a step; choices that both sides have must be made alike."""
        excused = self.excused()
        roots = [frozenset(e.atom for e in side.system.effects) for side in self.sides]
        if self.blocked[0] != self.blocked[1]:
            other = self.merged.either(*self.blocked)
            yield Difference(CHANGED, STOP, self.merged.any_of([(other, -excused)]), (roots[0], roots[1]))
        for name in self.common:
            mine, yours = (side.sets.get(name, {}) for side in self.sides)
            if mine == yours:
                continue
            after = [self._after(side, name) for side in self.sides]
            nobody = self.merged.never()
            apart = [
                (value, -after[1].get(term, nobody), -excused, -self.blocked[0], -self.blocked[1])
                for term, value in after[0].items()
                if value != after[1].get(term)
            ]
            own = [
                frozenset(e.atom for e in side.system.effects if side.system.variables[e.variable].name == name)
                for side in self.sides
            ]
            yield Difference(CHANGED, name, self.merged.any_of(apart), (own[0], own[1]))

    def _after(self, side: Laid, name: Symbol) -> dict[Symbol, Atom]:
        """Return, for each value of a fluent, the atom that says it is there after the step."""
        sets = side.sets.get(name, {})
        set_at_all = self.merged.any_of([(atom,) for atom in sorted(set(sets.values()))])
        found = {}
        for value in self.domain(name):
            kept = (self.merged.input(Function("now", [name, value])), -set_at_all)
            found[value] = self.merged.any_of([kept, *([(sets[value],)] if value in sets else [])])
        return found

    def events(self) -> Iterator[Difference]:
        """Yield what may happen on one side alone in a step."""
        known = [{n: a for n, a in side.system.atom_of.items() if n.match("event", 1)} for side in self.sides]
        for name in sorted(known[0].keys() | known[1].keys()):
            mine, yours = (self.of(side, own.get(name)) for side, own in zip(self.sides, known, strict=True))
            if mine != yours:
                other = self.merged.any_of([(self.merged.either(mine, yours), -self.excused())])
                roots = [frozenset({own[name]} if name in own else ()) for own in known]
                yield Difference(EVENTS, name.arguments[0], other, (roots[0], roots[1]))

    def excused(self) -> Atom:
        """Return the atom of a step in which both sides choose otherwise, though each could choose as the other.

        A choice that the other side does not offer is no excuse: it is a difference if it leads elsewhere.
        """
        ways = ((self.left, self.right), (self.right, self.left))
        return self.merged.any_of([tuple(self._could_follow(mine, yours) for mine, yours in ways)])

    def _could_follow(self, mine: Laid, yours: Laid) -> Atom:
        """Return the atom of a step in which `mine` chooses what `yours` offers as well and does not choose."""
        bodies = []
        for outcome, other in product_of(mine.system.outcomes, yours.system.outcomes):
            theirs = {o.effect: o for o in other.options}
            for option in outcome.options:
                same = theirs.get(option.effect)
                if same is None or mine.chosen[option.chosen] == yours.chosen[same.chosen]:
                    continue
                offered = (self.of(yours, other.fired), self.of(yours, same.enabled), -yours.chosen[same.chosen])
                bodies.append((mine.chosen[option.chosen], self.of(mine, outcome.fired), *offered))
        return self.merged.any_of(bodies)

    def domain(self, name: Symbol) -> tuple[Symbol, ...]:
        """Return the values a fluent has on either side, those of the left first."""
        own = [v.domain for side in self.sides for v in side.system.variables if v.name == name]
        return tuple(dict.fromkeys(value for domain in own for value in domain))


def said(side: Laid, outcome: Outcome) -> object:
    """Return what an outcome says: when it happens, and what may be chosen when."""
    options = frozenset((str(o.effect), side.atoms.get(o.enabled)) for o in outcome.options)
    return side.atoms.get(outcome.fired), options


def _guards(side: Laid, name: Symbol | None) -> frozenset[Atom]:
    """Return what an action's being legal rests on; with None, what is forced on the board as a whole as well."""
    actions = [a for a in side.system.actions if name is None or a.name == name]
    return frozenset(atom for action in actions for atom in (action.possible, action.forced) if atom is not None)
