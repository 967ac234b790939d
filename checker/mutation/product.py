"""Two sets of rules side by side on one board: the shortest game after which they differ, or that none does.

The second system's rules are laid over the first's inputs. What both derive in the same way is one atom; for
the rest an atom says that they differ, and an engine looks for it on every board the first rules reach.
Where they differ nowhere, both reach the same boards by the same steps.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import TypeAlias

from clingo.symbol import Function, Symbol

from checker.engines.budget import Budget
from checker.engines.protocol import Holds, Limits, Violated
from checker.engines.registry import engine
from checker.errors import InternalError
from checker.mutation.overlay import FALSE, Key, Overlay, apart, by_head, key_of, moved
from checker.system.model import Atom, Goal, Kind, Rule, State, Trace, TransitionSystem
from checker.traces.evaluate import Evaluator, evaluator
from checker.traces.replay import replay

Way: TypeAlias = tuple[State | None, frozenset[str]]
"""The board a step leads to, and the events that happen in it."""

PLAIN_LIMIT = 3_000
"""Boards at most that the plain evaluator searches where the rules leave different things open."""


@dataclass(frozen=True, slots=True)
class Compared:
    """What a comparison found.

    same: they differ on no reachable board, in what may be done, what happens, or what it leads to. searched: the
    boards looked at; 0 where the ground rules are the same. trace: else a shortest game of the first rules to where
    the second allow or do something else. differing: what differs there, as terms. Neither: the limits were reached.
    """

    same: bool
    searched: int
    trace: Trace | None = None
    differing: tuple[str, ...] = ()


def compare(first: TransitionSystem, second: TransitionSystem, limits: Limits, engine_name: str) -> Compared:
    """Look for a shortest game after which two systems of one board differ.

    Raises:
        InternalError: a game is found on which the plain evaluator sees no difference.

    """
    if not _same_boards(first, second):
        return Compared(False, 0, Trace((next(first.initial_states()),), ()), ("the boards there can be",))
    laid = _Laid(first, second)
    differences = laid.differences()
    if laid.open_differently:
        return _plainly(first, second, Budget(limits))
    if not differences:
        return Compared(True, 0)
    result = engine(engine_name).check(laid.product(), laid.product().goals, limits, lambda _: None)
    answer = result.verdicts[0].answer
    if isinstance(answer, Holds):
        return Compared(True, result.counts.states or 0)
    if not isinstance(answer, Violated) or answer.trace is None:
        return Compared(False, result.counts.states or 0)
    _confirm(first, second, answer.trace)
    return Compared(False, result.counts.states or 0, answer.trace, answer.culprits)


def same_rules(first: TransitionSystem, second: TransitionSystem) -> bool:
    """Tell whether the ground rules of steps and properties are the same, atom for atom: then nothing can differ."""
    if not _same_boards(first, second):
        return False
    laid = _Laid(first, second)
    return not laid.differences() and not laid.open_differently and laid.same_goals()


def _same_boards(first: TransitionSystem, second: TransitionSystem) -> bool:
    return [replace(v, atoms=()) for v in first.variables] == [replace(v, atoms=()) for v in second.variables]


class _Laid:
    """Both systems over the first's inputs. Atoms that are derived in the same way are one atom.

    here, there: for each atom of the first and of the second system its atom; none for what never holds.
    rules: what the second system needs beyond the rules of the first.
    """

    def __init__(self, first: TransitionSystem, second: TransitionSystem) -> None:
        self.first, self.second = first, second
        self.over = Overlay(len(first.atoms))
        self.named: list[tuple[Atom, Symbol]] = []
        self.loops: dict[Atom, Key] = {}
        self.open_differently = _choices(first) != _choices(second)
        self.here = self._lay_first()
        self.there = self._lay_second()

    def _lay_first(self) -> dict[Atom, Atom]:
        place = {atom: atom for atom in _inputs(self.first)}
        for stratum in self.first.strata:
            heads = by_head(stratum.rules)
            if stratum.recursive:
                place |= {head: head for head in heads}
            for head, rules in heads.items():
                key = key_of(moved(rules, place))
                if stratum.recursive:
                    self.loops[head] = key
                elif key:
                    place[head] = self.over.known.setdefault(key, head)
        return place

    def _lay_second(self) -> dict[Atom, Atom]:
        place = dict(zip(_inputs(self.second), self._inputs_for_second(), strict=True))
        for stratum in self.second.strata:
            heads = by_head(stratum.rules)
            if not stratum.recursive:
                place |= {head: self.over.define(moved(rules, place)) for head, rules in heads.items()}
                continue
            same = self._same_loop(heads, place)
            place |= same or {head: self.over.new() for head in heads}
            if not same:
                for head, rules in heads.items():
                    self.over.rules += (replace(rule, head=place[head]) for rule in moved(rules, place))
        return place

    def _inputs_for_second(self) -> Iterator[Atom]:
        """Yield the first system's input for each input of the second, FALSE where it has none."""
        for variable in self.first.variables:
            yield from variable.atoms
        occurs = {action.name: action.occurs for action in self.first.actions}
        yield from (occurs.get(action.name, FALSE) for action in self.second.actions)
        chosen = {self.first.atoms[o.chosen]: o.chosen for out in self.first.outcomes for o in out.options}
        for outcome in self.second.outcomes:
            yield from (chosen.get(self.second.atoms[option.chosen], FALSE) for option in outcome.options)

    def _same_loop(self, heads: Mapping[Atom, list[Rule]], place: Mapping[Atom, Atom]) -> dict[Atom, Atom]:
        """Return the first system's atoms of these names if it has the same recursive rules for them, else none."""
        guess: dict[Atom, Atom] = {}
        for head in heads:
            symbol = self.second.atoms[head]
            if symbol is None or self.first.atom_of.get(symbol) not in self.loops:
                return {}
            guess[head] = self.first.atom_of[symbol]
        over = {**place, **guess}
        same = all(key_of(moved(rules, over)) == self.loops[guess[head]] for head, rules in heads.items())
        return guess if same else {}

    def differences(self) -> list[tuple[Atom, Symbol]]:
        """Add an atom for everything that may differ, and return them with what each is about."""
        if not self.named:
            self._compare_guards()
            self._compare_effects()
            self._compare_outcomes()
            self._compare_events()
        return self.named

    def _differ(self, one: Atom, other: Atom, about: Symbol) -> None:
        if one == other:
            return
        atom = self.over.new()
        self.over.rules += (Rule(atom, body) for body in apart(one, other))
        self.named.append((atom, about))

    def _compare_guards(self) -> None:
        mine, theirs = self._guards(self.first, self.here), self._guards(self.second, self.there)
        for guard in sorted({*mine, *theirs}):
            self._differ(mine.get(guard, FALSE), theirs.get(guard, FALSE), guard)

    def _guards(self, system: TransitionSystem, place: Mapping[Atom, Atom]) -> dict[Symbol, Atom]:
        """Return the atoms that say which actions may be taken, whose they are then, and which are forced."""
        forced = {
            action.name: self._both(
                place.get(action.possible or FALSE, FALSE), place.get(action.forced or FALSE, FALSE)
            )
            for action in system.actions
        }
        some = self.over.define([Rule(FALSE, (atom,)) for atom in sorted(set(forced.values()) - {FALSE})])
        found: dict[Symbol, Atom] = {}
        for action in system.actions:
            possible, must = place.get(action.possible or FALSE, FALSE), forced[action.name]
            free = [] if possible == FALSE else [Rule(FALSE, (possible,) if some == FALSE else (possible, -some))]
            enabled = self.over.define(free if must == FALSE else [*free, Rule(FALSE, (must,))])
            found[Function("possible", [action.name])] = enabled
            found[Function("forced", [action.name])] = must
            for who, atom in action.by:
                decides = self._always() if atom is None else place.get(atom, FALSE)
                found[Function("by", [action.name, who])] = self._both(enabled, decides)
        return found

    def _both(self, one: Atom, other: Atom) -> Atom:
        return FALSE if FALSE in (one, other) else self.over.define([Rule(FALSE, (one, other))])

    def _always(self) -> Atom:
        return self.over.define([Rule(FALSE, ())])

    def _compare_effects(self) -> None:
        """Compare what a step makes of each variable; that a rule sets what is so already makes no difference."""
        ours = {(e.variable, e.value): self.here.get(e.atom, FALSE) for e in self.first.effects}
        theirs = {(e.variable, e.value): self.there.get(e.atom, FALSE) for e in self.second.effects}
        for index, variable in enumerate(self.first.variables):
            values = range(len(variable.domain))
            sides = [[side.get((index, value), FALSE) for value in values] for side in (ours, theirs)]
            if sides[0] == sides[1]:
                continue
            changed = [self.over.define([Rule(FALSE, (a,)) for a in sorted(set(side) - {FALSE})]) for side in sides]
            for value, now in enumerate(variable.atoms):
                one, other = (self._next(side[value], now, c) for side, c in zip(sides, changed, strict=True))
                self._differ(one, other, Function("next", [variable.name, variable.domain[value]]))

    def _next(self, sets: Atom, now: Atom, changed: Atom) -> Atom:
        kept = Rule(FALSE, (now,) if changed == FALSE else (now, -changed))
        return self.over.define([kept] if sets == FALSE else [Rule(FALSE, (sets,)), kept])

    def _compare_outcomes(self) -> None:
        theirs = {self.second.atoms[o.fired]: o for o in self.second.outcomes}
        for outcome in self.first.outcomes:
            name = self.first.atoms[outcome.fired] or Function("outcome")
            other = theirs.get(name)
            fired = FALSE if other is None else self.there.get(other.fired, FALSE)
            self._differ(self.here.get(outcome.fired, FALSE), fired, name)
            enabled = {} if other is None else {o.effect: self.there.get(o.enabled, FALSE) for o in other.options}
            for option in outcome.options:
                self._differ(self.here.get(option.enabled, FALSE), enabled.get(option.effect, FALSE), option.effect)

    def _compare_events(self) -> None:
        mine, theirs = (_events(system) for system in (self.first, self.second))
        for event in sorted({*mine, *theirs}):
            one = self.here.get(mine.get(event, FALSE), FALSE)
            self._differ(one, self.there.get(theirs.get(event, FALSE), FALSE), event)

    def same_goals(self) -> bool:
        """Tell whether what the properties ask about is the same too."""
        pairs = zip(self.first.goals, self.second.goals, strict=True)
        return all(_asks(one, self.here) == _asks(other, self.there) for one, other in pairs)

    def product(self) -> TransitionSystem:
        """Return the first system with the atoms that say where the second differs, as its one property."""
        goal = Goal("differ", Kind.INVARIANT, tuple(self.named))
        return replace(self.over.onto(self.first), goals=(goal,))


