"""Lay the ground rules of two systems over each other, so that what both say alike is there once.

An atom is what its rules are: two atoms whose bodies are the same sets of literals are one atom of the merged
rules, whichever side they come from. A single rule with one positive literal alone is that literal, unless that
is an input, since engines expect what they ask about to be derived. What an edit does
not touch is so shared, and only what depends on it is there twice.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence

from clingo.symbol import Function, Symbol

from checker.system.model import Atom, Literal, Rule, Stratum, TransitionSystem


class Merged:
    """Rules under construction; atoms are given out from 1, each with the key it is known by."""

    def __init__(self) -> None:
        self.symbols: list[Symbol | None] = [None]
        self.rules: list[Rule] = []
        self._atoms: dict[Hashable, Atom] = {}
        self._inputs: set[Atom] = set()

    def input(self, symbol: Symbol) -> Atom:
        """Return the atom of an input; the same one for the same symbol."""
        atom = self._atom(("input", symbol), symbol)
        self._inputs.add(atom)
        return atom

    def own(self, symbol: Symbol, atom: Atom) -> Atom:
        """Return an atom of that name that holds when `atom` does, and that nothing else is.

        Engines expect every effect and every action's guard to have an atom to itself.
        """
        named = self._atom(("own", symbol), symbol)
        if named == len(self.symbols) - 1:
            self.rules.append(Rule(named, (atom,)))
        return named

    def any_of(self, bodies: Iterable[Iterable[Literal]]) -> Atom:
        """Return the atom that holds if one of the conjunctions does."""
        return self.defined(Rule(0, tuple(body)) for body in bodies)

    def either(self, left: Atom, right: Atom) -> Atom:
        """Return the atom that holds if just one of two does."""
        return self.any_of([(left, -right), (right, -left)])

    def never(self) -> Atom:
        """Return the atom without a rule."""
        return self.any_of([])

    def always(self) -> Atom:
        """Return the atom that always holds."""
        return self.any_of([()])

    def defined(self, rules: Iterable[Rule]) -> Atom:
        """Return the atom with just these rules; their heads do not matter."""
        bodies = {_body(rule): rule for rule in rules}
        if len(bodies) == 1:
            (rule,) = bodies.values()
            if len(rule.body) == 1 and rule.body[0] > 0 and not rule.weights and rule.body[0] not in self._inputs:
                return rule.body[0]
        known = len(self.symbols)
        atom = self._atom(frozenset(bodies), None)
        if atom == known:
            self.rules += (Rule(atom, r.body, r.weights, r.bound) for r in bodies.values())
        return atom

    def recursive(
        self, stratum: Stratum, given: Mapping[Atom, Atom], symbols: Sequence[Symbol | None]
    ) -> dict[Atom, Atom]:
        """Return the atoms of a recursive stratum, which is shared as a whole or not at all.

        given: the merged atom of every atom the stratum reads. symbols: the name of each atom, where it has one.
        """
        heads = list(dict.fromkeys(rule.head for rule in stratum.rules))
        labels: dict[Atom, Hashable] = {h: symbols[h] or number for number, h in enumerate(heads)}

        def name(atom: Atom) -> Hashable:
            return ("in", labels[atom]) if atom in labels else ("out", given[atom])

        key = frozenset((labels[rule.head], _body(rule, name)) for rule in stratum.rules)
        known = len(self.symbols)
        atoms = {head: self._atom((key, labels[head]), None) for head in heads}
        if min(atoms.values()) >= known:
            inside = dict(given) | atoms
            self.rules += (renamed(rule, inside) for rule in stratum.rules)
        return atoms

    def _atom(self, key: Hashable, symbol: Symbol | None) -> Atom:
        if key not in self._atoms:
            self._atoms[key] = len(self.symbols)
            self.symbols.append(symbol)
        return self._atoms[key]


def lay(merged: Merged, system: TransitionSystem, chosen: Mapping[Atom, Atom]) -> dict[Atom, Atom]:
    """Put a system's rules into the merged ones; return the merged atom of each of its atoms.

    chosen: the merged inputs of its open outcomes' options.
    """
    atoms: dict[Atom, Atom] = dict(chosen)
    for variable in system.variables:
        for value, atom in zip(variable.domain, variable.atoms, strict=True):
            atoms[atom] = merged.input(Function("now", [variable.name, value]))
    for action in system.actions:
        atoms[action.occurs] = merged.input(Function("occurs", [action.name]))
    nobody = merged.never()
    for stratum in system.strata:
        heads = {rule.head for rule in stratum.rules}
        read = {abs(lit) for rule in stratum.rules for lit in rule.body}
        for atom in read - heads:
            atoms.setdefault(atom, nobody)
        if stratum.recursive:
            atoms |= merged.recursive(stratum, atoms, system.atoms)
            continue
        by_head: dict[Atom, list[Rule]] = {}
        for rule in stratum.rules:
            by_head.setdefault(rule.head, []).append(renamed(rule, atoms, head=0))
        atoms |= {head: merged.defined(rules) for head, rules in by_head.items()}
    return atoms


def renamed(rule: Rule, atoms: Mapping[Atom, Atom], head: Atom | None = None) -> Rule:
    """Return a rule with other atoms, in an order that does not depend on where it stood."""
    body = [(atoms[abs(lit)] * (1 if lit > 0 else -1), weight) for lit, weight in _weighted(rule)]
    body.sort()
    weights = tuple(weight for _, weight in body) if rule.weights else ()
    return Rule(atoms[rule.head] if head is None else head, tuple(lit for lit, _ in body), weights, rule.bound)


def _weighted(rule: Rule) -> Iterable[tuple[Literal, int]]:
    return zip(rule.body, rule.weights or (1,) * len(rule.body), strict=True)


def _body(rule: Rule, name: Callable[[Atom], Hashable] = abs) -> Hashable:
    """Return what a rule's body says, whatever the order it is written in."""
    literals = sorted((repr(name(abs(lit))), lit > 0, weight) for lit, weight in _weighted(rule))
    return tuple(literals) if rule.weights else frozenset(literals), bool(rule.weights), rule.bound
