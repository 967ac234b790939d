"""Find the objects of a board that may be exchanged without changing anything, and what they make alike.

Two objects may be exchanged if swapping their names turns the ground transition system into itself: its
facts, variables, actions and rules. Auxiliary atoms have no name; they count as the bodies that derive them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import permutations, product
from typing import TypeAlias

from clingo.symbol import Function, Symbol, SymbolType

from checker.system.model import Atom, Literal, TransitionSystem

Rename: TypeAlias = Callable[[Symbol], Symbol]

Groups: TypeAlias = tuple[tuple[Symbol, ...], ...]
"""Groups of two or more objects; any two of one group may be exchanged."""


def interchangeable(system: TransitionSystem) -> Groups:
    """Return the groups of objects of a board that nothing tells apart, in the order of their names."""
    objects = sorted(fact.arguments[0] for fact in system.facts if fact.match("object", 1))
    said: dict[Symbol, set[tuple[Symbol, ...]]] = {name: set() for name in objects}
    for fact in system.facts:
        if fact.name == "object" and len(fact.arguments) > 1 and fact.arguments[0] in said:
            said[fact.arguments[0]].add(tuple(fact.arguments[1:]))
    shape = _Shape(system)
    groups: list[list[Symbol]] = []
    for name in objects:
        for group in groups:
            if said[group[0]] == said[name] and shape.same_under(renaming({group[0]: name, name: group[0]})):
                group.append(name)
                break
        else:
            groups.append([name])
    return tuple(tuple(group) for group in groups if len(group) > 1)


def renaming(names: Mapping[Symbol, Symbol]) -> Rename:
    """Return what replaces constants by others wherever they stand in a term."""
    known: dict[Symbol, Symbol] = {}

    def rename(symbol: Symbol) -> Symbol:
        if symbol.type != SymbolType.Function:
            return symbol
        if not symbol.arguments:
            return names.get(symbol, symbol)
        if symbol not in known:
            known[symbol] = Function(symbol.name, [rename(a) for a in symbol.arguments], symbol.positive)
        return known[symbol]

    return rename


def images(symbols: Iterable[Symbol], groups: Groups) -> frozenset[frozenset[Symbol]]:
    """Return every set that a set of terms becomes when objects of one group are exchanged; itself is one."""
    listed = tuple(symbols)
    named = frozenset(constant for symbol in listed for constant in _constants(symbol))
    used = [[name for name in group if name in named] for group in groups]
    ways = [list(permutations(group, len(mine))) for group, mine in zip(groups, used, strict=True)]
    found = set[frozenset[Symbol]]()
    for way in product(*ways):
        pairs = (pair for mine, chosen in zip(used, way, strict=True) for pair in zip(mine, chosen, strict=True))
        found.add(frozenset(map(renaming(dict(pairs)), listed)))
    return frozenset(found)


def _constants(symbol: Symbol) -> Iterator[Symbol]:
    if symbol.type == SymbolType.Function:
        if not symbol.arguments:
            yield symbol
        for argument in symbol.arguments:
            yield from _constants(argument)


@dataclass(frozen=True, slots=True)
class _Part:
    """A rule without its head: the keys of its body in order, each with its weight, and the bound."""

    body: tuple[tuple[int, int], ...]
    bound: int


class _Shape:
    """A system as sets that do not depend on how atoms are numbered, under a renaming of its constants."""

    def __init__(self, system: TransitionSystem) -> None:
        self.system = system
        self._numbers: dict[object, int] = {}
        self._bodies: dict[Atom, list[tuple[Sequence[Literal], Sequence[int], int]]] = {}
        for rule in system.rules():
            symbol = system.atoms[rule.head]
            if not rule.body and symbol is not None and symbol.name == "fired":
                continue  # of the instances of a rule that always fires only one is kept
            self._bodies.setdefault(rule.head, []).append((rule.body, rule.weights, rule.bound))
        self._plain = self._parts(lambda symbol: symbol)

    def same_under(self, rename: Rename) -> bool:
        """Tell whether renaming turns the system into itself."""
        if any(rename(fact) not in self.system.facts for fact in self.system.facts):
            return False
        return self._parts(rename) == self._plain

    def _parts(self, rename: Rename) -> tuple[frozenset[object], ...]:
        keys: dict[Atom, int] = {}
        heads = (atom for atom in self._bodies if self.system.atoms[atom] is not None)
        rules = frozenset((self._key(head, rename, keys), self._derived(head, rename, keys)) for head in heads)
        variables = frozenset(
            (
                rename(variable.name),
                frozenset(map(rename, variable.domain)),
                frozenset(rename(variable.domain[value]) for value in variable.initial),
            )
            for variable in self.system.variables
        )
        actions = frozenset(
            (rename(action.name), frozenset((rename(who), atom is None) for who, atom in action.by))
            for action in self.system.actions
        )
        return rules, variables, actions

    def _derived(self, atom: Atom, rename: Rename, keys: dict[Atom, int]) -> frozenset[_Part]:
        return frozenset(
            _Part(
                tuple(
                    sorted(
                        (self._key(abs(lit), rename, keys) * (1 if lit > 0 else -1), weight)
                        for lit, weight in zip(body, weights or (0,) * len(body), strict=True)
                    )
                ),
                bound,
            )
            for body, weights, bound in self._bodies.get(atom, ())
        )

    def _key(self, atom: Atom, rename: Rename, keys: dict[Atom, int]) -> int:
        """Return the number of an atom's renamed symbol, or of what derives it if it has none."""
        if atom not in keys:
            symbol = self.system.atoms[atom]
            if symbol is None:
                keys[atom] = self._number(("recursive", atom))  # stands while its own bodies are looked at
                keys[atom] = self._number(self._derived(atom, rename, keys))
            else:
                keys[atom] = self._number(rename(symbol))
        return keys[atom]

    def _number(self, what: object) -> int:
        return self._numbers.setdefault(what, len(self._numbers) + 1)
