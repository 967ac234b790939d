"""Make a `TransitionSystem` of a ground rulebook, checking what only the ground rules can show."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from clingo.symbol import Function, Symbol, SymbolType

from checker.errors import InputError, Position, Problem
from checker.rulebook.encoding import Encoding
from checker.rulebook.heads import place_of_head
from checker.rulebook.model import Property
from checker.system.ground import Ground
from checker.system.model import (
    Action,
    Atom,
    Effect,
    Goal,
    Option,
    Outcome,
    Rule,
    RuleSource,
    TransitionSystem,
    Variable,
)
from checker.system.specialise import step_atoms
from checker.system.stratify import UnstratifiedError, stratify

READ = frozenset(
    {"possible", "forced", "by", "set", "violated", "reached", "resolution", "pending", "answered", "option"}
)
"""Predicates an engine asks about; where one is a fact it becomes an atom with an empty body."""

GAME = Function("game")
"""Who decides what no player does."""


def build(name: str, encoding: Encoding, ground: Ground, properties: Sequence[Property]) -> TransitionSystem:
    """Assemble the transition system.

    Raises:
        InputError: a value outside its domain, an action without `by` or decided by something else than a
            player, negation through a loop, or a guard that reads the step.

    """
    table = _Table(ground, encoding.sources, encoding.choosing)
    problems = [
        *_domain_problems(table, encoding),
        *_action_problems(table, encoding),
        *_player_problems(table, encoding),
    ]
    if problems:
        raise InputError(problems)
    variables = tuple(_variables(table))
    actions = tuple(_actions(table))
    outcomes = tuple(_outcomes(table, encoding.choosing))
    rules = [*ground.rules, *table.fact_rules]
    try:
        strata = stratify(rules)
    except UnstratifiedError as error:
        raise InputError(_loop_problems(table, rules, error.atoms)) from None
    system = TransitionSystem(
        name=name,
        atoms=table.atoms(),
        strata=strata,
        variables=variables,
        actions=actions,
        effects=tuple(_effects(table, variables)),
        outcomes=outcomes,
        goals=tuple(_goals(table, properties)),
        facts=ground.facts,
        fired=table.fired,
        sources=encoding.sources,
    )
    _check_guards(system, table)
    return system


@dataclass(frozen=True)
class _Entry:
    """An atom the engines read, by its predicate's arguments."""

    arguments: tuple[Symbol, ...]
    atom: Atom


class _Table:
    """The named atoms of a ground program, by predicate."""

    def __init__(self, ground: Ground, sources: Sequence[RuleSource], choosing: frozenset[int]) -> None:
        self.symbols = dict(ground.symbols)
        self.facts = ground.facts
        self.sources = sources
        self.fact_rules: list[Rule] = []
        self.fired: dict[Atom, int] = {}
        self.of: dict[str, list[_Entry]] = {}
        self.static: dict[str, list[tuple[Symbol, ...]]] = {}
        fixed: set[int] = set()
        for atom, symbol in ground.symbols.items():
            if symbol.type != SymbolType.Function:
                continue
            arguments = tuple(symbol.arguments)
            fact = symbol in ground.facts
            if fact:
                self.static.setdefault(symbol.name, []).append(arguments)
            if fact and symbol.name == "fired":
                if arguments[0].number in fixed and arguments[0].number not in choosing:
                    continue
                fixed.add(arguments[0].number)
            if fact and (symbol.name in READ or symbol.name == "fired"):
                self.fact_rules.append(Rule(atom, ()))
            if not fact or symbol.name in READ or symbol.name == "fired":
                self.of.setdefault(symbol.name, []).append(_Entry(arguments, atom))
            if symbol.name == "fired":
                self.fired[atom] = arguments[0].number
        self.rules_of: dict[Atom, list[Rule]] = {}
        for rule in ground.rules:
            self.rules_of.setdefault(rule.head, []).append(rule)

    def atoms(self) -> tuple[Symbol | None, ...]:
        """The symbol of each atom; facts that nothing reads have none."""
        kept = {e.atom for entries in self.of.values() for e in entries}
        top = max((*self.symbols, *self.rules_of), default=0)
        return tuple(self.symbols.get(a) if a in kept else None for a in range(top + 1))

    def entries(self, predicate: str) -> list[_Entry]:
        """The atoms of a predicate, sorted by their arguments."""
        return sorted(self.of.get(predicate, ()), key=lambda e: e.arguments)

    def origin(self, atom: Atom) -> Position | None:
        """Return where a tagged rule stands that derives `atom`."""
        for rule in self.rules_of.get(atom, ()):
            for lit in rule.body:
                if lit in self.fired:
                    source = self.sources[self.fired[lit]]
                    return Position(source.file, source.line, source.column)
        return None


