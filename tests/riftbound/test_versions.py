"""Versions and readings: every difference that a board can show is shown, and the others say why not."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from functools import cache
from typing import Any

import pytest

from checker.paths import models
from checker.pipeline import read_rules
from checker.rulebook.encoding import Encoding
from checker.rulebook.load import load_rulebook
from checker.rulebook.model import Rulebook
from tests.tells import shown

FOLDER = models() / "riftbound"
VERSIONS: dict[str, Any] = tomllib.loads((FOLDER / "versions.toml").read_text(encoding="utf-8"))
TENSIONS: dict[str, Any] = tomllib.loads((FOLDER / "tensions.toml").read_text(encoding="utf-8"))


@cache
def opened(version: str) -> tuple[Rulebook, Encoding]:
    """Load one version."""
    book = load_rulebook(f"riftbound@{version}")
    return book, read_rules(book)


def verdict(version: str, board: str, name: str, **readings: str) -> set[str]:
    """Return what a property shows on a board, in the words of the rows."""
    return shown(*opened(version), board, name, readings)


def version_cases() -> Iterator[tuple[str, str, str]]:
    """Yield (row, version, expected) for the rows in which versions differ by themselves."""
    for row, entry in VERSIONS.items():
        for version, expected in entry.get("versions", {}).items():
            yield row, version, expected


def value_cases(rows: dict[str, Any], version: str | None) -> Iterator[tuple[str, str, str, str]]:
    """Yield (row, version, value, expected) for the rows that turn on a reading."""
    for row, entry in rows.items():
        for value, expected in entry.get("values", {}).items():
            yield row, version or entry["open_in"][0], value, expected


@pytest.mark.parametrize(("row", "version", "expected"), list(version_cases()))
def test_versions_differ_as_the_row_says(row: str, version: str, expected: str) -> None:
    """The board named shows the verdict named, under the version's own readings."""
    entry = VERSIONS[row]

    assert expected in verdict(version, entry["board"], entry["property"])


@pytest.mark.parametrize(("row", "version", "value", "expected"), list(value_cases(VERSIONS, None)))
def test_an_open_version_can_be_read_both_ways(row: str, version: str, value: str, expected: str) -> None:
    """Where a version leaves a reading open, each value shows what the row says."""
    entry = VERSIONS[row]

    assert expected in verdict(version, entry["board"], entry["property"], **{entry["reading"]: value})


@pytest.mark.parametrize(("row", "version", "value", "expected"), list(value_cases(TENSIONS, "1.3")))
def test_a_tension_is_told_apart(row: str, version: str, value: str, expected: str) -> None:
    """Each value of the reading shows what the row says."""
    entry = TENSIONS[row]

    assert expected in verdict(version, entry["board"], entry["property"], **{entry["reading"]: value})


def test_every_row_differs_or_says_why_not() -> None:
    """Rows D1 to D26, G1 to G64, T1 and T2 are all there; a shown row has two answers, the others a reason."""
    assert set(VERSIONS) == {f"D{n}" for n in range(1, 27)}
    assert set(TENSIONS) == {f"G{n}" for n in range(1, 65)} | {"T1", "T2"}
    for row, entry in {**VERSIONS, **TENSIONS}.items():
        if entry.get("observable", entry.get("shown")):
            assert len({*entry.get("versions", {}).values(), *entry.get("values", {}).values()}) > 1, row
        else:
            assert {"en", "fr"} <= set(entry["why"]), row


@pytest.mark.parametrize(("value", "expected"), [("all", "violated"), ("printed", "holds")])
def test_the_two_clauses_on_sleeping_text_of_1_3_are_told_apart(value: str, expected: str) -> None:
    """434.1.e puts all text to sleep, 718.2 only what is printed: a granted ability shows it."""
    assert expected in verdict("1.3", "granted_equip", "whole_text", attach_sleeps=value)


def test_every_reading_is_told_apart_somewhere() -> None:
    """No switch is idle: a row of either file names it, or the test above."""
    named = {entry.get("reading") for entry in {**VERSIONS, **TENSIONS}.values()}
    named |= {reading for entry in VERSIONS.values() for reading in entry.get("readings", ())}

    assert set(opened("1.3")[0].readings) <= named | {"attach_sleeps"}


def test_every_difference_of_force_between_languages_is_a_switch() -> None:
    """A clause that English states and French allows is what a reading of row T1 or T2 is about."""
    versions = [opened(version)[0] for version in ("1.2", "1.3", "1.4")]
    differing = {
        (book.version.name, clause.id)
        for book in versions
        for clause in book.version.clauses.values()
        if len(set(clause.force.values())) > 1
    }
    readings = [versions[1].readings[TENSIONS[row]["reading"]] for row in ("T1", "T2")]

    assert differing == {("1.3", "821.1.a"), ("1.3", "821.1.b")}
    assert {clause for _, clause in differing} <= {clause for reading in readings for clause in reading.clauses}
