"""The parts of the explicit engine that only large boards put to the test."""

from __future__ import annotations

import numpy as np
import pytest

from checker.engines.explicit.bits import Words, bit_at, count, planes_of, prefix, rows_of, transpose
from checker.engines.explicit.layout import layout_of
from checker.engines.explicit.table import Table
from checker.system.model import Kind
from tests.traces.toys import toy


def batch(numbers: np.random.Generator, words: int, size: int) -> Words:
    """Return boards of small values, so that many are equal or differ in one word only."""
    return numbers.integers(0, 30, (words, size), dtype=np.uint64)


def boards_in(packed: Words) -> list[tuple[int, ...]]:
    """Return the boards of a batch as tuples."""
    return [tuple(map(int, board)) for board in packed.T]


@pytest.mark.parametrize("words", [1, 2, 3])
def test_a_table_is_a_set(words: int) -> None:
    """Batch after batch, exactly the boards not seen before are new, each once."""
    numbers = np.random.default_rng(words)
    table, known = Table(words, 64), set[tuple[int, ...]]()
    for size in (1, 50, 300, 3000, 3000):
        boards = batch(numbers, words, size)
        new = boards_in(boards.take(table.add(boards), axis=1))
        assert sorted(new) == sorted(set(boards_in(boards)) - known)
        known.update(new)
        assert table.size == len(known)
    slots = table.find(boards)
    assert len(set(slots.tolist())) == len(set(boards_in(boards)))


def test_more_new_boards_at_once_than_tickets() -> None:
    """Boards whose slots share a ticket are told apart, and their copies are dropped."""
    table = Table(1)
    boards = np.arange(300_000, dtype=np.uint64)[None]
    new = table.add(np.concatenate((boards, boards), axis=1))
    assert len(new) == table.size == 300_000
    assert len(table.add(boards)) == 0


@pytest.mark.parametrize(("lamps", "words"), [(63, 1), (64, 2), (126, 2), (127, 3)])
def test_a_word_holds_63_bits(lamps: int, words: int) -> None:
    """The top bit of a word stays free, and packing loses nothing."""
    system = toy(
        f"fluent(lit(1..{lamps}), (no; yes)). initially(F, no) :- fluent(F, no). action(wait). by(wait, game).",
        {"torn": Kind.CONFLICT},
    )
    layout = layout_of(system)
    assert layout.words == words
    states = [tuple(n >> (i % 5) & 1 for i in range(lamps)) for n in range(32)]
    packed = layout.pack(states)
    assert [layout.unpack(board) for board in packed.T] == states
    assert int(packed.max()).bit_length() <= 63


def test_planes_are_the_bits_of_bytes() -> None:
    """Eight bit vectors and one byte per state are each other's transpose."""
    column = np.random.default_rng(0).integers(0, 256, 640, dtype=np.uint8)
    planes = planes_of(column.copy())
    for bit in range(8):
        assert rows_of(planes[bit]).tolist() == np.flatnonzero(column >> bit & 1).tolist()
        assert [bit_at(planes[bit], row) for row in (0, 1, 639)] == [
            bool(column[row] >> bit & 1) for row in (0, 1, 639)
        ]
    assert (transpose(planes).view(np.uint8).ravel() == column).all()


@pytest.mark.parametrize("states", [0, 1, 63, 64, 65, 640])
def test_a_prefix_has_its_bits(states: int) -> None:
    """The padding of a chunk is masked out."""
    vector = prefix(states, 10)
    assert count(vector) == states
    assert rows_of(vector).tolist() == list(range(states))
