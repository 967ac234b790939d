"""The published reports are those that a check writes now; `make check` writes them anew."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest

from checker.engines.protocol import Limits
from checker.paths import data_root
from checker.report.markdown import board_page
from checker.rulebook.load import load_rulebook
from checker.run import Request, check_all

SMALL = 150
"""Reachable boards up to which a board is checked again here; the pages of the others are made by the same code."""


def published(game: str) -> dict[str, str]:
    """Return the published page of each board of a game."""
    folder = data_root() / "reports" / game
    return {page.stem: page.read_text(encoding="utf-8") for page in folder.glob("*.md")}


def lasting(page: str) -> str:
    """Return a page without what is about the run that wrote it: versions, times and sizes inside the engine."""
    told, run, _ = page.partition("| Tool |")
    assert run
    return told


def reachable(page: str) -> int:
    """Return how many reachable boards a page says there are."""
    found = re.search(r"([\d,]+) reachable boards? \|", page)
    assert found is not None
    return int(found[1].replace(",", ""))


@pytest.mark.parametrize("game", ["riftbound", "magic"])
def test_every_board_has_a_page_and_no_page_is_left_over(game: str) -> None:
    """A board that was renamed leaves no page behind; the other pages are what commands of their own write."""
    boards = set(load_rulebook(game).board_names())

    assert set(published(game)) - {"README", "readings", "mutation"} == boards
    index = (Path(data_root()) / "reports" / game / "README.md").read_text(encoding="utf-8")
    assert {name for name in boards if f"({name}.md)" not in index} == set()


@pytest.mark.parametrize(("game", "boards"), [("riftbound", 34), ("magic", 8)])
def test_the_pages_of_small_boards_are_as_a_check_writes_them(game: str, boards: int) -> None:
    """Rules, clauses, cards, words and templates all show on them: whatever changed, some page would be another."""
    pages = published(game)
    small = tuple(name for name in load_rulebook(game).board_names() if reachable(pages[name]) <= SMALL)
    document = check_all(Request(game, small, (), "auto", {}, Limits(), 1))
    (book,) = document.rulebooks

    assert len(small) == boards
    apart = replace(book, clauses=())  # of what fires on all boards these few know nothing
    now = {board.board: board_page(document, apart, board) for board in book.boards}
    stale = [name for name, page in now.items() if lasting(page) != lasting(pages[name])]
    assert stale == []
