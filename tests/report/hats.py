"""The game of hats (`hats/`), checked once with clingo: what the tests of reports render."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from checker.check import BoardResult, check_board
from checker.engines.protocol import Limits
from checker.pipeline import read_rules
from checker.report.model import FORMAT, Document, RunFacts
from checker.report.summary import collect, summarise
from checker.rulebook.load import load_board, load_rulebook
from checker.smaller import with_smaller

FOLDER = Path(__file__).parent / "hats"


@cache
def checked() -> BoardResult:
    """Check every property of the game on its board."""
    book = load_rulebook(str(FOLDER))
    board = load_board(book, "kennel")
    return check_board(book, read_rules(book), board, {}, book.properties, "asp", Limits(depth=9), lambda _: None)


@cache
def looked_into() -> BoardResult:
    """Check the game with all boards explored, up to three games for each fault, and fewer cards."""
    book = load_rulebook(str(FOLDER))
    encoding, board = read_rules(book), load_board(book, "kennel")
    how = ("symbolic", Limits(games=3), lambda _: None)
    result = check_board(book, encoding, board, {}, book.properties, *how)
    return with_smaller(result, encoding, {}, *how, None)


def richer(language: str = "en") -> Document:
    """Return that result, which has everything a result can have."""
    return document(language, looked_into())


def document(language: str = "en", result: BoardResult | None = None) -> Document:
    """Return a result in one language, with invented facts of the run."""
    result = result or checked()
    book = collect(result.rulebook, [summarise(result, language)], language)
    run = RunFacts("equipoise 0", "3.99", "2026-01-02T03:04:05+00:00", 6.5, (("clingo", "5"),))
    return Document(FORMAT, language, (book,), run)
