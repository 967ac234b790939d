"""Every shipped board small enough for the explicit engine shows exactly what was recorded for it."""

from __future__ import annotations

import pytest

from tests.riftbound.boards import record, recorded, rulebook, see

LARGEST = 30_000
"""Reachable boards up to which a board is checked here; `equipoise check` does the others."""


def test_every_board_is_recorded_or_larger() -> None:
    """A new board is recorded with `pytest --record`, which measures it."""
    book, _ = rulebook()

    assert set(recorded()) == set(book.board_names())


@pytest.mark.parametrize("board", [name for name, seen in recorded().items() if (seen.states or LARGEST) < LARGEST])
def test_board_shows_what_was_recorded(board: str) -> None:
    """Counts, broken properties with the lengths of their games, and what never happens are the same."""
    assert see(board, "explicit") == recorded()[board]


def test_record(request: pytest.FixtureRequest) -> None:
    """With `--record`, measure every board; the symbolic engine does so for boards of any size."""
    if not request.config.getoption("record"):
        pytest.skip("only with --record")
    book, _ = rulebook()
    seen = {name: see(name, "symbolic") for name in book.board_names()}
    record({name: see(name, "explicit") if (s.states or LARGEST) < LARGEST else s for name, s in seen.items()})
