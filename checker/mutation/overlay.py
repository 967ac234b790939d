"""Rules laid over a transition system: what is derived in the same way is one atom."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import TypeAlias

from checker.system.model import Atom, Literal, Rule, TransitionSystem
from checker.system.stratify import stratify

FALSE: Atom = 0
"""Stands for an atom that never holds; a real atom is 1 or more."""

Key: TypeAlias = tuple[tuple[tuple[Literal, ...], tuple[int, ...], int], ...]
"""The bodies that derive an atom, in order: two atoms with the same key hold together."""


class Overlay:
    """New atoms from number `top` on, with the rules that derive them. known: the atom of each key there is."""

    def __init__(self, top: Atom) -> None:
        self.top = top
        self.rules: list[Rule] = []
        self.known: dict[Key, Atom] = {}

    def define(self, rules: list[Rule]) -> Atom:
        """Return an atom that these rules derive, one that is there already if there is one."""
        if not rules:
            return FALSE
        key = key_of(rules)
        if key not in self.known:
            atom = self.known[key] = self.new()
            self.rules += (Rule(atom, rule.body, rule.weights, rule.bound) for rule in rules)
        return self.known[key]

    def new(self) -> Atom:
        """Return an atom that nothing derives yet."""
        self.top += 1
        return self.top - 1

    def onto(self, system: TransitionSystem) -> TransitionSystem:
        """Return the system, which has `top` atoms without them, with the new atoms and rules."""
        names = (*system.atoms, *(None for _ in range(self.top - len(system.atoms))))
        return replace(system, atoms=names, strata=stratify([*system.rules(), *self.rules]))


def apart(one: Atom, other: Atom) -> Iterator[tuple[Literal, ...]]:
    """Yield the bodies under which exactly one of two atoms holds."""
    for holds, fails in ((one, other), (other, one)):
        if holds != FALSE:
            yield (holds,) if fails == FALSE else (holds, -fails)


def by_head(rules: Iterable[Rule]) -> dict[Atom, list[Rule]]:
    """Group rules by what they derive."""
    found: dict[Atom, list[Rule]] = {}
    for rule in rules:
        found.setdefault(rule.head, []).append(rule)
    return found


def moved(rules: Iterable[Rule], place: Mapping[Atom, Atom]) -> list[Rule]:
    """Return rules over other atoms, without the literals that always hold and the rules that never apply."""
    found = []
    for rule in rules:
        pairs = [(_literal(lit, place), weight) for lit, weight in _weighted(rule)]
        kept = [(lit, weight) for lit, weight in pairs if lit is not None and lit != FALSE]
        if not rule.weights:
            if all(lit != FALSE for lit, _ in pairs):
                found.append(Rule(rule.head, tuple(lit for lit, _ in kept)))
            continue
        bound = rule.bound - sum(weight for lit, weight in pairs if lit is None)
        if bound <= 0:
            found.append(Rule(rule.head, ()))
        elif kept:
            found.append(Rule(rule.head, tuple(lit for lit, _ in kept), tuple(w for _, w in kept), bound))
    return found


def _weighted(rule: Rule) -> Iterator[tuple[Literal, int]]:
    return zip(rule.body, rule.weights or (1 for _ in rule.body), strict=True)


def _literal(literal: Literal, place: Mapping[Atom, Atom]) -> Literal | None:
    """Return a literal over other atoms: FALSE if it never holds, None if it always does."""
    atom = place.get(abs(literal), FALSE)
    if atom == FALSE:
        return FALSE if literal > 0 else None
    return atom if literal > 0 else -atom


def key_of(rules: Iterable[Rule]) -> Key:
    """Return the bodies of rules in order."""
    return tuple(sorted({(*_body(rule), rule.bound) for rule in rules}))


def _body(rule: Rule) -> tuple[tuple[Literal, ...], tuple[int, ...]]:
    if not rule.weights:
        return tuple(sorted(rule.body)), ()
    pairs = sorted(zip(rule.body, rule.weights, strict=True))
    return tuple(lit for lit, _ in pairs), tuple(weight for _, weight in pairs)