def _variables(table: _Table) -> Iterator[Variable]:
    domain: dict[Symbol, list[Symbol]] = {}
    for name, value in sorted(table.static.get("fluent", ())):
        domain.setdefault(name, []).append(value)
    start: dict[Symbol, list[Symbol]] = {}
    for name, value in sorted(table.static.get("initially", ())):
        start.setdefault(name, []).append(value)
    now = {e.arguments: e.atom for e in table.entries("now")}
    for name, values in domain.items():
        initial = tuple(values.index(v) for v in start[name])
        yield Variable(name, tuple(values), initial, tuple(now[name, v] for v in values))


def _actions(table: _Table) -> Iterator[Action]:
    possible = {e.arguments[0]: e.atom for e in table.entries("possible")}
    forced = {e.arguments[0]: e.atom for e in table.entries("forced")}
    occurs = {e.arguments[0]: e.atom for e in table.entries("occurs")}
    by: dict[Symbol, list[tuple[Symbol, Atom | None]]] = {}
    for entry in table.entries("by"):
        fact = Function("by", list(entry.arguments)) in table.facts
        by.setdefault(entry.arguments[0], []).append((entry.arguments[1], None if fact else entry.atom))
    for (name,) in sorted(table.static.get("action", ())):
        yield Action(name, occurs[name], possible.get(name), forced.get(name), tuple(by[name]))


def _effects(table: _Table, variables: Sequence[Variable]) -> Iterator[Effect]:
    index = {v.name: i for i, v in enumerate(variables)}
    for entry in table.entries("set"):
        variable = index[entry.arguments[0]]
        yield Effect(variable, variables[variable].domain.index(entry.arguments[1]), entry.atom)


def _outcomes(table: _Table, choosing: frozenset[int]) -> Iterator[Outcome]:
    """Yield an outcome for each ground open-outcome rule, also where there is nothing to choose from."""
    fired = {e.arguments: e.atom for e in table.entries("fired")}
    chosen = {e.arguments: e.atom for e in table.entries("chosen")}
    options: dict[tuple[Symbol, ...], list[Option]] = {}
    for entry in table.entries("option"):
        effect = Function("set", list(entry.arguments[2:]))
        option = Option(entry.atom, chosen[entry.arguments], effect)
        options.setdefault(entry.arguments[:2], []).append(option)
    for key, atom in fired.items():
        if key[0].number in choosing:
            yield Outcome(atom, tuple(options.get(key, ())))


def _goals(table: _Table, properties: Sequence[Property]) -> Iterator[Goal]:
    asked: dict[tuple[str, str], list[_Entry]] = {}
    for predicate in ("violated", "reached", "resolution", "pending", "answered"):
        for entry in table.entries(predicate):
            asked.setdefault((predicate, str(entry.arguments[0])), []).append(entry)
    for wanted in properties:
        violated = asked.get(("violated", wanted.name), ())
        reached, resolution, pending, answered = (
            tuple(e.atom for e in asked.get((predicate, wanted.name), ()))
            for predicate in ("reached", "resolution", "pending", "answered")
        )
        culprits = tuple((e.atom, e.arguments[1] if len(e.arguments) > 1 else None) for e in violated)
        yield Goal(wanted.name, wanted.kind, culprits, reached, resolution, pending, answered)


def _domain_problems(table: _Table, encoding: Encoding) -> Iterator[Problem]:
    """Yield values outside domains, and fluents without a start."""
    domain = set(table.static.get("fluent", ()))
    variables = {name for name, _ in domain}
    started = {arguments[0] for arguments in table.static.get("initially", ())}
    for entry in table.entries("fluent"):
        yield Problem(f"fluent{_said(entry.arguments)} depends on the board; a domain is fixed")
    for entry in table.entries("initially"):
        where = table.origin(entry.atom) or _place(encoding, "initially", entry.arguments[0])
        yield Problem(f"initially{_said(entry.arguments)} depends on the board; a start is fixed", where)
    for entry in table.entries("set"):
        if entry.arguments not in domain:
            yield _outside("set", entry.arguments, domain, table.origin(entry.atom))
    for arguments in table.static.get("initially", ()):
        if arguments not in domain:
            yield _outside("initially", arguments, domain, _place(encoding, "initially", arguments[0]))
    for name in sorted(variables - started):
        yield Problem(f"{name} has no initial value; expected initially({name}, V)", _place(encoding, "fluent", name))


