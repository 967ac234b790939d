"""Further games that break a property differently: the ends shown so far are taken away, one after the other."""

from __future__ import annotations

from collections.abc import Iterable

from checker.engines.budget import BudgetSpentError
from checker.engines.different import End, Ends
from checker.engines.symbolic.diagrams import Function, OutOfNodesError
from checker.engines.symbolic.reach import Space
from checker.engines.symbolic.search import Game, Target, shortest, successors
from checker.system.model import Atom, Goal, Kind, State, Step


def further_games(space: Space, goal: Goal, target: Target, first: Game) -> tuple[list[Game], bool]:
    """Return games that break `goal` otherwise than the first one does, until there are as many as asked for.

    Args:
        space: the boards found.
        goal: the property, of a kind in `different.KINDS`.
        target: where it breaks, as a shortest game is looked for.
        first: the game that is shown already, with its end.

    Returns:
        The games, shortest first, and whether there are no others.

    """
    found: list[Game] = []
    try:
        left = _Left(space, goal, target)
        left.take_away(first)
        while len(found) + 1 < space.budget.limits.games:
            game = left.shortest()
            if game is None:
                return found, space.complete
            left.take_away(game)
            found.append(game)
    except (BudgetSpentError, OutOfNodesError):
        pass  # those found are games all the same
    return found, False


class _Left:
    """The ends of which no game was shown yet; itself an `Ending` of the search.

    starts: initial boards that break the property. breaks: for each action the steps that break it. enters:
    those from a board that keeps it to one that does not. Steps are pairs of a board and choices.
    """

    def __init__(self, space: Space, goal: Goal, target: Target) -> None:
        self.space, self.moves, self.encoding = space, space.moves, space.encoding
        self.ends = Ends(self.encoding.system, goal)
        self.atoms = [atom for atom, _ in goal.violated] if goal.kind in (Kind.INVARIANT, Kind.STEP) else []
        self.starts = space.rings[0] & target.board
        self.breaks = {action: steps for action, steps in target.steps.items() if steps.satisfiable()}
        self.into = {t.action: self.moves.with_choices(t) for t in self.moves.transitions}
        self.enters = {a: into.preimage(target.board) & ~target.board for a, into in self.into.items()}
        self.meaning = {t.action: self._meaning(t.action) for t in self.moves.transitions}

    @property
    def longest(self) -> int:
        """One step at most."""
        return 1

    def _meaning(self, action: int) -> dict[str, Function]:
        """Return for each clause the steps of an action that mean it."""
        values = self.moves.transitions[action].values
        meant = {
            clause: self.encoding.disjunction(values[atom] for atom in atoms if atom in values)
            for clause, atoms in self.ends.clauses.items()
        }
        return {clause: steps for clause, steps in meant.items() if steps.satisfiable()}

    def ready(self, steps: int) -> Function:
        """Return the boards that are an end, or have a step that is."""
        if steps == 0:
            return self.starts
        if steps > 1:
            return self.encoding.false
        ends = (*self.breaks.values(), *self.enters.values())
        return self.encoding.disjunction(end.exists(self.encoding.choice_cube) for end in ends)

    def finish(self, game: Game, steps: int) -> Game:
        """Return the game with the step that ends it."""
        if steps == 0:
            return game
        board = self.encoding.board(game.states[-1])
        for action, left in self.breaks.items():
            if (end := left & board).satisfiable():
                return game.broken_by(Step(action, self.encoding.pick_choices(end)))
        for action, left in self.enters.items():
            if (end := left & board).satisfiable():
                chosen = self.encoding.pick_choices(end)
                return game.then(Step(action, chosen), self._after(game.states[-1], action, chosen))
        raise AssertionError("no step from this board ends a game")

    def _after(self, state: State, action: int, chosen: tuple[Atom, ...]) -> State:
        steps = successors(self.moves, state, action)
        return next(after for step, after in steps if set(step.chosen) == set(chosen))

    def shortest(self) -> Game | None:
        """Return a shortest game to an end that is left, None if none is reachable."""
        if not (self.space.reached & (self.ready(0) | self.ready(1))).satisfiable():
            return None
        found = shortest(self.space, self)
        return None if found is None else self.finish(*found)

    def take_away(self, game: Game) -> None:
        """Take away every end that is alike to that of a game."""
        end, broken = self._end(game)
        alike = self.ends.alike(broken)
        if end.clauses is None:
            self.starts = self.starts & ~self.encoding.disjunction(map(self._boards, alike))
            return
        boards = self.encoding.disjunction(map(self._boards, alike)) if end.lands else self.encoding.false
        for action in self.enters if end.lands else self.breaks:
            self.space.budget.check()
            meant = self._exactly(action, end.clauses)
            if not meant.satisfiable():
                continue
            if end.lands:
                gone = self.into[action].preimage(boards) & meant
                self.enters[action] = self.enters[action] & ~gone
            else:
                same = self.encoding.disjunction(self._steps(action, atoms) for atoms in alike)
                self.breaks[action] = self.breaks[action] & ~(same & meant)

    def _end(self, game: Game) -> tuple[End, list[Atom]]:
        """Return what the end of a game is known by, and the atoms that say what it breaks."""
        lands = len(game.states) > len(game.steps)
        if lands:
            bits = self.encoding.assignment(game.states[-1])
            broken = [atom for atom in self.atoms if self.moves.board_atom(atom).eval(bits)]
        if not game.steps:
            return self.ends.end(broken, None, lands), broken
        before, step = game.states[len(game.steps) - 1], game.steps[-1]
        bits = self.encoding.assignment(before, step.chosen)
        values = self.moves.transitions[step.action].values
        if not lands:
            broken = [atom for atom in self.atoms if atom in values and values[atom].eval(bits)]
        system = self.encoding.system
        fired = (atom for atom, when in values.items() if atom in system.fired and when.eval(bits))
        return self.ends.end(broken, fired, lands), broken

    def _exactly(self, action: int, clauses: frozenset[str]) -> Function:
        """Return the steps of an action that mean these clauses and no others."""
        meaning = self.meaning[action]
        if clauses - meaning.keys():
            return self.encoding.false
        parts = (steps if clause in clauses else ~steps for clause, steps in meaning.items())
        return self.encoding.conjunction(parts)

    def _boards(self, broken: Iterable[Atom]) -> Function:
        """Return the boards on which these atoms say what is broken, and no others do."""
        wanted = frozenset(broken)
        parts = ((self.moves.board_atom(atom), atom in wanted) for atom in self.atoms)
        return self.encoding.conjunction(holds if true else ~holds for holds, true in parts)

    def _steps(self, action: int, broken: Iterable[Atom]) -> Function:
        """Return the steps of an action in which these atoms say what is broken, and no others do."""
        wanted, values = frozenset(broken), self.moves.transitions[action].values
        if wanted - values.keys():
            return self.encoding.false
        mine = (atom for atom in self.atoms if atom in values)
        return self.encoding.conjunction(values[atom] if atom in wanted else ~values[atom] for atom in mine)
