"""Which clauses are behind a difference: those whose rules fire on one side alone, among those it rests on."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from clingo.symbol import Function, Number

from checker.compare.merge import Merged
from checker.system.model import Atom, RuleSource, TransitionSystem


class Blame:
    """The rule instances of two systems that are not the same, and what each atom rests on."""

    def __init__(
        self,
        merged: Merged,
        systems: tuple[TransitionSystem, TransitionSystem],
        atoms: tuple[Mapping[Atom, Atom], Mapping[Atom, Atom]],
    ) -> None:
        self.merged = merged
        to_right = matched(systems[0].sources, systems[1].sources)
        to_left = {right: left for left, right in to_right.items()}
        self._below = tuple(_below(system) for system in systems)
        self._unlike = tuple(
            self._apart(systems[i], systems[1 - i], atoms[i], atoms[1 - i], over)
            for i, over in enumerate((to_right, to_left))
        )
        left, right = ({s.id: s for s in system.sources} for system in systems)
        self._labels = (
            {n: label(s, right.get(to_right.get(n, -1))) for n, s in left.items()},
            {n: label(left.get(to_left.get(n, -1)), s) for n, s in right.items()},
        )
        self._fired = tuple(system.fired for system in systems)

    def _apart(
        self,
        system: TransitionSystem,
        other: TransitionSystem,
        mine: Mapping[Atom, Atom],
        yours: Mapping[Atom, Atom],
        over: Mapping[int, int],
    ) -> dict[Atom, Atom]:
        """Return, for each rule instance that is not the same on both sides, the atom of firing on one alone."""
        found = {}
        for atom, rule in system.fired.items():
            symbol = system.atoms[atom]
            here = mine.get(atom, self.merged.never())
            there = self.merged.never()
            if symbol is not None and rule in over:
                twin = Function("fired", [Number(over[rule]), *symbol.arguments[1:]])
                there = yours.get(other.atom_of.get(twin, 0), there)
                there = self.merged.always() if twin in other.facts else there
            if here != there:
                found[atom] = self.merged.either(here, there)
        return found

    def of(self, roots: tuple[Iterable[Atom], Iterable[Atom]]) -> dict[str, Atom]:
        """Return, for each clause that what the sides' `roots` rest on may fire differently, the atom of doing so."""
        by_clause: dict[str, set[Atom]] = {}
        for side in (0, 1):
            for atom in _cone(roots[side], self._below[side]):
                if atom in self._unlike[side]:
                    for clause in self._labels[side][self._fired[side][atom]]:
                        by_clause.setdefault(clause, set()).add(self._unlike[side][atom])
        return {clause: self.merged.any_of([(a,) for a in sorted(atoms)]) for clause, atoms in by_clause.items()}


def matched(left: Sequence[RuleSource], right: Sequence[RuleSource]) -> dict[int, int]:
    """Return for rules of the left those of the right that are the same, or stand for the same clauses.

    A rule with the same text is the same; what is left over is matched by file and clauses, in order.
    """
    found: dict[int, int] = {}
    for same in (lambda s: s.text, lambda s: (s.file.rpartition("/")[2], s.clauses, s.assumption)):
        waiting: dict[object, list[int]] = {}
        taken = set(found.values())
        for source in right:
            if source.id not in taken:
                waiting.setdefault(same(source), []).append(source.id)
        for source in left:
            if source.id not in found and waiting.get(same(source)):
                found[source.id] = waiting[same(source)].pop(0)
    return found


def label(left: RuleSource | None, right: RuleSource | None) -> tuple[str, ...]:
    """Return the clauses of a rule, as the right numbers them if it has the rule."""
    source = right if right is not None and (right.clauses or right.assumption) else left
    if source is None:
        return ()
    return source.clauses or ((f"model: {source.assumption}",) if source.assumption else ())


def _below(system: TransitionSystem) -> dict[Atom, set[Atom]]:
    below: dict[Atom, set[Atom]] = {}
    for rule in system.rules():
        below.setdefault(rule.head, set()).update(abs(lit) for lit in rule.body)
    return below


def _cone(roots: Iterable[Atom], below: Mapping[Atom, set[Atom]]) -> set[Atom]:
    """Return the atoms that some atoms rest on, themselves included."""
    seen = set(roots)
    waiting = list(seen)
    while waiting:
        fresh = below.get(waiting.pop(), set()) - seen
        seen |= fresh
        waiting += fresh
    return seen
