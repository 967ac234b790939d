"""A transition system compiled for evaluation in bulk."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from checker.engines.explicit.bits import Words
from checker.engines.explicit.chunk import BoardRules, Chunk
from checker.engines.explicit.layout import Layout, layout_of
from checker.engines.explicit.moves import ActionRules, Moves, compile_action
from checker.engines.explicit.program import compile_rules
from checker.system.model import Atom, TransitionSystem
from checker.system.specialise import specialise

CHUNK = 1 << 17
"""Boards per chunk: a bit vector of 16 KB, so that a step's vectors stay in the second-level cache."""


@dataclass(frozen=True)
class Rules:
    """The board rules and each action's step rules, ready to run on chunks of packed boards.

    board_atoms: the atoms among those watched and needed that depend on the board alone.
    """

    system: TransitionSystem
    layout: Layout
    board: BoardRules
    actions: tuple[ActionRules, ...]
    board_atoms: frozenset[Atom]

    def chunks(self, boards: Words, level: int = 0) -> Iterator[Chunk]:
        """Evaluate the board rules on boards of one level, shape (words, n), a chunk at a time."""
        for start in range(0, boards.shape[1], CHUNK):
            yield self.board.chunk(boards[:, start : start + CHUNK], level)

    def moves(self, chunk: Chunk) -> Iterator[Moves]:
        """Yield what every action does on a chunk."""
        for action in self.actions:
            yield from action.moves(chunk)


def compile_system(system: TransitionSystem, watched: Iterable[Atom]) -> Rules:
    """Compile a system, keeping the `watched` atoms besides guards and effects."""
    layout = layout_of(system)
    watched = {*watched, *(effect.atom for effect in system.effects)}
    cut = specialise(system, watched)
    actions = tuple(
        compile_action(system.actions[step.action], step, layout)
        for step in cut.steps
        if system.actions[step.action].possible is not None
    )
    strata = [*cut.board, *(stratum for step in cut.steps for stratum in step.strata)]
    read = {abs(lit) for stratum in strata for rule in stratum.rules for lit in rule.body}
    read |= {a for action in system.actions for a in (action.possible, action.forced) if a is not None}
    read |= watched | {who for action in system.actions for _, who in action.by if who is not None}
    board = BoardRules(system, layout, compile_rules(cut.board), frozenset(read))
    inputs = {atom for variable in system.variables for atom in variable.atoms}
    return Rules(system, layout, board, actions, board.program.heads | inputs)
