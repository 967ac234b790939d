"""The tensions of Magic's rules: each is a switch whose values are told apart, or has a reason why there is none."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from typing import Any

import pytest

from checker.errors import InputError
from checker.paths import models
from checker.pipeline import read_rules
from checker.rulebook.encoding import Encoding
from checker.rulebook.load import load_rulebook
from checker.rulebook.model import Rulebook
from checker.rulings.load import load_rulings
from checker.rulings.model import Line, Ruling
from checker.rulings.play import play
from tests.tells import shown

TENSIONS: dict[str, Any] = tomllib.loads((models() / "magic" / "tensions.toml").read_text(encoding="utf-8"))


@cache
def opened() -> tuple[Rulebook, Encoding]:
    """Load the rulebook."""
    book = load_rulebook("magic")
    return book, read_rules(book)


def shown_on_boards() -> Iterator[tuple[str, str, str]]:
    """Yield (row, value, expected) for the rows that a property of a board tells apart."""
    for row, entry in TENSIONS.items():
        for value, expected in entry.get("values", {}).items():
            yield row, value, expected


def shown_by_games() -> Iterator[tuple[str, str]]:
    """Yield (row, value) for the rows that a ruling tells apart."""
    book, _ = opened()
    for row, entry in TENSIONS.items():
        if "ruling" in entry:
            yield from ((row, value) for value in book.readings[entry["reading"]].values)


@pytest.mark.parametrize(("row", "value", "expected"), list(shown_on_boards()))
def test_a_board_tells_the_values_apart(row: str, value: str, expected: str) -> None:
    """Each value of the reading shows what the row says."""
    entry = TENSIONS[row]

    assert expected in shown(*opened(), entry["board"], entry["property"], {entry["reading"]: value})


@pytest.mark.parametrize(("row", "value"), list(shown_by_games()))
def test_a_game_tells_the_values_apart(row: str, value: str) -> None:
    """The ruling's game for this value goes as ruled, and those for other values do not go so under it."""
    book, _ = opened()
    entry = TENSIONS[row]
    ruling = next(r for r in load_rulings(book) if r.id == entry["ruling"])

    assert {line.readings[entry["reading"]] for line in ruling.lines} == set(book.readings[entry["reading"]].values)
    for line in ruling.lines:
        assert goes(ruling, line, {entry["reading"]: value}) == (line.readings[entry["reading"]] == value)


def goes(ruling: Ruling, line: Line, readings: dict[str, str]) -> bool:
    """Whether a game of a ruling goes as ruled under a reading."""
    book, encoding = opened()
    game = replace(ruling, lines=(Line({**line.readings, **readings}, line.steps),))
    try:
        (played,) = play(book, encoding, [game])
    except InputError:
        return False
    return played.failure is None


def test_every_tension_is_a_switch_or_says_why_not() -> None:
    """Rows T1 to T20 are all there; every reading belongs to one, and every other row has a reason."""
    book, _ = opened()
    switches = {row: entry for row, entry in TENSIONS.items() if entry["shown"]}

    assert set(TENSIONS) == {f"T{n}" for n in range(1, 21)}
    assert {(entry["reading"], row) for row, entry in switches.items()} == {
        (reading.name, reading.tension) for reading in book.readings.values()
    }
    assert all({"en", "fr"} <= set(entry["why"]) for row, entry in TENSIONS.items() if row not in switches)
    assert all(len(set(entry.get("values", {1: 1, 2: 2}).values())) > 1 for entry in switches.values())