def _action_problems(table: _Table, encoding: Encoding) -> Iterator[Problem]:
    """Yield guards of what is no action, and actions that nobody decides."""
    for entry in table.entries("action"):
        where = table.origin(entry.atom) or _place(encoding, "action", entry.arguments[0])
        yield Problem(f"action({entry.arguments[0]}) depends on the board; expected possible(A) to do so", where)
    actions = {arguments[0] for arguments in table.static.get("action", ())}
    for predicate in ("possible", "forced", "by"):
        for entry in table.entries(predicate):
            if entry.arguments[0] not in actions:
                where = table.origin(entry.atom) or _place(encoding, predicate, entry.arguments[0])
                yield Problem(f"{predicate} speaks of {entry.arguments[0]}, which is not an action", where)
    decided = {e.arguments[0] for e in table.entries("by")}
    for action in sorted(actions - decided):
        yield Problem(f"nobody decides {action}; expected by({action}, P)", _place(encoding, "action", action))


def _player_problems(table: _Table, encoding: Encoding) -> Iterator[Problem]:
    """Yield who decides and is neither the game nor a player, in a rulebook that says who the players are."""
    for entry in table.entries("player"):
        where = table.origin(entry.atom) or _place(encoding, "player", entry.arguments[0])
        yield Problem(f"player({entry.arguments[0]}) depends on the board; who plays is fixed", where)
    players = {who for (who,) in table.static.get("player", ())}
    if not players:
        return
    told: set[tuple[Position | None, Symbol]] = set()
    expected = f"expected game or one of the players {', '.join(map(str, sorted(players)))}"
    for entry in table.entries("by"):
        action, who = entry.arguments
        if who not in players and who != GAME:
            where = table.origin(entry.atom) or place_of_head(encoding, Function("by", [action, who]))
            if (where, who) not in told:
                told.add((where, who))
                yield Problem(f"by({action}, {who}): {who} is no player; {expected}", where)


def _check_guards(system: TransitionSystem, table: _Table) -> None:
    """Refuse guards that read the step they guard."""
    step = step_atoms(system)
    problems = [
        Problem(f"{table.symbols[atom]} reads the step it allows (occurs, set or next)", table.origin(atom))
        for action in system.actions
        for atom in (action.possible, action.forced, *(who for _, who in action.by))
        if atom in step
    ]
    if problems:
        raise InputError(problems)


def _loop_problems(table: _Table, rules: Iterable[Rule], loop: frozenset[Atom]) -> list[Problem]:
    named = sorted(str(table.symbols[a]) for a in loop if a in table.symbols and a not in table.fired)
    places = {
        Position(s.file, s.line, s.column)
        for rule in rules
        if rule.head in loop
        for lit in (*rule.body, rule.head)
        if abs(lit) in table.fired and abs(lit) in loop
        for s in [table.sources[table.fired[abs(lit)]]]
    }
    message = f"negation through a loop: {', '.join(named[:6])} depend on their own negation"
    return [Problem(message, place) for place in sorted(places)] or [Problem(message)]


def _outside(
    predicate: str, arguments: tuple[Symbol, ...], domain: set[tuple[Symbol, ...]], place: Position | None
) -> Problem:
    name, value = arguments
    values = sorted(str(v) for f, v in domain if f == name)
    known = f"expected one of {', '.join(values)}" if values else "there is no such fluent"
    return Problem(f"{predicate}({name}, {value}): {value} is outside the domain of {name}; {known}", place)


def _place(encoding: Encoding, predicate: str, argument: Symbol) -> Position | None:
    name = argument.name if argument.type == SymbolType.Function else str(argument)
    return encoding.heads.get((predicate, name)) or encoding.heads.get((predicate, None))


def _said(arguments: Mapping[int, Symbol] | tuple[Symbol, ...]) -> str:
    return "(" + ", ".join(map(str, arguments)) + ")"
