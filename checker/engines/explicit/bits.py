"""Bit vectors: one bit per state of a chunk, and the way between them and bytes per state.

A chunk of N states (N a multiple of 64) has bit vectors of N/64 words. State n is bit `n // (N/8)` of byte
`n % (N/8)`: with this order eight bit vectors and one byte per state are each other's transpose, found by
three rounds of masked swaps on whole words, and neither side needs a permutation.
"""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
import numpy.typing as npt

Words: TypeAlias = npt.NDArray[np.uint64]
"""Unsigned 64-bit words: packed states, or a bit vector."""

Bytes: TypeAlias = npt.NDArray[np.uint8]

Rows: TypeAlias = npt.NDArray[np.intp]
"""Indices of states within a chunk, ascending."""

Flags: TypeAlias = npt.NDArray[np.bool_]
"""A truth value per item."""

LANES = 64
"""States per word of a bit vector; the length of a chunk is a multiple of it."""

_ONES = np.uint64(0x0101010101010101)
_SHIFTS = np.arange(8, dtype=np.uint64)[:, None]
_ROUNDS = (
    (4, np.uint64(4), np.uint64(0x0F0F0F0F0F0F0F0F)),
    (2, np.uint64(2), np.uint64(0x3333333333333333)),
    (1, np.uint64(1), np.uint64(0x5555555555555555)),
)


def transpose(block: Words) -> Words:
    """Transpose eight rows of words in place, seen as 8 x 8 bits at each byte; its own inverse.

    Args:
        block: shape (8, W), contiguous. Row r holds eight bits for the states r*8W .. r*8W + 8W - 1, one byte
            each; afterwards row j is the bit vector of bit j. Or the other way round.

    """
    width = block.shape[1]
    for distance, shift, mask in _ROUNDS:
        pairs = block.reshape(4 // distance, 2, distance, width)
        low, high = pairs[:, 0], pairs[:, 1]
        swap = low >> shift
        swap ^= high
        swap &= mask
        high ^= swap
        swap <<= shift
        low ^= swap
    return block


def planes_of(column: Bytes) -> Words:
    """Return the eight bit vectors, shape (8, N/64), of one byte per state."""
    return transpose(column.view(np.uint64).reshape(8, -1))


def rows_of(vector: Words) -> Rows:
    """Return the states whose bit is set."""
    spread = vector >> _SHIFTS
    spread &= _ONES
    return np.flatnonzero(spread.view(np.bool_))


def prefix(count: int, width: int) -> Words:
    """Return the bit vector of `width` words whose states 0 .. count-1 are set."""
    flags = np.zeros(width * LANES, dtype=np.uint8)
    flags[:count] = 1
    vector: Words = np.bitwise_or.reduce(flags.view(np.uint64).reshape(8, width) << _SHIFTS, axis=0)
    return vector


def constant(width: int, true: bool) -> Words:
    """Return a bit vector of `width` words with all bits alike."""
    return np.full(width, -1 if true else 0, dtype=np.int64).view(np.uint64)


def bit_at(vector: Words, row: int) -> bool:
    """Tell whether the bit of one state is set."""
    lanes = vector.view(np.uint8)
    return bool(lanes[row % len(lanes)] >> (row // len(lanes)) & 1)


def count(vector: Words) -> int:
    """Return how many bits are set."""
    return int(np.bitwise_count(vector).sum())
