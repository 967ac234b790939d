"""How a board is packed into 64-bit words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import reduce
from operator import or_

import numpy as np

from checker.engines.explicit.bits import Words
from checker.system.model import Atom, State, TransitionSystem

WORD_BITS = 63
"""Bits used per word; the top bit stays clear, so that no board is the empty slot of a table."""


@dataclass(frozen=True, slots=True)
class Field:
    """Where a variable lies: `width` bits of word `word` from bit `low` on; no bits if it cannot change."""

    word: int
    low: int
    width: int

    @property
    def mask(self) -> int:
        """The field's bits within its word."""
        return ((1 << self.width) - 1) << self.low


@dataclass(frozen=True)
class Layout:
    """The fields of all variables, and how many words a board takes."""

    fields: tuple[Field, ...]
    words: int

    def pack(self, states: Sequence[State]) -> Words:
        """Return the boards as an array of shape (words, boards)."""
        values = np.array(states, dtype=np.uint64).reshape(len(states), len(self.fields))
        packed = np.zeros((self.words, len(states)), dtype=np.uint64)
        for column, field in zip(values.T, self.fields, strict=True):
            packed[field.word] |= column << np.uint64(field.low)
        return packed

    def unpack(self, board: Words) -> State:
        """Return the value indices of one packed board, shape (words,)."""
        words = [int(word) for word in board]
        return tuple((words[f.word] & f.mask) >> f.low for f in self.fields)


def layout_of(system: TransitionSystem) -> Layout:
    """Place the variables, those that the fewest guards read lowest.

    The three lowest bits choose a place within a cache line of the table of boards (see `table`), which works
    best if all their combinations occur: so among equals, variables that use all their codes go first.
    """
    readers = _guards_reading(system)

    def rank(index: int) -> tuple[int, bool]:
        size = len(system.variables[index].domain)
        return readers[index], bool(size & (size - 1))

    fields: dict[int, Field] = {}
    fill: list[int] = [0]
    for index in sorted(range(len(system.variables)), key=rank):
        width = system.variables[index].bits
        word = next((w for w, used in enumerate(fill) if used + width <= WORD_BITS), len(fill))
        if word == len(fill):
            fill.append(0)
        fields[index] = Field(word, fill[word], width)
        fill[word] += width
    return Layout(tuple(fields[index] for index in range(len(fields))), len(fill))


def _guards_reading(system: TransitionSystem) -> list[int]:
    """Count, for each variable, the actions whose guard depends on it."""
    support: dict[Atom, int] = {}
    for index, variable in enumerate(system.variables):
        support.update(dict.fromkeys(variable.atoms, 1 << index))
    for stratum in system.strata:
        grown = True
        while grown:
            grown = False
            for rule in stratum.rules:
                known = support.get(rule.head, 0)
                reads = reduce(or_, (support.get(abs(lit), 0) for lit in rule.body), known)
                if reads != known:
                    support[rule.head] = reads
                    grown = stratum.recursive
    guards = [support.get(a, 0) for action in system.actions for a in (action.possible, action.forced) if a]
    return [sum(guard >> index & 1 for guard in guards) for index in range(len(system.variables))]
