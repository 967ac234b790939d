"""What to look at while searching: each watch is an observer that answers one property at the end."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import numpy as np

from checker.engines.explicit.bits import bit_at, rows_of
from checker.engines.explicit.bits import count as bits_set
from checker.engines.explicit.chunk import Chunk
from checker.engines.explicit.moves import Moves
from checker.engines.explicit.trace import Finding, Run
from checker.engines.protocol import Answer, Holds, Violated
from checker.system.model import Atom, Goal, Kind, RuleSource, Step, TransitionSystem


class Watch:
    """Keeps the first thing found at the least depth."""

    first: Finding | None = None

    def on_chunk(self, chunk: Chunk) -> None:
        """Look at boards."""

    def on_moves(self, moves: Moves) -> None:
        """Look at steps."""

    def answer(self, run: Run) -> Answer:
        """Answer the property after the search."""
        raise NotImplementedError  # each watch answers its own kind; looking at boards or steps is optional

    def sooner(self, depth: int) -> bool:
        """Tell whether something after `depth` steps would be the first."""
        return self.first is None or depth < self.first.depth


class AtomWatch(Watch):
    """Watches for boards and steps on which one of some atoms holds."""

    def __init__(self, atoms: Mapping[Atom, str | None], board_atoms: frozenset[Atom]) -> None:
        self.said = dict(atoms)
        self.on_board = [atom for atom in atoms if atom in board_atoms]
        self.on_step = [atom for atom in atoms if atom not in board_atoms]
        self.boards = 0

    def on_chunk(self, chunk: Chunk) -> None:
        """Count the boards on which an atom holds, and keep the first."""
        if not self.on_board:
            return
        seen = np.bitwise_or.reduce([chunk.values[atom] for atom in self.on_board]) & chunk.valid
        if not seen.any():
            return
        self.boards += bits_set(seen)
        if self.sooner(chunk.level):
            row = int(rows_of(seen)[0])
            true = (self.said[a] for a in self.on_board if bit_at(chunk.values[a], row))
            self.first = Finding(chunk.level, chunk.boards[:, row], None, _named(true))

    def on_moves(self, moves: Moves) -> None:
        """Keep the first step in which an atom holds."""
        atoms = [atom for atom in self.on_step if atom in moves.variant.goals]
        if not atoms or not self.sooner(moves.chunk.level + 1):
            return
        seen = np.bitwise_or.reduce([moves.values[atom] for atom in atoms]) & moves.taken
        if seen.any():
            row = int(rows_of(seen)[0])
            true = (self.said[a] for a in atoms if bit_at(moves.values[a], row))
            self.first = found_in(moves, row, _named(true))


class ViolatedWatch(AtomWatch):
    """An invariant or step property."""

    def answer(self, run: Run) -> Answer:
        """Violated by the first atom seen."""
        if self.first is not None:
            breaking = self.boards if run.explored.stopped is None and not self.on_step else None
            return Violated(run.trace(self.first), self.first.culprits, breaking=breaking)
        return run.unless_found(Holds(run.everywhere()))


class ReachedWatch(AtomWatch):
    """A board or step that must be reachable."""

    def __init__(self, goal: Goal, board_atoms: frozenset[Atom]) -> None:
        super().__init__(dict.fromkeys(goal.reached), board_atoms)
        self.name = goal.name

    def answer(self, run: Run) -> Answer:
        """Holds with the first witness."""
        if self.first is not None:
            return Holds("a shortest game reaches it", run.trace(self.first))
        return run.unless_found(Violated(None, (self.name,), note=f"not on {run.everywhere()}"))


class ClashWatch(Watch):
    """No step sets one variable to two values."""

    def __init__(self, system: TransitionSystem) -> None:
        self.system = system

    def on_moves(self, moves: Moves) -> None:
        """Keep the first clash."""
        if moves.clash is None or not self.sooner(moves.chunk.level + 1):
            return
        row = int(rows_of(moves.clash)[0])
        self.first = found_in(moves, row, clash_at(moves, row, self.system))

    def answer(self, run: Run) -> Answer:
        """Violated by the first clash: the variable, then its values."""
        if self.first is not None:
            return Violated(run.trace(self.first), self.first.culprits)
        return run.unless_found(Holds(run.everywhere()))


class UndecidedWatch(ClashWatch):
    """No step leaves an outcome open: two or more options, or none."""

    def on_moves(self, moves: Moves) -> None:
        """Keep the first open outcome."""
        for seen in (moves.stuck, moves.undecided):
            if seen is not None and self.sooner(moves.chunk.level + 1):
                row = int(rows_of(seen)[0])
                board = moves.chunk.boards[:, row]
                self.first = Finding(moves.chunk.level, board, Step(moves.action), options_at(moves, row))


class ActionsWatch(Watch):
    """Every action is possible on some board."""

    def __init__(self, system: TransitionSystem) -> None:
        self.names = {index: str(action.name) for index, action in enumerate(system.actions)}

    def on_moves(self, moves: Moves) -> None:
        """Strike off the action."""
        self.names.pop(moves.action, None)

    def answer(self, run: Run) -> Answer:
        """Violated by the actions left."""
        if not self.names:
            return Holds("every action is taken on a reachable board")
        return run.unless_found(Violated(None, tuple(self.names.values())))


class RulesWatch(Watch):
    """Every rule of the rulebook fires on some board or in some step."""

    def __init__(self, system: TransitionSystem, board_atoms: frozenset[Atom]) -> None:
        self.fired = system.fired
        self.board_atoms = board_atoms
        self.left = {source.id: source for source in system.sources}
        self.atoms = dict(system.fired)

    def on_chunk(self, chunk: Chunk) -> None:
        """Strike off the rules that fire on a board."""
        board = [atom for atom in self.atoms if atom in self.board_atoms]
        self._strike(atom for atom in board if (chunk.values[atom] & chunk.valid).any())

    def on_moves(self, moves: Moves) -> None:
        """Strike off the rules that fire in a step."""
        step = [atom for atom in self.atoms if atom in moves.variant.goals]
        self._strike(atom for atom in step if (moves.values[atom] & moves.taken).any())

    def _strike(self, atoms: Iterable[Atom]) -> None:
        fired = {self.fired[atom] for atom in atoms}
        if fired:
            self.left = {i: source for i, source in self.left.items() if i not in fired}
            self.atoms = {a: rule for a, rule in self.atoms.items() if rule not in fired}

    def answer(self, run: Run) -> Answer:
        """Violated by the rules left."""
        if not self.left:
            return Holds("every rule fires on a reachable board")
        return run.unless_found(Violated(None, tuple(place(source) for source in self.left.values())))


def place(source: RuleSource) -> str:
    """Say where a rule stands and which clauses it means."""
    return f"{source.file}:{source.line} {', '.join(source.clauses)}".rstrip()


def found_in(moves: Moves, row: int, culprits: tuple[str, ...]) -> Finding:
    """Return the finding of a step from one board of a chunk."""
    return Finding(moves.chunk.level, moves.chunk.boards[:, row], Step(moves.action, moves.variant.chosen), culprits)


def clash_at(moves: Moves, row: int, system: TransitionSystem) -> tuple[str, ...]:
    """Name the first variable that a step from one board of a chunk sets to two values, and the values."""
    for change in moves.variant.contested:
        variable = system.variables[change.variable]
        codes = [c for c, atoms in change.codes if any(bit_at(moves.values[a], row) for a in atoms)]
        if len(codes) > 1:
            return (str(variable.name), *(str(variable.domain[code]) for code in codes))
    raise AssertionError("a clash sets a variable to two values")


def options_at(moves: Moves, row: int) -> tuple[str, ...]:
    """Name the options of the outcomes that one board of a chunk leaves open."""
    named: list[str] = []
    for outcome, _ in moves.variant.picks:
        enabled = [str(o.effect) for o in outcome.options if bit_at(moves.values[o.enabled], row)]
        if bit_at(moves.values[outcome.fired], row) and len(enabled) != 1:
            named += enabled
    return tuple(sorted(named))


def _named(culprits: Iterable[str | None]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(name for name in culprits if name is not None))


def watch_for(goal: Goal, system: TransitionSystem, board_atoms: frozenset[Atom]) -> Watch | None:
    """Return the watch that answers a property during the search, None if it takes the graph.

    board_atoms: the atoms that depend on the board alone.
    """
    if goal.kind in (Kind.INVARIANT, Kind.STEP):
        said = {atom: None if culprit is None else str(culprit) for atom, culprit in goal.violated}
        return ViolatedWatch(said, board_atoms)
    if goal.kind is Kind.SOMETIMES:
        return ReachedWatch(goal, board_atoms)
    if goal.kind is Kind.RULES_FIRE:
        return RulesWatch(system, board_atoms)
    others = {
        Kind.CONFLICT: ClashWatch,
        Kind.OPEN_OUTCOME: UndecidedWatch,
        Kind.ACTIONS_REACHABLE: ActionsWatch,
    }
    return others[goal.kind](system) if goal.kind in others else None
