"""A board laid out to be played: legal moves, a game from its tokens, and what a position shows.

A game is a list of tokens, one for each step, so that it fits an address: the action as a term, and where
the rules leave an outcome open `!` and the chosen effects, such as `mend!set(fuse,dead)`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import prod
from random import Random

from clingo.symbol import Symbol

from checker.check import BoardResult
from checker.engines.protocol import Counts
from checker.errors import InputError, closest, counted
from checker.pipeline import read_rules, system_of
from checker.report.model import Game
from checker.report.summary import Teller
from checker.report.words import Words
from checker.rulebook.load import load_board, load_rulebook
from checker.rulebook.model import Board, Finding, Property, Rulebook
from checker.system.model import Atom, Goal, Kind, State, Step, Trace, TransitionSystem
from checker.traces.because import Because
from checker.traces.evaluate import Evaluator, Resolved, evaluator
from checker.traces.replay import ReplayedTrace, replay

LONGEST = 1000
"""The steps of a game at most, so that an address stays within what a browser sends."""


@dataclass(frozen=True, slots=True)
class Move:
    """A legal step from a position.

    token: what names it in a game. by: who decides it. rules: the ids of the rules that allow it.
    chosen: the effects taken where an outcome is open. goes_on: it has a next board.
    """

    step: Step
    token: str
    action: Symbol
    by: tuple[Symbol, ...]
    forced: bool
    rules: tuple[int, ...]
    chosen: tuple[Symbol, ...]
    goes_on: bool


@dataclass(frozen=True, slots=True)
class Position:
    """A game as far as it was played, run again from the rules. start: the number of the initial board, from 1."""

    start: int
    tokens: tuple[str, ...]
    trace: ReplayedTrace

    @property
    def over(self) -> bool:
        """Whether the last step has no next board."""
        return len(self.trace.states) == len(self.trace.steps)

    @property
    def state(self) -> State:
        """The last board there is."""
        return self.trace.states[-1]


@dataclass(frozen=True, slots=True)
class Shown:
    """A property that the end of a game breaks, or reaches, with the culprits.

    finding: what the rulebook says of this fault, if it knows of it.
    """

    property: Property
    culprits: tuple[Symbol, ...]
    finding: Finding | None = None


@dataclass(frozen=True)
class Table:
    """A rulebook on a board, with the readings and the language it is played in."""

    book: Rulebook
    board: Board
    readings: Mapping[str, str]
    system: TransitionSystem
    rules: Evaluator
    teller: Teller
    language: str

    @property
    def words(self) -> Words:
        """How terms are said."""
        return self.teller.words

    @property
    def starts(self) -> int:
        """The number of initial boards."""
        return prod(len(variable.initial) for variable in self.system.variables)

    def result(self) -> BoardResult:
        """Return the board as a result without a verdict."""
        return BoardResult(self.book, self.board, self.readings, self.system, (), Counts(), 0.0, {})

    def moves(self, position: Position) -> tuple[Move, ...]:
        """Return every legal step, each way of an open outcome by itself."""
        if position.over:
            return ()
        true = position.trace.boards[-1]
        return tuple(
            self._move(index, way, true)
            for index in self.rules.enabled(position.state)
            for way in self.rules.resolve(position.state, index)
        )

    def _move(self, index: int, way: Resolved, true: frozenset[Atom]) -> Move:
        action = self.system.actions[index]
        guards = {atom for atom in (action.possible, action.forced) if atom in true}
        guards |= {atom for _, atom in action.by if atom in true}
        behind = {fired for atom in guards if atom is not None for fired in self.rules.behind(atom, true)}
        options = (option for outcome in self.system.outcomes for option in outcome.options)
        chosen = tuple(option.effect for option in options if option.chosen in way.chosen)
        return Move(
            step=Step(index, way.chosen),
            token="!".join(map(str, (action.name, *chosen))),
            action=action.name,
            by=tuple(who for who, atom in action.by if atom is None or atom in true),
            forced=action.forced in true,
            rules=tuple(sorted({self.system.fired[atom] for atom in behind})),
            chosen=chosen,
            goes_on=way.next is not None,
        )

    def begin(self, start: int = 1) -> Position:
        """Return an initial board.

        Raises:
            InputError: there is no initial board of that number.

        """
        if not 1 <= start <= self.starts:
            raise InputError(f"there is no initial board {start}; expected 1 to {self.starts:,}")
        left, state = start - 1, list[int]()
        for variable in reversed(self.system.variables):
            left, place = divmod(left, len(variable.initial))
            state.append(variable.initial[place])
        return Position(start, (), replay(self.system, Trace((tuple(reversed(state)),), ())))

    def position(self, start: int, tokens: Sequence[str]) -> Position:
        """Play a game from its tokens.

        Raises:
            InputError: it is too long, or one of them is not a legal step where it stands.

        """
        if len(tokens) > LONGEST:
            raise InputError(f"a game of {counted(len(tokens), 'step')} is too long; at most {LONGEST}")
        state: State | None = self.begin(start).state
        states, steps = [], []
        for number, token in enumerate(tokens, start=1):
            if state is None:
                raise InputError(f"step {number}, {token}: the step before has no next board")
            states.append(state)
            step, state = self._take(state, number, token)
            steps.append(step)
        states += [state] if state is not None else []
        return Position(start, tuple(tokens), replay(self.system, Trace(tuple(states), tuple(steps))))

    def _take(self, state: State, number: int, token: str) -> tuple[Step, State | None]:
        """Return the step that a token names, and the board after it."""
        name, *effects = token.split("!")
        legal = {str(self.system.actions[index].name): index for index in self.rules.enabled(state)}
        if name not in legal:
            raise InputError(f"step {number}: {name} is not legal there; {closest(name, list(legal))}")
        options = {o.chosen: str(o.effect) for outcome in self.system.outcomes for o in outcome.options}
        ways = {way.chosen: way for way in self.rules.resolve(state, legal[name])}
        for chosen, way in ways.items():
            if sorted(options[atom] for atom in chosen) == sorted(effects):
                return Step(legal[name], chosen), way.next
        known = ["!".join((name, *(options[atom] for atom in chosen))) for chosen in ways]
        raise InputError(f"step {number}: {token} is no outcome there; {closest(token, known)}")

    def tokens(self, trace: Trace, start: int | None = None) -> tuple[int, tuple[str, ...]]:
        """Return a trace as the number of its initial board, looked up unless given, and its tokens."""
        effects = {o.chosen: str(o.effect) for outcome in self.system.outcomes for o in outcome.options}
        if start is None:
            start = 0
            for variable, value in zip(self.system.variables, trace.states[0], strict=True):
                start = start * len(variable.initial) + variable.initial.index(value)
            start += 1
        names = self.system.actions
        return start, tuple("!".join((str(names[s.action].name), *(effects[c] for c in s.chosen))) for s in trace.steps)

    def walk(self, position: Position, steps: int, seed: int) -> Position:
        """Go on by up to `steps` legal steps chosen at random; one seed gives one walk."""
        dice, states, taken = Random(seed), [position.state], []
        for _ in range(0 if position.over else min(steps, LONGEST - len(position.tokens))):
            ways = self.rules.successors(states[-1])
            if not ways:
                break
            step, after = dice.choice(ways)
            taken.append(step)
            states.append(after)
        _, tokens = self.tokens(Trace(tuple(states), tuple(taken)), position.start)
        return self.position(position.start, (*position.tokens, *tokens))

    def game(self, position: Position) -> Game:
        """Tell the game so far, every step of it."""
        numbers = range(1, len(position.trace.steps) + 1)
        return self.teller.told(position.trace, Because(tuple(() for _ in numbers), (), frozenset(numbers)))

    def shown(self, position: Position) -> tuple[Shown, ...]:
        """Return the properties that the last step or the last board breaks or reaches."""
        found = ((p, self._culprits(self.system.goal[p.name], position.trace)) for p in self.book.properties)
        known = self.book.finding
        return tuple(Shown(p, c, known(p.name, self.board.name)) for p, c in found if c is not None)

    def _culprits(self, goal: Goal, trace: ReplayedTrace) -> tuple[Symbol, ...] | None:
        step = trace.steps[-1] if trace.steps else None
        over = len(trace.states) == len(trace.steps)
        if goal.kind is Kind.CONFLICT:
            fluents = [change.fluent for change in step.changes] if step and over else []
            torn = tuple(fluent for fluent in dict.fromkeys(fluents) if fluents.count(fluent) > 1)
            return torn or None
        if goal.kind is Kind.OPEN_OUTCOME:
            return () if step and self._left_open(step.true) else None
        if goal.kind not in (Kind.INVARIANT, Kind.STEP, Kind.SOMETIMES):
            return None
        asked: Iterable[tuple[Atom, Symbol | None]] = goal.violated or ((atom, None) for atom in goal.reached)
        board = frozenset() if over else trace.boards[-1]
        held = [
            culprit
            for atom, culprit in asked
            if atom in ((step.true if step else ()) if atom in self.rules.step_atoms else board)
        ]
        return tuple(culprit for culprit in held if culprit is not None) if held else None

    def _left_open(self, true: frozenset[Atom]) -> bool:
        """Tell whether an outcome of the step has none, or two or more, of its options to choose from."""
        fired = (outcome for outcome in self.system.outcomes if outcome.fired in true)
        return any(sum(option.enabled in true for option in outcome.options) != 1 for outcome in fired)


def lay(rulebook: str, board: str, readings: Mapping[str, str], language: str) -> Table:
    """Load a rulebook on a board, ready to be played.

    Raises:
        InputError: anything wrong with the files or the readings.

    """
    book = load_rulebook(rulebook)
    layout = load_board(book, board)
    chosen = book.choose(layout, readings)
    system = system_of(book, read_rules(book), layout, chosen, book.properties)
    teller = Teller(book, system, Words(book, layout, language), language)
    return Table(book, layout, chosen, system, evaluator(system), teller, language)
