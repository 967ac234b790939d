"""A chunk of boards as bit vectors: the planes of their bits and the atoms of the board rules."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import numpy as np

from checker.engines.explicit.bits import LANES, Words, planes_of, prefix
from checker.engines.explicit.layout import Field, Layout
from checker.engines.explicit.program import Program, Values
from checker.system.model import Action, Atom, TransitionSystem

Planes = Mapping[tuple[int, int], Words]
"""The bit vector of each used bit (word, place) of a board."""


@dataclass(frozen=True)
class Chunk:
    """Up to some hundred thousand boards, evaluated together.

    boards: shape (words, N), N a multiple of 64; from number `count` on it is padding. level: how many steps
    they are from the start, where that is known.
    values: every atom of the board rules. busy: where some possible action is forced; None if none ever is.
    """

    boards: Words
    count: int
    level: int
    valid: Words
    planes: Planes
    values: Values
    busy: Words | None

    def enabled(self, action: Action) -> Words | None:
        """Return the boards on which the action may be taken, None if it never is."""
        if action.possible is None:
            return None
        allowed = self.values[action.possible] & self.valid
        if self.busy is None:
            return allowed
        if action.forced is None:
            return allowed & ~self.busy
        return allowed & (self.values[action.forced] | ~self.busy)


@dataclass(frozen=True)
class BoardRules:
    """Evaluates the rules of the board on chunks.

    needed: the atoms `now(F, V)` that some rule reads.
    """

    system: TransitionSystem
    layout: Layout
    program: Program
    needed: frozenset[Atom]

    def chunk(self, boards: Words, level: int = 0) -> Chunk:
        """Evaluate boards, shape (words, n) with n >= 1."""
        count = boards.shape[1]
        width = -(-count // LANES)
        if count != width * LANES:
            boards = np.pad(boards, ((0, 0), (0, width * LANES - count)))
        boards = np.ascontiguousarray(boards)
        planes = dict(self._planes(boards))
        values = Values(width)
        complements = {place: ~plane for place, plane in planes.items()}
        for variable, field in zip(self.system.variables, self.layout.fields, strict=True):
            for code, atom in enumerate(variable.atoms):
                if atom in self.needed:
                    values[atom] = _holds(values, field, code, planes, complements)
        self.program.run(values)
        return Chunk(boards, count, level, prefix(count, width), planes, values, self._busy(values))

    def _planes(self, boards: Words) -> Iterable[tuple[tuple[int, int], Words]]:
        for word, column in enumerate(boards):
            used = max((f.low + f.width for f in self.layout.fields if f.word == word), default=0)
            lanes = column.view(np.uint8).reshape(-1, 8)
            for byte in range(-(-used // 8)):
                for place, plane in enumerate(planes_of(np.ascontiguousarray(lanes[:, byte]))):
                    yield (word, 8 * byte + place), plane

    def _busy(self, values: Values) -> Words | None:
        forced = [a for a in self.system.actions if a.possible is not None and a.forced is not None]
        busy: Words | None = None
        for action in forced:
            assert action.possible is not None
            assert action.forced is not None
            now = values[action.possible] & values[action.forced]
            busy = now if busy is None else busy | now
        return busy


def _holds(values: Values, field: Field, code: int, planes: Planes, complements: Planes) -> Words:
    """Return where a field has a code."""
    result = values.constant(True)
    for bit in range(field.width):
        place = field.word, field.low + bit
        result = result & (planes if code >> bit & 1 else complements)[place]
    return result
