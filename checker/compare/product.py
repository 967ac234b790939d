"""Two systems in lock step, as one transition system: the same board, the same action, the same choices.

The product has every variable once, since both sides agree on the fluents they share until they differ, and
then the game ends: a step that tells the sides apart has no next board. So a plain search of the product, by
any engine, is an exhaustive search for differences, and its shortest games are the shortest differences.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from clingo.symbol import Function, Number, Symbol

from checker.compare.blame import Blame
from checker.compare.joint import ADDED, CHANGED, EVENTS, REMOVED, STOP, Difference, Joint, Laid
from checker.system.model import (
    Action,
    Atom,
    Effect,
    Goal,
    Kind,
    Option,
    Outcome,
    TransitionSystem,
    Variable,
)
from checker.system.stratify import stratify

CLAUSE = "clause "
"""What the name of a clause's goal begins with."""


@dataclass(frozen=True, slots=True)
class Side:
    """One side of a product: for its variables, actions and chosen options those of the product.

    domains: for each of its variables the indices of the values in the product's domain.
    """

    system: TransitionSystem
    variables: tuple[int, ...]
    domains: tuple[tuple[int, ...], ...]
    actions: Mapping[int, int]
    chosen: Mapping[Atom, Atom]


@dataclass(frozen=True, slots=True)
class Product:
    """Two systems in lock step.

    only: the fluents that one side alone has. starts: fluents that start otherwise.
    same: the rules are the same as a whole, those of properties included, so that every verdict is.

    The goals of `system` are one for each kind of difference and one for each clause (`clause ...`) whose rules
    fire on one side alone when the sides differ. There is none where the rules are the same.
    """

    system: TransitionSystem
    left: Side
    right: Side
    only: tuple[tuple[Symbol, ...], tuple[Symbol, ...]]
    starts: tuple[Symbol, ...]
    same: bool


def product(left: TransitionSystem, right: TransitionSystem) -> Product:
    """Return the two systems in lock step."""
    return _Builder(left, right).build()


