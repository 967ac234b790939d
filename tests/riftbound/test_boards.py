"""Every shipped board small enough for the explicit engine shows exactly what was recorded for it."""

from __future__ import annotations

import os

import pytest

from tests.riftbound.boards import record, recorded, rulebook, see

LARGEST = 30_000
"""Reachable boards up to which a board is checked here; `equipoise check` does the others."""


def test_every_board_is_recorded_or_larger() -> None:
    """A new board is recorded with `EQUIPOISE_RECORD=1 pytest`, which measures it."""
    book, _ = rulebook()

    assert set(recorded()) == set(book.board_names())


@pytest.mark.parametrize("board", [name for name, seen in recorded().items() if (seen.states or LARGEST) < LARGEST])
def test_board_shows_what_was_recorded(board: str) -> None:
    """Counts, broken properties with the lengths of their games, and what never happens are the same."""
    assert see(board, "explicit") == recorded()[board]


@pytest.mark.skipif("EQUIPOISE_RECORD" not in os.environ, reason="writes the recorded numbers anew when asked to")
def test_record() -> None:
    """Measure every board; the symbolic engine does so for boards of any size."""
    book, _ = rulebook()
    seen = {name: see(name, "symbolic") for name in book.board_names()}
    record({name: see(name, "explicit") if (s.states or LARGEST) < LARGEST else s for name, s in seen.items()})
