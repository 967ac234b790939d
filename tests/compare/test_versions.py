"""`diff` of two versions shows, by itself, every row of Riftbound's versions.toml that a board can show."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache
from typing import Any

import pytest

from checker.compare.joint import EVENTS
from checker.compare.model import ReadingChange
from checker.compare.run import DiffRequest, compare
from checker.compare.sides import parse
from checker.engines.protocol import Limits
from checker.paths import models
from checker.rulebook.load import load_rulebook

ROWS: dict[str, dict[str, Any]] = {
    name: row
    for name, row in tomllib.loads((models() / "riftbound" / "versions.toml").read_text(encoding="utf-8")).items()
    if row["observable"]
}

SAME_BOARDS = {"D1", "D6"}
"""On their boards the gear ends where it was, but attaches once more; what carried gear does is a Move, or is not."""


@cache
def fixed(version: str) -> Mapping[str, str]:
    return load_rulebook(f"riftbound@{version}").version.readings


def pair(row: Mapping[str, Any]) -> tuple[str, str]:
    """Return the two versions a row is about: what it shows changes, or the later one fixes what the other leaves.

    The last version may also leave open what the one before it fixes.
    """
    if "reading" in row:
        last = row["open_in"][-1]
        return {"1.2": ("1.2", "1.3"), "1.3": ("1.3", "1.4"), "1.4": ("1.3", "1.4")}[last]
    shown = row["versions"]
    return next((a, b) for a, b in (("1.2", "1.3"), ("1.3", "1.4")) if shown[a] != shown[b])


def values(row: Mapping[str, Any]) -> tuple[str, str | None, str | None]:
    """Return the reading a row is about, with its value in the earlier and the later version; None where open."""
    (reading,) = [row["reading"]] if "reading" in row else row["readings"]
    return reading, *(fixed(version).get(reading) for version in pair(row))


@cache
def found(left: str, right: str) -> tuple[ReadingChange, ...]:
    """Run the diff of two versions on the boards of the rows about them."""
    boards = tuple(dict.fromkeys(row["board"] for row in ROWS.values() if pair(row) == (left, right)))
    asked = DiffRequest(
        f"riftbound@{left}", f"riftbound@{right}", None, boards, ("readings",), (), ("auto", "symbolic"), Limits(), 1
    )
    return compare(asked, (parse(asked.left), parse(asked.right or ""))).readings


@pytest.mark.parametrize("row", ROWS)
def test_row(row: str) -> None:
    reading, left, right = values(ROWS[row])
    mine = [
        change
        for change in found(*pair(ROWS[row]))
        if change.reading == reading and left in (change.left, None) and right in (change.right, None)
    ]
    assert mine, f"the diff of {pair(ROWS[row])} says nothing of {reading}"
    for change in mine:
        assert change.why_open == ()
        assert change.parting is not None, f"no game shows {row}"
        assert (change.parting.kind == EVENTS) == (row in SAME_BOARDS)


def test_nothing_else_is_shown() -> None:
    """Each reading that makes a difference between two versions is one that a row is about."""
    shown = {
        change.reading for versions in set(map(pair, ROWS.values())) for change in found(*versions) if change.parting
    }
    assert shown - {values(row)[0] for row in ROWS.values()} == OF_NO_ROW


OF_NO_ROW = {"cleanup_recalls", "gear_exit"}
"""What an earlier version leaves open and a later one fixes without a row of its own."""