def _inputs(system: TransitionSystem) -> Iterator[Atom]:
    for variable in system.variables:
        yield from variable.atoms
    yield from (action.occurs for action in system.actions)
    for outcome in system.outcomes:
        yield from (option.chosen for option in outcome.options)


def _events(system: TransitionSystem) -> dict[Symbol, Atom]:
    return {name: atom for name, atom in system.atom_of.items() if name.match("event", 1)}


def _choices(system: TransitionSystem) -> set[Symbol | None]:
    return {system.atoms[option.chosen] for outcome in system.outcomes for option in outcome.options}


def _asks(goal: Goal, place: Mapping[Atom, Atom]) -> list[set[tuple[Atom, Symbol | None]]]:
    """Return what a property asks about, without what never holds."""
    others = (goal.reached, goal.resolution, goal.pending, goal.answered)
    asked = [goal.violated, *([(atom, None) for atom in atoms] for atoms in others)]
    return [{(place[a], c) for a, c in pairs if place.get(a, FALSE) != FALSE} for pairs in asked]


def _confirm(first: TransitionSystem, second: TransitionSystem, trace: Trace) -> None:
    """Play the game by both rules with the plain evaluator, and see them differ on its last board."""
    replay(first, trace)
    if _moves(evaluator(first), trace.states[-1]) == _moves(evaluator(second), trace.states[-1]):
        raise InternalError(f"{first.name}: two sets of rules are said to differ after a game, but do not")


