"""Runs without an end: forced steps for ever, and boards that nothing ever answers."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from checker.engines.budget import BudgetSpentError
from checker.engines.protocol import Answer, Further, Holds, Shown, Unknown, Violated
from checker.engines.symbolic.diagrams import Function
from checker.engines.symbolic.different import further_games
from checker.engines.symbolic.goals import everywhere, on_board
from checker.engines.symbolic.reach import Space
from checker.engines.symbolic.search import Game, Target, holds, shortest, steps_from
from checker.system.model import Goal, Trace

EFFORT = 5_000
"""Boards looked at one by one for a short lasso, before the first that comes is taken."""


def decide_termination(space: Space, goal: Goal) -> Answer:
    """Decide whether forced steps always come to an end.

    Raises:
        BudgetSpentError: a limit was reached.

    """
    if not space.complete:
        return Unknown(space.stopped, len(space.rings) - 1)
    endless = _greatest(space, lambda boards: boards & space.before_forced(boards))
    if not endless.satisfiable():
        return Holds(everywhere(space))
    return _violated(goal, endless, _Run(space, endless, space.encoding.false, forced=True))


def decide_response(space: Space, goal: Goal) -> Answer:
    """Decide whether every pending board is followed, whatever happens, by an answered one.

    Raises:
        BudgetSpentError: a limit was reached.

    """
    if not space.complete:
        return Unknown(space.stopped, len(space.rings) - 1)
    moves = space.moves
    asked = (*goal.pending, *goal.answered)
    if any(atom in transition.values for atom in asked for transition in moves.transitions):
        return Unknown("pending or answered depends on the step, which is not supported")
    open_boards = ~on_board(moves, goal.answered)
    leaves = space.encoding.disjunction(t.taken.exists(space.encoding.choice_cube) for t in moves.transitions)
    ends = space.reached & open_boards & ~leaves
    endless = _greatest(space, lambda boards: boards & open_boards & (ends | space.before(boards)))
    starts = endless & on_board(moves, goal.pending)
    if not starts.satisfiable():
        return Holds(everywhere(space))
    return _violated(goal, starts, _Run(space, endless, ends, forced=False))


def _greatest(space: Space, shrink: Callable[[Function], Function]) -> Function:
    """Return the greatest set of reachable boards that `shrink` leaves alone."""
    boards, smaller = space.reached, shrink(space.reached)
    while smaller != boards:
        boards, smaller = smaller, shrink(smaller)
    return boards


@dataclass(frozen=True, slots=True)
class _Run:
    """Runs within a set that each of its boards stays in for ever, or until one of `ends`."""

    space: Space
    inside: Function
    ends: Function
    forced: bool

    def lasso(self, game: Game) -> tuple[Game, int | None]:
        """Return the game carried on until it comes back to one of its boards, or ends.

        Boards are tried nearest first; past `EFFORT` of them the first step that stays inside is taken.
        """
        waiting, seen, start = [game], {game.states[-1]}, len(game.states) - 1
        for current in waiting:
            if holds(self.space, self.ends, current.states[-1]):
                return current, None
            for step, after in steps_from(self.space.moves, current.states[-1], self.forced):
                if not holds(self.space, self.inside, after):
                    continue
                longer = current.then(step, after)
                if after in current.states[start:]:
                    return longer, current.states.index(after, start)
                if after not in seen and len(seen) < EFFORT:
                    seen.add(after)
                    waiting.append(longer)
            self.space.budget.check()
        return self._straight(game)

    def _straight(self, game: Game) -> tuple[Game, int | None]:
        places = {game.states[-1]: len(game.states) - 1}
        while not holds(self.space, self.ends, game.states[-1]):
            self.space.budget.check()
            inside = (
                (step, after)
                for step, after in steps_from(self.space.moves, game.states[-1], self.forced)
                if holds(self.space, self.inside, after)
            )
            step, after = next(inside)
            game = game.then(step, after)
            if after in places:
                return game, places[after]
            places[after] = len(game.states) - 1
        return game, None


def _violated(goal: Goal, starts: Function, run: _Run) -> Violated:
    target = Target(run.space.moves, starts)
    found = shortest(run.space, target)
    assert found is not None, "a reachable board has a game that leads to it"
    further = _further(goal, target, run, found[0]) if run.space.budget.limits.games > 1 else None
    return Violated(_trace(run, found[0]), shortest=False, further=further)


def _further(goal: Goal, target: Target, run: _Run, first: Game) -> Further:
    """Return runs to which a step by other clauses leads, nearest first, until there are as many as asked for."""
    games, complete = further_games(run.space, goal, target, first)
    shown: list[Shown] = []
    try:
        for game in games:
            shown.append(Shown(_trace(run, game), ()))
    except BudgetSpentError:
        complete = False  # those found are games all the same
    return Further(tuple(shown), complete)


def _trace(run: _Run, game: Game) -> Trace:
    game, loop = run.lasso(game)
    return Trace(game.states, game.steps, loop)
