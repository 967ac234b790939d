"""Play a ruling's games on the rules, step by step, with the plain evaluator."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, replace
from itertools import islice
from typing import TypeAlias

from clingo import parse_term

from checker.errors import InputError, Problem, closest, counted
from checker.pipeline import system_of
from checker.query import check_atom, constants, names_in, names_of, printed, with_checks
from checker.rulebook.encoding import Encoding
from checker.rulebook.load import load_board
from checker.rulebook.model import Rulebook
from checker.rulebook.toml import position
from checker.rulebook.vocabulary import Names, declared, faults
from checker.rulings.model import Failure, Line, Played, Ruling, RulingStep
from checker.system.model import Atom, State, Step, Trace, TransitionSystem
from checker.traces import evaluator
from checker.traces.replay import ReplayedTrace, replay

SETTLE_LIMIT = 100
"""Forced steps a `settle` takes at most; a chain of that many does not end."""


def play(book: Rulebook, encoding: Encoding, rulings: Iterable[Ruling], strict: bool = True) -> Iterator[Played]:
    """Play every game of some rulings under one version of the rulebook; see `sittings`."""
    for sitting in sittings(book, encoding, rulings, strict):
        yield from (played for played, _ in sitting.games())


def sittings(book: Rulebook, encoding: Encoding, rulings: Iterable[Ruling], strict: bool = True) -> Iterator[Sitting]:
    """Play every game of some rulings under one version of the rulebook.

    A board is ground once for each choice of readings, with the literals of all games played on it; `strict`
    as in `system.ground.ground`.

    Raises:
        InputError: a ruling names a board, reading, action, card or literal that does not exist.

    """
    names = declared(encoding) if strict else None
    for (board, readings), games in setups(rulings).items():
        try:
            ground = _Ground(book, encoding, board, dict(readings), [line for _, line in games], strict)
        except InputError as error:
            raise InputError(_placed(games[0][0], error)) from None
        yield Sitting(book, ground, tuple(games), names)


def _placed(ruling: Ruling, error: InputError) -> Iterator[Problem]:
    """Yield problems with the place of the ruling where they have none of their own."""
    for problem in error.problems:
        place = position(ruling.path, [ruling.id])
        yield problem if problem.position else Problem(f'ruling "{ruling.id}": {problem.message}', place)


def setups(rulings: Iterable[Ruling]) -> dict[Setup, list[tuple[Ruling, Line]]]:
    """Return what is to be played, by the board and the readings it is played under."""
    games: dict[Setup, list[tuple[Ruling, Line]]] = {}
    for ruling in rulings:
        for line in ruling.lines:
            setup = (ruling.board, tuple(sorted(line.readings.items())))
            games.setdefault(setup, []).append((ruling, line))
    return games


Setup: TypeAlias = tuple[str, tuple[tuple[str, str], ...]]
"""A board and the readings chosen on it."""


@dataclass(frozen=True, slots=True)
class Sitting:
    """Games to be played on one board under one choice of readings. names: those the rulebook knows, if they matter."""

    book: Rulebook
    ground: _Ground
    lines: tuple[tuple[Ruling, Line], ...]
    names: Names | None

    def games(self) -> Iterator[tuple[Played, Trace]]:
        """Play each game, with the boards it visits.

        Raises:
            InputError: a ruling names what does not exist.

        """
        for ruling, line in self.lines:
            table = _Table(self.ground, ruling, line)
            if self.names is not None:
                table.refuse_unknown_names(self.names, self.book)
            played = Played(ruling, self.book.version.name, line.readings, table.play(), frozenset(table.clauses))
            yield played, Trace(tuple(table.states), tuple(table.steps))

    def under(self, system: TransitionSystem) -> Sitting:
        """Return the games to be played by other rules, which have the atoms of `ground.system` and maybe more."""
        ground = copy(self.ground)
        ground.system, ground.rules = system, evaluator(system)
        return replace(self, ground=ground, names=None)


class _Ground:
    """A board that games are played on: its rules, with an atom for each literal the games ask for."""

    def __init__(
        self,
        book: Rulebook,
        encoding: Encoding,
        board: str,
        readings: Mapping[str, str],
        lines: Iterable[Line],
        strict: bool,
    ) -> None:
        self.board = board
        literals = [text for line in lines for step in line.steps for text in (*step.holds, *step.fails)]
        self.literals = {text: number for number, text in enumerate(dict.fromkeys(literals))}
        layout = load_board(book, board)
        checked = with_checks(encoding, list(self.literals))
        self.system: TransitionSystem = system_of(book, checked, layout, book.choose(layout, readings), (), strict)
        self.rules = evaluator(self.system)
        self.names = {str(a.name): i for i, a in enumerate(self.system.actions)}
        self.kinds: dict[str, set[int]] = {}
        for action in self.system.actions:
            self.kinds.setdefault(action.name.name, set()).add(len(action.name.arguments))
        self.constants = constants(self.system)
        self.starts = list(islice(self.system.initial_states(), 2))


class _Table:
    """A board with a game under way."""

    def __init__(self, ground: _Ground, ruling: Ruling, line: Line) -> None:
        self.ground, self.ruling, self.line = ground, ruling, line
        self.system, self.rules, self.names = ground.system, ground.rules, ground.names
        if len(ground.starts) > 1:
            raise self._wrong(f"board {ruling.board} has more than one initial board")
        self.states: list[State] = list(ground.starts)
        self.steps: list[Step] = []
        self.clauses: set[str] = set()

    def play(self) -> Failure | None:
        """Take the steps in order; return the first that does not go as the ruling says."""
        for number, step in enumerate(self.line.steps, start=1):
            wrong = self._step(step)
            if wrong is not None:
                return Failure(number, wrong[0], wrong[1], self._fired())
        return None

    def _step(self, step: RulingStep) -> tuple[str, str] | None:
        if step.illegal is not None:
            name = self._known(step.illegal)
            if name in self._legal():
                return f"{name} is illegal" + (f" ({step.because})" if step.because else ""), "it is legal"
        events: list[frozenset[Atom]] = []
        if step.do:
            wrong = self._take(step, events)
            if wrong is not None:
                return wrong
        if step.settle:
            self._settle(events)
        return self._compare(step, events)

    def _take(self, step: RulingStep, events: list[frozenset[Atom]]) -> tuple[str, str] | None:
        wanted = [self._known(text) for text in step.do]
        legal = self._legal()
        name = next((w for w in wanted if w in legal), None)
        if name is None:
            return f"{' or '.join(wanted)} is legal", f"legal are {', '.join(legal) or 'no actions'}"
        chosen = {str(parse_term(text)) for text in step.choose}
        ways = self._ways(self.names[name])
        fitting = [w for w in ways if chosen <= self._effects(w[0])]
        if not fitting:
            return f"{name} has a next board", "it has none: rules contradict each other or leave no outcome"
        if len(fitting) > 1:
            options = sorted({e for w in fitting for e in self._effects(w[0])})
            return f"{name} has one outcome", f"the rules leave it open: {', '.join(options)}"
        self._go(fitting[0], events)
        return None

    def _settle(self, events: list[frozenset[Atom]]) -> None:
        for _ in range(SETTLE_LIMIT):
            legal = self._legal()
            if len(legal) != 1:
                return
            action = self.system.actions[self.names[legal[0]]]
            true = self.rules.evaluate(self.states[-1])
            ways = self._ways(self.names[legal[0]])
            deciders = {str(who) for who, when in action.by if when is None or when in true}
            if action.forced not in true or deciders != {"game"} or len(ways) != 1:
                return
            self._go(ways[0], events)

    def _go(self, way: tuple[Step, State], events: list[frozenset[Atom]]) -> None:
        step, after = way
        chosen = self.rules.evaluate(self.states[-1], step.action, step.chosen)
        events.append(chosen)
        self._cite(chosen)
        self.steps.append(step)
        self.states.append(after)

    def _compare(self, step: RulingStep, events: Sequence[frozenset[Atom]]) -> tuple[str, str] | None:
        true = self.rules.evaluate(self.states[-1])
        for text in step.holds:
            if not self._holds(text, true):
                return text, f"it does not hold; {self._last_changes()}"
        for text in step.fails:
            if self._holds(text, true):
                return f"not {text}", f"it holds; {self._last_changes()}"
        happened = {str(self.system.atoms[a]) for true in events for a in true if self.system.atoms[a]}
        for text in step.events:
            if f"event({parse_term(text)})" not in happened:
                seen = sorted(h[6:-1] for h in happened if h.startswith("event("))
                return f"event {text}", f"events were {', '.join(seen) or 'none'}"
        for text in step.no_events:
            if f"event({parse_term(text)})" in happened:
                return f"no event {text}", "it happened"
        return None

    def _holds(self, text: str, true: frozenset[Atom]) -> bool:
        symbol = check_atom(self.ground.literals[text])
        return symbol in self.system.facts or self.system.atom_of.get(symbol, 0) in true

    def _legal(self) -> list[str]:
        enabled = self.rules.enabled(self.states[-1])
        return [str(self.system.actions[i].name) for i in enabled]

    def _ways(self, action: int) -> list[tuple[Step, State]]:
        ways = self.rules.resolve(self.states[-1], action)
        return [(Step(action, way.chosen), way.next) for way in ways if way.next is not None]

    def _effects(self, step: Step) -> set[str]:
        options = (o for out in self.system.outcomes for o in out.options)
        return {str(o.effect) for o in options if o.chosen in step.chosen}

    def _known(self, text: str) -> str:
        name = str(parse_term(text))
        kind = name.split("(")[0]
        if kind not in self.ground.kinds:
            raise self._wrong(f"no action is called {name}; {closest(kind, sorted(self.ground.kinds))}")
        given, expected = len(parse_term(text).arguments), sorted(self.ground.kinds[kind])
        if given not in expected:
            known = " or ".join(f"{kind}/{number}" for number in expected)
            raise self._wrong(f"{name} has {counted(given, 'argument')}; expected {known}")
        return name

    def refuse_unknown_names(self, names: Names, book: Rulebook) -> None:
        """Refuse constants, fluents and events that the board does not have: misspelt, they pass idly.

        Raises:
            InputError: the game speaks of such a name.

        """
        known = self.ground.constants
        for step in self.line.steps:
            terms = (*step.do, *step.choose, *step.events, *step.no_events, *([step.illegal] if step.illegal else []))
            used = {name for text in terms for name in names_of(parse_term(text))}
            used |= {name for text in (*step.holds, *step.fails) for name in names_in(text)}
            for name in sorted(used - known):
                raise self._wrong(
                    f'nothing on board {self.ruling.board} is called "{name}"; {closest(name, sorted(known))}'
                )
            literals = [printed(text) for text in step.fails]
            events = [f"event({parse_term(text)})" for text in step.no_events]
            for fault in faults(names, book.readings, ", ".join(literals + events)):
                raise self._wrong(fault)

    def _wrong(self, message: str) -> InputError:
        return InputError(f'ruling "{self.ruling.id}": {message}', position(self.ruling.path, [self.ruling.id]))

    def _cite(self, true: frozenset[Atom]) -> None:
        for atom in true:
            if atom in self.system.fired:
                self.clauses.update(self.system.sources[self.system.fired[atom]].clauses)

    def _replayed(self) -> ReplayedTrace:
        return replay(self.system, Trace(tuple(self.states), tuple(self.steps)))

    def _last_changes(self) -> str:
        if not self.steps:
            return "nothing was done yet"
        last = self._replayed().steps[-1]
        changes = ", ".join(f"{c.fluent} = {c.new}" for c in last.changes)
        return f"{last.action} changed {changes or 'nothing'}"

    def _fired(self) -> tuple[str, ...]:
        if not self.steps:
            return ()
        rules = {*self._replayed().steps[-1].rules, *self._replayed().steps[-1].guards}
        return tuple(
            f"{', '.join(s.clauses) or s.assumption} ({s.file}:{s.line})"
            for s in (self.system.sources[r] for r in sorted(rules))
        )
