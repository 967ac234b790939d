"""What makes two games that break one property different.

A game ends where a property breaks: in a step that breaks it, in a step from a board that keeps it to one
that does not, or on an initial board. Two such ends are alike if

- the step means the same clauses: those of the rules of the step that fire in it; and
- the same is broken, up to an exchange of objects that nothing tells apart (`system.symmetry`).

Of alike ends one is shown, by a shortest game. A step that clashes or leaves an outcome open is known by its
clauses alone. Both engines that look for different games go by this module, each in its own way.

Where the outcome of a resolution is not determined, two games are alike if it is the same two actions whose
order nobody decides, or the same one that is left open, up to such an exchange; where something is never
answered, or forced steps never end, if the step that leads to where that begins means the same clauses.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TypeAlias

from clingo.symbol import Symbol

from checker.system.model import Atom, Goal, Kind, TransitionSystem
from checker.system.symmetry import Groups, images, interchangeable

KINDS = frozenset({Kind.INVARIANT, Kind.STEP, Kind.CONFLICT, Kind.OPEN_OUTCOME})
"""The kinds of property whose games are told apart by their ends."""

Key: TypeAlias = tuple[str, ...]
"""What alike games share."""


@dataclass(frozen=True, slots=True)
class End:
    """What an end is known by.

    broken: the atoms that say what is broken, as one of the sets that exchanges make of them.
    clauses: those of the step; None on an initial board. lands: the step has a next board, which is broken.
    """

    broken: Key
    clauses: frozenset[str] | None
    lands: bool


@dataclass(frozen=True)
class Alike:
    """Names what terms of a system have in common, up to an exchange of objects that nothing tells apart."""

    system: TransitionSystem

    @cached_property
    def groups(self) -> Groups:
        """The objects that may be exchanged."""
        return interchangeable(self.system)

    def key(self, symbols: Iterable[Symbol]) -> Key:
        """Return one of the sets that exchanges make of terms; alike terms have the same."""
        return min(tuple(sorted(map(str, image))) for image in images(symbols, self.groups))

    def actions(self, *numbers: int) -> Key:
        """Return the key of some actions, given by their numbers."""
        return self.key([self.system.actions[number].name for number in numbers])


@dataclass(frozen=True)
class Ends(Alike):
    """Names the ends of games that break one property of a system."""

    goal: Goal

    @cached_property
    def clauses(self) -> Mapping[str, tuple[Atom, ...]]:
        """The `fired` atoms of each clause."""
        found: dict[str, list[Atom]] = {}
        for atom, rule in self.system.fired.items():
            for clause in self.system.sources[rule].clauses:
                found.setdefault(clause, []).append(atom)
        return {clause: tuple(atoms) for clause, atoms in found.items()}

    def end(self, broken: Iterable[Atom], fired: Iterable[Atom] | None, lands: bool) -> End:
        """Return what an end is known by: what is broken, and the rules of the step that fired."""
        clauses = None if fired is None else self.meant(fired)
        return End(self.key(self._symbols(broken)), clauses, lands)

    def meant(self, fired: Iterable[Atom]) -> frozenset[str]:
        """Return the clauses that rules mean, given by their `fired` atoms."""
        sources = (self.system.sources[self.system.fired[atom]] for atom in fired)
        return frozenset(clause for source in sources for clause in source.clauses)

    def alike(self, broken: Iterable[Atom]) -> list[frozenset[Atom]]:
        """Return every set of atoms that exchanges make of those that say what is broken."""
        atoms = self.system.atom_of
        found = images(self._symbols(broken), self.groups)
        return [frozenset(atoms[symbol] for symbol in image) for image in sorted(found, key=sorted)]

    def _symbols(self, atoms: Iterable[Atom]) -> list[Symbol]:
        return [symbol for atom in atoms if (symbol := self.system.atoms[atom]) is not None]
