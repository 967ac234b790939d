"""Shortest games: forwards along the layers, then backwards from the fault until both meet."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Protocol

from checker.engines.symbolic.diagrams import Function
from checker.engines.symbolic.reach import Space
from checker.engines.symbolic.relations import Moves
from checker.system.model import State, Step


@dataclass(frozen=True, slots=True)
class Game:
    """A game being put together: its boards, and the steps between them (and after the last one)."""

    states: tuple[State, ...]
    steps: tuple[Step, ...] = ()

    def then(self, step: Step, state: State) -> Game:
        """Return the game with one more step and the board after it."""
        return Game((*self.states, state), (*self.steps, step))

    def broken_by(self, step: Step) -> Game:
        """Return the game with a last step whose next board is left out."""
        return Game(self.states, (*self.steps, step))


class Ending(Protocol):
    """How games may end: `ready(n)` are the boards from which `n` steps of a special kind end one."""

    @property
    def longest(self) -> int | None:
        """The largest n with a board in `ready(n)`; None while that is not known."""

    def ready(self, steps: int) -> Function:
        """Return the boards from which the ending takes exactly `steps` steps."""

    def finish(self, game: Game, steps: int) -> Game:
        """Return the game with the ending after it; its last board is in `ready(steps)`."""


@dataclass(frozen=True)
class Target:
    """An ending on a board, or in a step from one. steps: per action, boards and choices that end it."""

    moves: Moves
    board: Function
    steps: Mapping[int, Function] = field(default_factory=dict)

    @property
    def longest(self) -> int:
        """One step at most."""
        return 1

    def ready(self, steps: int) -> Function:
        """Return the boards that are the end, or have a step that is."""
        encoding = self.moves.encoding
        if steps == 0:
            return self.board
        if steps > 1:
            return encoding.false
        return encoding.disjunction(s.exists(encoding.choice_cube) for s in self.steps.values())

    def finish(self, game: Game, steps: int) -> Game:
        """Return the game with the step that ends it."""
        return game.broken_by(self.step_from(game.states[-1])) if steps else game

    def step_from(self, state: State) -> Step:
        """Return the first step from a board that is an end."""
        encoding = self.moves.encoding
        board = encoding.board(state)
        for action, steps in self.steps.items():
            if (ending := steps & board).satisfiable():
                return Step(action, encoding.pick_choices(ending))
        raise AssertionError("no step from this board ends a game")


def shortest(space: Space, ending: Ending) -> tuple[Game, int] | None:
    """Return a shortest game up to the ending, and how many steps the ending takes; None if there is none.

    Layers that were found are used; where they stop, the search goes on from both sides, always from the
    side whose set is smaller, if all reachable boards are known: there must be such a game then. Otherwise
    only the layers are searched.

    Raises:
        BudgetSpentError: a limit was reached.

    """
    limit = None if space.complete else space.budget.limits.depth
    meeting = _Meeting(space, ending)
    length = 0
    while limit is None or length <= limit:
        known, longest = len(space.rings) - 1, ending.longest
        if length > known and space.complete and not space.layered:
            meeting.advance(length)
            known = len(space.rings) - 1
        if (found := meeting.at(length)) is not None:
            return found
        over = space.layered or not space.complete
        if over and longest is not None and length >= known + longest:
            return None
        length += 1
    return None


class _Meeting:
    """The two sides of a search. back: the boards from which the end takes exactly 0, 1, ... steps."""

    def __init__(self, space: Space, ending: Ending) -> None:
        self.space, self.ending = space, ending
        self.back: list[Function] = []
        self.seen = space.encoding.false

    def advance(self, length: int) -> None:
        """Make the two sides long enough for a game of `length` steps, longer than the layers known."""
        needed = length - (len(self.space.rings) - 1)
        if len(self.back) > needed:
            return
        if self.back and self.space.rings[-1].node_count() <= self.back[-1].node_count():
            self.space.extend()
        else:
            while len(self.back) <= needed:
                self._extend_back()

    def _extend_back(self) -> None:
        fresh = self.ending.ready(len(self.back))
        if self.back:
            fresh = fresh | self.space.before(self.back[-1])
        fresh = fresh & self.space.reached & ~self.seen
        self.seen = self.seen | fresh
        self.back.append(fresh)

    def at(self, length: int) -> tuple[Game, int] | None:
        """Return a game of exactly `length` steps, if the two sides have one."""
        rings = self.space.rings
        longest = self.ending.longest
        for steps in range(min(length, length if longest is None else longest) + 1):
            if length - steps < len(rings):
                ready = rings[length - steps] & self.ending.ready(steps)
                if ready.satisfiable():
                    return path_to(self.space, length - steps, ready), steps
        beyond = length - (len(rings) - 1)
        if 0 <= beyond < len(self.back):
            meet = rings[-1] & self.back[beyond]
            if meet.satisfiable():
                return self._onwards(path_to(self.space, len(rings) - 1, meet), beyond)
        return None

    def _onwards(self, game: Game, steps: int) -> tuple[Game, int]:
        """Follow the sets from which the end is near until the ending itself is left."""
        while not holds(self.space, self.ending.ready(steps), game.states[-1]):
            steps -= 1
            game = step_into(self.space, game, self.back[steps])
        return game, steps


def holds(space: Space, boards: Function, state: State) -> bool:
    """Tell whether a board is in a set."""
    return boards.eval(space.encoding.assignment(state))


def path_to(space: Space, layer: int, boards: Function) -> Game:
    """Return a shortest game to one of `boards`, a set within the layer of that number."""
    state = space.encoding.pick(boards)
    states, steps = [state], list[Step]()
    for ring in reversed(space.rings[:layer]):
        before, step = _step_to(space, ring, states[-1])
        states.append(before)
        steps.append(step)
    return Game(tuple(reversed(states)), tuple(reversed(steps)))


def _step_to(space: Space, boards: Function, state: State) -> tuple[State, Step]:
    """Return a board of a set and a step from it to `state`."""
    target = space.encoding.board(state)
    for relation in space.moves.relations:
        before = relation.preimage(target) & boards
        if before.satisfiable():
            source = space.encoding.pick(before)
            taken = successors(space.moves, source, relation.action)
            return source, next(step for step, after in taken if after == state)
    raise AssertionError("a board of one layer has no predecessor in the layer before")


def step_into(space: Space, game: Game, boards: Function, forced: bool = False) -> Game:
    """Return the game with the first (forced) step that leads into a set.

    Raises:
        AssertionError: no step does.

    """
    for step, after in steps_from(space.moves, game.states[-1], forced):
        if holds(space, boards, after):
            return game.then(step, after)
    raise AssertionError("no step leads into the set")


def steps_from(moves: Moves, state: State, forced: bool = False) -> Iterator[tuple[Step, State]]:
    """Yield every (forced) step from a board with the board after it."""
    board = moves.encoding.assignment(state)
    for transition in moves.transitions:
        if not forced or moves.forced[transition.action].eval(board):
            yield from successors(moves, state, transition.action)


def successors(moves: Moves, state: State, action: int) -> Iterator[tuple[Step, State]]:
    """Yield every step of an action from a board, with the board after it."""
    encoding, transition = moves.encoding, moves.transitions[action]
    if not transition.enabled.eval(encoding.assignment(state)):
        return
    left = transition.taken & encoding.board(state)
    while left.satisfiable():
        chosen = encoding.pick_choices(left)
        bits = encoding.assignment(state, chosen)
        after = list(state)
        for variable, by_value in transition.sets.items():
            after[variable] = next((v for v, when in by_value.items() if when.eval(bits)), state[variable])
        yield Step(action, chosen), tuple(after)
        left = left & ~encoding.conjunction(
            (encoding.manager.var if atom in chosen else encoding.manager.not_var)(bit)
            for atom, bit in encoding.choices.items()
        )
