"""What a transition system says, whatever its atoms and rules are numbered: digests to find verdicts again by.

An atom's digest is that of its rules' bodies, down to the inputs (Merkle 1987), so that it changes only with what
the atom rests on. Atoms of a recursive stratum are told apart by refining what their rules say of each other; where
that leaves two alike, their numbers count as well, and a verdict is decided once more than need be.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from hashlib import blake2b

from clingo.symbol import Function, Symbol, SymbolType

from checker.rulebook.canonical import renamed
from checker.system.model import (
    Action,
    Atom,
    Goal,
    Kind,
    Literal,
    Outcome,
    Rule,
    RuleSource,
    Stratum,
    TransitionSystem,
    rule_name,
)
from checker.system.symmetry import interchangeable

SIZE = 16
"""Bytes of a digest: two systems of a store meet by chance once in 2^64 pairs."""

NEVER = b"never"
"""The digest of an atom without a rule."""


class Content:
    """The digests of a system.

    rule: for each of its rules a name by what it says, not by where it stands. chosen: a name by what is chosen for
    each atom of a chosen option.
    """

    def __init__(self, system: TransitionSystem) -> None:
        self.system = system
        self.rule = _rule_names(system.sources)
        self.chosen = dict(self._chosen(system.outcomes))
        self._digest: dict[Atom, bytes] = dict(self._inputs())
        for stratum in system.strata:
            self._digest |= self._recursive(stratum) if stratum.recursive else self._flat(stratum)
        self._game = self._dynamics()

    def of(self, goal: Goal) -> bytes:
        """Return the digest of everything that a verdict on a goal can depend on."""
        violated = sorted((self._of(atom), str(culprit)) for atom, culprit in goal.violated)
        asked = (goal.reached, goal.resolution, goal.pending, goal.answered)
        fires = self._fires() if goal.kind is Kind.RULES_FIRE else None
        own = (goal.name, goal.kind.value, violated, [sorted(map(self._of, atoms)) for atoms in asked], fires)
        return _digest(self._game, repr(own).encode())

    def further(self) -> bytes:
        """Return the digest of what besides tells different games of one goal apart: clauses, and what is alike."""
        return _digest(repr((self._fires(), interchangeable(self.system))).encode())

    def unseen(self) -> frozenset[int]:
        """Return the rules without an instance, which never fire, whatever the others say."""
        seen = set(self.system.fired.values())
        return frozenset(source.id for source in self.system.sources if source.id not in seen)

    def _of(self, atom: Atom | None) -> bytes:
        return b"none" if atom is None else self._digest.get(atom, NEVER)

    def _chosen(self, outcomes: Iterable[Outcome]) -> Iterable[tuple[Atom, str]]:
        """Yield a name for each option's input: its rule, the rule's variables, and what is set."""
        for outcome in outcomes:
            for option in outcome.options:
                symbol = self.system.atoms[option.chosen]
                assert symbol is not None, "inputs have names"
                yield option.chosen, repr((self.rule[symbol.arguments[0].number], *map(str, symbol.arguments[1:])))

    def _inputs(self) -> Iterable[tuple[Atom, bytes]]:
        for variable in self.system.variables:
            for value, atom in zip(variable.domain, variable.atoms, strict=True):
                yield atom, _digest(b"now", str(variable.name).encode(), str(value).encode())
        for action in self.system.actions:
            yield action.occurs, _digest(b"occurs", str(action.name).encode())
        for atom, name in self.chosen.items():
            yield atom, _digest(b"chosen", name.encode())

    def _flat(self, stratum: Stratum) -> dict[Atom, bytes]:
        bodies: dict[Atom, set[bytes]] = {}
        for rule in stratum.rules:
            bodies.setdefault(rule.head, set()).add(_body(rule, self._digest))
        return {head: _digest(*sorted(own)) for head, own in bodies.items()}

    def _recursive(self, stratum: Stratum) -> dict[Atom, bytes]:
        """Return the digests of a stratum that is one loop: what the loop says as a whole, and whose part each is."""
        by_head: dict[Atom, list[Rule]] = {}
        for rule in stratum.rules:
            by_head.setdefault(rule.head, []).append(rule)
        colours = {head: _digest(_unnumbered(self.system.atoms[head]).encode()) for head in by_head}
        while True:
            known = self._digest | colours
            finer = {a: _digest(colours[a], *sorted(_body(r, known) for r in own)) for a, own in by_head.items()}
            if len({*finer.values()}) == len({*colours.values()}):
                break
            colours = finer
        shared = Counter(colours.values())
        colours = {a: c if shared[c] == 1 else _digest(c, str(a).encode()) for a, c in colours.items()}
        known = self._digest | colours
        whole = _digest(*sorted(colours[rule.head] + _body(rule, known) for rule in stratum.rules))
        return {atom: _digest(whole, colour) for atom, colour in colours.items()}

    def _dynamics(self) -> bytes:
        """Return the digest of what can happen on the board, whatever is asked about it."""
        variables = [(str(v.name), list(map(str, v.domain)), v.initial) for v in self.system.variables]
        effects = sorted((e.variable, e.value, self._of(e.atom)) for e in self.system.effects)
        outcomes = sorted(
            (self._of(o.fired), sorted((self._of(x.enabled), self.chosen[x.chosen], str(x.effect)) for x in o.options))
            for o in self.system.outcomes
        )
        return _digest(repr((variables, list(map(self._action, self.system.actions)), effects, outcomes)).encode())

    def _action(self, action: Action) -> object:
        by = sorted((str(who), self._of(when)) for who, when in action.by)
        return str(action.name), self._of(action.possible), self._of(action.forced), by

    def _fires(self) -> object:
        """Return every rule that has instances, with when they fire, and whether there is one that has none."""
        when: dict[str, set[bytes]] = {}
        for atom, rule in self.system.fired.items():
            when.setdefault(self.rule[rule], set()).add(self._of(atom))
        return bool(self.unseen()), sorted((rule, sorted(digests)) for rule, digests in when.items())


def _rule_names(sources: Sequence[RuleSource]) -> dict[int, str]:
    """Name rules by what they say; where two say the same, or stand in one place, their numbers tell them apart."""
    said = {source.id: repr((renamed(source.text).split(), source.clauses, source.assumption)) for source in sources}
    often, there = Counter(said.values()), Counter(map(rule_name, sources))
    alone = {s.id for s in sources if often[said[s.id]] == 1 and there[rule_name(s)] == 1}
    return {rule: text if rule in alone else f"{rule} {text}" for rule, text in said.items()}


def _unnumbered(symbol: Symbol | None) -> str:
    """Return an atom's name, without the number of its rule where it has one."""
    if symbol is None or symbol.type != SymbolType.Function or symbol.name not in ("fired", "option", "chosen"):
        return str(symbol)
    return str(Function(symbol.name, symbol.arguments[1:]))


def _body(rule: Rule, known: Mapping[Atom, bytes]) -> bytes:
    """Return the digest of a rule's body, whatever the order of its literals."""
    weights = rule.weights or (1,) * len(rule.body)
    parts = sorted(_literal(lit, known) + b"%d" % weight for lit, weight in zip(rule.body, weights, strict=True))
    return _digest(b"%d %d" % (bool(rule.weights), rule.bound), *parts)


def _literal(lit: Literal, known: Mapping[Atom, bytes]) -> bytes:
    return (b"+" if lit > 0 else b"-") + known.get(abs(lit), NEVER)


def _digest(*parts: bytes) -> bytes:
    """Return the digest of some parts, each with its length so that none runs into the next."""
    return blake2b(b"".join(b"%d:%b" % (len(part), part) for part in parts), digest_size=SIZE).digest()
