"""The shipped rulings go as ruled, under every version they name."""

from __future__ import annotations

import pytest

from checker.pipeline import read_rules
from checker.rulebook.load import load_rulebook
from checker.rulings.load import load_rulings
from checker.rulings.play import play

SHIPPED = [
    (name, version)
    for name in ("magic", "riftbound")
    for version in load_rulebook(name).versions
    if any(version in ruling.versions for ruling in load_rulings(load_rulebook(name)))
]


@pytest.mark.parametrize(("name", "version"), SHIPPED)
def test_every_ruling_goes_as_ruled(name: str, version: str) -> None:
    """Each game of each ruling of the version passes, and every encoded clause does something in one of them."""
    book = load_rulebook(f"{name}@{version}")
    rulings = [ruling for ruling in load_rulings(book) if version in ruling.versions]
    games = list(play(book, read_rules(book), rulings))
    wrong = {f"{game.ruling.id} {dict(game.readings)}": game.failure for game in games if game.failure is not None}
    encoded = {clause.id for clause in book.version.clauses.values() if clause.status == "encoded"}

    assert wrong == {}
    assert encoded - {clause for game in games for clause in game.clauses} == set()


def test_both_rulebooks_have_rulings() -> None:
    """A folder that yields no ruling would make the test above pass idly."""
    assert {name for name, _ in SHIPPED} == {"magic", "riftbound"}


ENDS_ALIKE = {"c63", "c85", "c157"}
"""Open rulings whose readings end alike on every board, so that one game says it all."""


@pytest.mark.parametrize("name", ["magic", "riftbound"])
def test_an_open_ruling_states_every_reading_it_turns_on(name: str) -> None:
    """The games of an open ruling are played under different readings."""
    open_ones = [ruling for ruling in load_rulings(load_rulebook(name)) if ruling.status == "open"]

    assert open_ones
    for ruling in open_ones:
        readings = [tuple(sorted(line.readings.items())) for line in ruling.lines]
        assert len(readings) == len(set(readings)), ruling.id
        assert len(readings) >= 2 or ruling.id in ENDS_ALIKE, ruling.id