def _moves(rules: Evaluator, state: State) -> frozenset[tuple[str, frozenset[str], bool, frozenset[Way]]]:
    """Return what may be done on a board, by whom, whether it is forced, and the ways it may go."""
    true, events = rules.evaluate(state), _events(rules.system)
    found = []
    for index in rules.enabled(state):
        action = rules.system.actions[index]
        deciders = frozenset(str(who) for who, atom in action.by if atom is None or atom in true)
        after = frozenset(
            (way.next, frozenset(str(name) for name, atom in events.items() if atom in way.true))
            for way in rules.resolve(state, index)
        )
        found.append((str(action.name), deciders, action.forced in true, after))
    return frozenset(found)


def _plainly(first: TransitionSystem, second: TransitionSystem, budget: Budget) -> Compared:
    """Compare board by board with the plain evaluator, breadth first."""
    ours, theirs = evaluator(first), evaluator(second)
    games = {state: Trace((state,), ()) for state in first.initial_states()}
    waiting = list(games)
    for state in waiting:
        mine, other = _moves(ours, state), _moves(theirs, state)
        if mine != other:
            differing = sorted({move[0] for move in mine ^ other})
            return Compared(False, len(games), games[state], tuple(differing))
        for step, after in ours.successors(state):
            if after not in games:
                game = games[state]
                games[after] = Trace((*game.states, after), (*game.steps, step))
                waiting.append(after)
        if len(games) > PLAIN_LIMIT or budget.spent() is not None:
            return Compared(False, len(games))
    return Compared(True, len(games))
