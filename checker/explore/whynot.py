"""Say why an action may not be taken: what its rules ask for and the board does not give.

The answer is read off the ground rules. `fired` atoms and unnamed ones stand for the body behind them; any
other literal that fails is told, and below it what fails in turn, along the rule that is closest to holding.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from clingo.symbol import Symbol

from checker.explore.table import Position, Table
from checker.system.model import Action, Atom, Literal, Rule

DEPTH = 4
"""How far a literal that fails is traced back."""

WAYS = 3
"""Rules of one action that are told, the closest to holding first."""

GROUNDS = 6
"""Values of the board that are told for something that holds but must not."""


@dataclass(frozen=True, slots=True)
class Missing:
    """A literal that fails.

    symbol: its atom; None for a sum, of which `have` of `need` are there. wanted: it should hold, and does
    not; otherwise the other way round. instead: what the fluent holds, where the atom asks for a value.
    rules: the ids of the rules that would derive it, or do. below: what fails for it to hold. grounds: the
    values of the board it holds by. more: how many other rules could derive it.
    """

    symbol: Symbol | None
    wanted: bool
    instead: Symbol | None = None
    rules: tuple[int, ...] = ()
    below: tuple[Missing, ...] = ()
    grounds: tuple[Symbol, ...] = ()
    more: int = 0
    have: int = 0
    need: int = 0


@dataclass(frozen=True, slots=True)
class Way:
    """A rule that would allow the action, with its id (None if it has no tag), and what fails in it."""

    rule: int | None
    missing: tuple[Missing, ...]


@dataclass(frozen=True, slots=True)
class WhyNot:
    """Why an action is illegal.

    first: the forced actions that come first, if the action is possible. ways: the rules that would allow it;
    none where no rule allows it on any board. more: how many further rules there are.
    """

    action: Symbol
    first: tuple[Symbol, ...]
    ways: tuple[Way, ...]
    more: int


def why_not(table: Table, position: Position) -> tuple[WhyNot, ...]:
    """Return every action that is illegal on the last board, with the reasons.

    What players decide comes first, then what only the game does, each in the order of the terms.
    """
    if position.over:
        return ()
    looking = _Looking(table, position)
    legal = table.rules.enabled(position.state)
    names = table.system.actions
    forced = tuple(names[index].name for index in legal)
    illegal = sorted(set(range(len(names))) - set(legal), key=lambda index: (_nobodys(names[index]), names[index].name))
    return tuple(looking.reasons(index, forced) for index in illegal)


def _nobodys(action: Action) -> bool:
    """Tell whether no player decides an action: it is the game's."""
    return all(str(who) == "game" for who, _ in action.by)


class _Looking:
    """Looks for what fails on one board."""

    def __init__(self, table: Table, position: Position) -> None:
        self.system, self.rules = table.system, table.rules
        self.true = position.trace.boards[-1]
        self.holds = {atom: v for v in self.system.variables for atom in v.atoms if atom in self.true}
        self.current = {v.name: v.domain[v.atoms.index(atom)] for atom, v in self.holds.items()}

    def reasons(self, index: int, forced: tuple[Symbol, ...]) -> WhyNot:
        action = self.system.actions[index]
        if action.possible is None:
            return WhyNot(action.name, (), (), 0)
        if action.possible in self.true:
            return WhyNot(action.name, forced, (), 0)
        ways = sorted(self._ways(action.possible), key=lambda way: (len(way.missing), way.rule or 0))
        return WhyNot(action.name, (), tuple(ways[:WAYS]), max(0, len(ways) - WAYS))

    def _ways(self, possible: Atom) -> Iterator[Way]:
        for rule in self.rules.rules_of.get(possible, ()):
            tagged = [lit for lit in rule.body if lit in self.system.fired]
            seen = frozenset({possible})
            yield Way(self.system.fired[tagged[0]] if tagged else None, self._failing(rule, seen, DEPTH))

    def _failing(self, rule: Rule, seen: frozenset[Atom], depth: int) -> tuple[Missing, ...]:
        """Return what fails in the body of a rule that does not hold."""
        if rule.weights:
            pairs = zip(rule.body, rule.weights, strict=True)
            have = sum(weight for lit, weight in pairs if self._true(lit))
            return (Missing(None, True, have=have, need=rule.bound),)
        failing = sorted((lit < 0, str(self.system.atoms[abs(lit)]), lit) for lit in rule.body if not self._true(lit))
        return tuple(dict.fromkeys(m for _, _, lit in failing for m in self._literal(lit, seen, depth)))

    def _true(self, lit: Literal) -> bool:
        return (abs(lit) in self.true) == (lit > 0)

    def _literal(self, lit: Literal, seen: frozenset[Atom], depth: int) -> tuple[Missing, ...]:
        atom, symbol = abs(lit), self.system.atoms[abs(lit)]
        hidden = symbol is None or atom in self.system.fired
        if lit < 0:
            grounds = () if symbol is not None and symbol.name == "now" else tuple(self._grounds(atom))[:GROUNDS]
            return (Missing(None if hidden else symbol, False, rules=self._behind(atom), grounds=grounds),)
        if symbol is not None and symbol.name == "now":
            return (Missing(symbol, True, self.current[symbol.arguments[0]]),)
        ways = [] if atom in seen or depth == 0 else self._closest(atom, seen | {atom}, depth)
        below = ways[0] if ways else ()
        if hidden and below:
            return below
        return (Missing(None if hidden else symbol, True, None, self._would(atom), below, (), max(0, len(ways) - 1)),)

    def _closest(self, atom: Atom, seen: frozenset[Atom], depth: int) -> list[tuple[Missing, ...]]:
        """Return what fails in each rule that could derive `atom`, the one with least of it first."""
        named = self.system.atoms[atom] is not None and atom not in self.system.fired
        ways = [self._failing(rule, seen, depth - named) for rule in self.rules.rules_of.get(atom, ())]
        return sorted(ways, key=len)

    def _would(self, atom: Atom) -> tuple[int, ...]:
        """Return the tagged rules that would derive `atom`."""
        bodies = (lit for rule in self.rules.rules_of.get(atom, ()) for lit in rule.body)
        return self._ids(lit for lit in bodies if lit in self.system.fired)

    def _behind(self, atom: Atom) -> tuple[int, ...]:
        return self._ids(self.rules.behind(atom, self.true))

    def _ids(self, atoms: Iterable[Atom]) -> tuple[int, ...]:
        return tuple(sorted({self.system.fired[atom] for atom in atoms}))

    def _grounds(self, atom: Atom) -> Iterator[Symbol]:
        """Yield the values of the board that `atom` holds by, through the first rule that holds for each atom."""
        waiting, seen = [atom], {atom}
        while waiting:
            for rule in self.rules.rules_of.get(waiting.pop(), ()):
                if not rule.weights and not all(map(self._true, rule.body)):
                    continue
                for lit in rule.body:
                    if lit in self.true and lit not in seen:
                        seen.add(lit)
                        symbol = self.system.atoms[lit]
                        if lit in self.holds and symbol is not None:
                            yield symbol
                        else:
                            waiting.append(lit)
                break
