"""Further games that break a property differently: a second look at all boards, which notes each end once."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from checker.engines.budget import Budget, BudgetSpentError
from checker.engines.different import KINDS, End, Ends
from checker.engines.explicit.bits import Rows, Words, rows_of
from checker.engines.explicit.moves import Moves
from checker.engines.explicit.program import Values
from checker.engines.explicit.trace import Path, Run
from checker.engines.explicit.watch import clash_at, options_at
from checker.engines.protocol import Answer, Further, Shown, Violated
from checker.system.model import Atom, Goal, Kind, Step


@dataclass(frozen=True, slots=True)
class _Seen:
    """An end as it was first seen: the board before it, and the step and the board after it if it has them."""

    level: int
    board: Words
    step: Step | None
    after: Words | None
    culprits: tuple[str, ...]


def with_further(answer: Answer, run: Run, goal: Goal, budget: Budget) -> Answer:
    """Return a violation with games that break `goal` in different ways, as many as the limits ask for.

    Its own game is replaced by one as short that is among them. Any other answer is returned as it is.
    """
    if budget.limits.games < 2 or goal.kind not in KINDS or not isinstance(answer, Violated) or answer.trace is None:
        return answer
    ends: dict[End, _Seen] = {}
    wanted, complete = budget.limits.games, run.explored.stopped is None
    try:
        for found in _Search(run, goal, budget).lengths():
            for end, seen in found:
                ends.setdefault(end, seen)
            if len(ends) >= wanted:
                complete = False
                break
    except BudgetSpentError:
        complete = False
    shown = [_shown(run, seen) for seen in list(ends.values())[:wanted]]
    if not shown:
        return replace(answer, further=Further((), complete=False))
    first, *others = shown
    return replace(answer, trace=first.trace, culprits=first.culprits, further=Further(tuple(others), complete))


def _shown(run: Run, seen: _Seen) -> Shown:
    path = run.path_to(seen.level, seen.board)
    if seen.step is not None:
        boards = path.boards if seen.after is None else (*path.boards, seen.after)
        path = Path(boards, (*path.steps, seen.step))
    return Shown(path.trace(run.rules), seen.culprits)


class _Search:
    """Goes through the levels of a search once more and names every end."""

    def __init__(self, run: Run, goal: Goal, budget: Budget) -> None:
        self.run, self.goal, self.budget = run, goal, budget
        self.system = run.rules.system
        self.ends = Ends(self.system, goal)
        atoms = [atom for atom, _ in goal.violated] if goal.kind in (Kind.INVARIANT, Kind.STEP) else []
        self.on_board = [atom for atom in atoms if atom in run.rules.board_atoms]
        self.on_step = [atom for atom in atoms if atom not in run.rules.board_atoms]
        self.said = dict(goal.violated)

    def lengths(self) -> Iterator[list[tuple[End, _Seen]]]:
        """Yield the ends of games of 0, 1, 2, ... steps.

        Raises:
            BudgetSpentError: time or memory ran out.

        """
        yield list(self._starts())
        for level, boards in enumerate(self.run.explored.levels):
            yield list(self._steps(level, boards))

    def _starts(self) -> Iterator[tuple[End, _Seen]]:
        for chunk in self.run.rules.chunks(self.run.explored.levels[0]):
            bad = self._bad(chunk.values) & chunk.valid
            for row, true in _distinct(rows_of(bad), chunk.values, self.on_board):
                seen = _Seen(0, chunk.boards[:, row], None, None, self._culprits(true))
                yield self.ends.end(true, None, lands=True), seen

    def _steps(self, level: int, boards: Words) -> Iterator[tuple[End, _Seen]]:
        for chunk in self.run.rules.chunks(boards, level):
            good = ~self._bad(chunk.values)
            for moves in self.run.rules.moves(chunk):
                self.budget.check()
                yield from self._breaking(moves)
                if self.on_board:
                    yield from self._entering(moves, good)

    def _bad(self, values: Values) -> Words:
        bad = values.constant(False)
        for atom in self.on_board:
            bad = bad | values[atom]
        return bad

    def _breaking(self, moves: Moves) -> Iterator[tuple[End, _Seen]]:
        """Yield the ends in steps that break the property themselves."""
        here = [atom for atom in self.on_step if atom in moves.variant.goals]
        for row, true in _distinct(self._broken(moves, here), moves.values, [*here, *self._fired(moves)]):
            broken = [atom for atom in true if atom in self.said]
            fired = [atom for atom in true if atom in self.system.fired]
            culprits = self._said_of(moves, row, broken)
            seen = _Seen(moves.chunk.level, moves.chunk.boards[:, row], _step(moves), None, culprits)
            yield self.ends.end(broken, fired, lands=False), seen

    def _broken(self, moves: Moves, here: Sequence[Atom]) -> Rows:
        vectors: list[Words | None]
        match self.goal.kind:
            case Kind.CONFLICT:
                vectors = [moves.clash]
            case Kind.OPEN_OUTCOME:
                vectors = [moves.stuck, moves.undecided]
            case _:
                vectors = [moves.values[atom] & moves.taken for atom in here]
        seen = [vector for vector in vectors if vector is not None]
        return rows_of(np.bitwise_or.reduce(seen)) if seen else np.empty(0, dtype=np.intp)

    def _entering(self, moves: Moves, good: Words) -> Iterator[tuple[End, _Seen]]:
        """Yield the ends in steps from a board that keeps the property to one that does not."""
        rows = rows_of(moves.lands & good)
        if not len(rows):
            return
        after = moves.next_boards(rows)
        for number, true in self._entered(moves, rows, after):
            broken = [atom for atom in true if atom in self.said]
            fired = [atom for atom in true if atom in self.system.fired]
            board = moves.chunk.boards[:, rows[number]]
            seen = _Seen(moves.chunk.level, board, _step(moves), after[:, number], self._culprits(broken))
            yield self.ends.end(broken, fired, lands=True), seen

    def _entered(self, moves: Moves, rows: Rows, after: Words) -> Iterator[tuple[int, list[Atom]]]:
        """Yield one of each kind of step that enters a bad board, by its number among `rows`."""
        chunk = self.run.rules.board.chunk(after)
        bad = rows_of(self._bad(chunk.values) & chunk.valid)
        if not len(bad):
            return
        fired = self._fired(moves)
        columns = [_flags(chunk.values[atom], bad) for atom in self.on_board]
        columns += [_flags(moves.values[atom], rows[bad]) for atom in fired]
        for place, true in _kinds(columns, [*self.on_board, *fired]):
            yield int(bad[place]), true

    def _fired(self, moves: Moves) -> list[Atom]:
        return [atom for atom in moves.variant.goals if atom in self.system.fired]

    def _said_of(self, moves: Moves, row: int, broken: Iterable[Atom]) -> tuple[str, ...]:
        match self.goal.kind:
            case Kind.CONFLICT:
                return clash_at(moves, row, self.system)
            case Kind.OPEN_OUTCOME:
                return options_at(moves, row)
            case _:
                return self._culprits(broken)

    def _culprits(self, broken: Iterable[Atom]) -> tuple[str, ...]:
        return tuple(sorted({str(culprit) for atom in broken if (culprit := self.said[atom]) is not None}))


def _step(moves: Moves) -> Step:
    return Step(moves.action, moves.variant.chosen)


def _distinct(rows: Rows, values: Values, atoms: Sequence[Atom]) -> Iterator[tuple[int, list[Atom]]]:
    """Yield the first of each kind of rows that differ in which of `atoms` hold, and those that do."""
    for place, true in _kinds([_flags(values[atom], rows) for atom in atoms], atoms) if len(rows) else ():
        yield int(rows[place]), true


def _flags(vector: Words, rows: Rows) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
    """Return for each of `rows` whether its bit is set."""
    flags = np.zeros(64 * len(vector), dtype=np.bool_)
    flags[rows_of(vector)] = True
    return flags[rows]


def _kinds(
    columns: Sequence[np.ndarray[tuple[int], np.dtype[np.bool_]]], atoms: Sequence[Atom]
) -> Iterator[tuple[int, list[Atom]]]:
    """Yield the place of the first row of each kind, in order, with the atoms whose column is true there."""
    if not columns:
        yield 0, []
        return
    table = np.packbits(np.array(columns), axis=0)
    _, first = np.unique(table, axis=1, return_index=True)
    for place in sorted(first.tolist()):
        yield place, [atom for atom, column in zip(atoms, columns, strict=True) if column[place]]