class _Builder:
    """Makes a transition system of what two sides say."""

    def __init__(self, left: TransitionSystem, right: TransitionSystem) -> None:
        self.joint = Joint(left, right)
        self.merged, self.sides, self.only = self.joint.merged, self.joint.sides, self.joint.only
        self.left, self.right = self.sides

    def build(self) -> Product:
        parted = list(self.joint.next())
        differences = [*self.joint.legal(), *self.joint.deciders(), *parted, *self.joint.events()]
        live = [d for d in differences if d.atom != self.merged.never()]
        goals = tuple(self._goals(live))
        names = [v.name for v in self.left.system.variables] + list(self.only[1])
        variables = [self._variable(name) for name in names]
        stop = Variable(STOP, (Number(0), Number(1)), (0,), tuple(self._stop_atoms()))
        effects = list(self._effects({name: i for i, name in enumerate(names)}, variables))
        over = self._over(parted)
        effects += [
            Effect(len(variables), value, self.merged.own(Function("set", [STOP, Number(value)]), over))
            for value in (0, 1)
        ]
        actions = tuple(self._actions())
        system = TransitionSystem(
            name=f"{self.left.system.name} / {self.right.system.name}",
            atoms=tuple(self.merged.symbols),
            strata=stratify(self.merged.rules),
            variables=(*variables, stop),
            actions=actions,
            effects=tuple(effects),
            outcomes=tuple(self._outcomes()),
            goals=goals,
            facts=frozenset(),
            fired={},
            sources=(),
        )
        left, right = (self._side(side, system) for side in self.sides)
        starts = self._starts()
        same = not goals and not starts and not any(self.only) and self._asks(self.left) == self._asks(self.right)
        return Product(system, left, right, self.only, starts, same)

    def _asks(self, side: Laid) -> object:
        """Return what a side's properties ask, which actions there are, and which rules fire when."""
        fields = ("violated", "reached", "resolution", "pending", "answered")
        asked = {
            (goal.name, goal.kind, field, self.joint.of(side, atom), str(culprit))
            for goal in side.system.goals
            for field in fields
            for atom, culprit in _pairs(getattr(goal, field))
        }
        names = {(goal.name, goal.kind) for goal in side.system.goals}, set(side.acts)
        fires = Counter((rule, self.joint.of(side, atom)) for atom, rule in _rules_fired(side.system))
        return asked, names, fires

    def _over(self, differences: Iterable[Difference]) -> Atom:
        """Return the atom of a step after which the sides are not followed on."""
        ends = [(d.atom,) for d in differences]
        return self.merged.any_of([*ends, (self.joint.excused(),), (self.joint.blocked[0],), (self.joint.blocked[1],)])

    def _goals(self, differences: list[Difference]) -> Iterator[Goal]:
        for kind in (ADDED, REMOVED, CHANGED, EVENTS):
            shown = {(d.atom, d.what) for d in differences if d.kind == kind}
            if shown:
                yield Goal(kind, Kind.STEP, tuple(sorted(shown)))
        blame = Blame(self.merged, (self.left.system, self.right.system), (self.left.atoms, self.right.atoms))
        by_clause: dict[str, set[tuple[Atom, Symbol]]] = {}
        for difference in (d for d in differences if d.kind != EVENTS):
            for clause, fires in blame.of(difference.roots).items():
                by_clause.setdefault(clause, set()).add(
                    (self.merged.any_of([(difference.atom, fires)]), difference.what)
                )
        for clause, pairs in sorted(by_clause.items()):
            yield Goal(f"{CLAUSE}{clause}", Kind.STEP, tuple(sorted(pairs)))

    def _initial(self, name: Symbol) -> list[set[Symbol]]:
        return [
            {v.domain[i] for i in v.initial} for side in self.sides for v in side.system.variables if v.name == name
        ]

    def _starts(self) -> tuple[Symbol, ...]:
        return tuple(n for n in self.joint.common if (both := self._initial(n))[0] != both[1])

    def _variable(self, name: Symbol) -> Variable:
        domain, initial = self.joint.domain(name), set.intersection(*self._initial(name))
        atoms = tuple(self.merged.input(Function("now", [name, value])) for value in domain)
        return Variable(name, domain, tuple(i for i, value in enumerate(domain) if value in initial), atoms)

    def _stop_atoms(self) -> Iterator[Atom]:
        return (self.merged.input(Function("now", [STOP, Number(value)])) for value in (0, 1))

    def _effects(self, index: Mapping[Symbol, int], variables: list[Variable]) -> Iterator[Effect]:
        """Yield the effects of the left, and of the right on what it alone has."""
        for side, names in ((self.left, None), (self.right, self.only[1])):
            for name, by_value in side.sets.items():
                if names is None or name in names:
                    domain = variables[index[name]].domain
                    for value, atom in by_value.items():
                        sets = self.merged.own(Function("set", [name, value]), atom)
                        yield Effect(index[name], domain.index(value), sets)

    def _actions(self) -> Iterator[Action]:
        for name in sorted(self.left.acts.keys() & self.right.acts.keys()):
            occurs = self.merged.input(Function("occurs", [name]))
            possible = self.merged.own(Function("possible", [name]), self.joint.both(name))
            yield Action(name, occurs, possible, None, ((STOP, None),))

    def _outcomes(self) -> Iterator[Outcome]:
        seen = set()
        for side in self.sides:
            for outcome in side.system.outcomes:
                options = tuple(
                    Option(self.joint.of(side, o.enabled), side.chosen[o.chosen], o.effect) for o in outcome.options
                )
                if options and options[0].chosen not in seen:
                    seen |= {o.chosen for o in options}
                    yield Outcome(side.atoms[outcome.fired], options)

    def _side(self, side: Laid, system: TransitionSystem) -> Side:
        index = {v.name: i for i, v in enumerate(system.variables)}
        actions = {action.name: i for i, action in enumerate(side.system.actions)}
        own = side.system.variables
        return Side(
            system=side.system,
            variables=tuple(index[v.name] for v in own),
            domains=tuple(tuple(system.variables[index[v.name]].domain.index(x) for x in v.domain) for v in own),
            actions={i: actions[a.name] for i, a in enumerate(system.actions)},
            chosen={merged: atom for atom, merged in side.chosen.items()},
        )


def _pairs(atoms: Iterable[Atom | tuple[Atom, Symbol | None]]) -> Iterator[tuple[Atom, Symbol | None]]:
    """Yield atoms with their culprits, None where the field has none."""
    return (entry if isinstance(entry, tuple) else (entry, None) for entry in atoms)


def _rules_fired(system: TransitionSystem) -> Iterator[tuple[Atom, tuple[str, ...]]]:
    """Yield every rule instance with the clauses of its rule."""
    clauses = {source.id: source.clauses for source in system.sources}
    return ((atom, clauses[rule]) for atom, rule in system.fired.items())
