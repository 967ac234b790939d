"""Every row of Riftbound's versions.toml that a board can show is shown by a game on that board."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from typing import Any

import pytest

from checker.compare.joint import EVENTS
from checker.compare.product import product
from checker.compare.readings import parting_of
from checker.compare.sides import Side, opened
from checker.engines.protocol import Limits
from checker.paths import models

ROWS: dict[str, dict[str, Any]] = tomllib.loads((models() / "riftbound" / "versions.toml").read_text(encoding="utf-8"))


SAME_BOARDS = {"D1", "D6"}
"""On their boards the gear ends where it was, but attaches once more; what carried gear does is a Move, or is not."""


def observable() -> Iterator[tuple[str, str, Side, Side]]:
    """Yield each row with its board and two sides: one reading otherwise, in the earlier of two versions.

    Where the versions agree on what a reading is, the row is about its values, in a version that leaves it open.
    """
    for name, row in ROWS.items():
        if not row["observable"]:
            continue
        if "reading" in row:
            version, reading = row["open_in"][0], row["reading"]
            left, right = row["values"]
        else:
            (reading,) = row["readings"]
            shown = row["versions"]
            version, later = next((a, b) for a, b in zip(shown, list(shown)[1:], strict=False) if shown[a] != shown[b])
            left, right = (value_in(v, reading) for v in (version, later))
        book = f"riftbound@{version}"
        yield name, row["board"], *(Side(v, book, ((reading, v),)) for v in (left, right))


def value_in(version: str, reading: str) -> str:
    book = opened(Side("", f"riftbound@{version}")).book
    return book.version.readings.get(reading, book.readings[reading].default)


ALL = list(observable())


@pytest.mark.parametrize(("row", "board", "left", "right"), ALL, ids=[one[0] for one in ALL])
def test_row(row: str, board: str, left: Side, right: Side) -> None:
    sides = opened(left), opened(right)
    boards = sides[0].board(board), sides[1].board(board)
    both = product(sides[0].system(boards[0], ()), sides[1].system(boards[1], ()))
    parting, why_open = parting_of(both, board, sides, boards, "symbolic", Limits(seconds=120), "en")
    assert why_open == ""
    assert parting is not None, f"no game shows {row}"
    assert (parting.kind == EVENTS) == (row in SAME_BOARDS)
