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

FOLDER = Path(__file__).parent / "hats"


@cache
def checked() -> BoardResult:
    """Check every property of the game on its board."""
    book = load_rulebook(str(FOLDER))
    board = load_board(book, "kennel")
    return check_board(book, read_rules(book), board, {}, book.properties, "asp", Limits(depth=9), lambda _: None)


def document(language: str = "en") -> Document:
    """Return the result in one language, with invented facts of the run."""
    result = checked()
    book = collect(result.rulebook, [summarise(result, language)], language)
    run = RunFacts("equipoise 0", "3.99", "2026-01-02T03:04:05+00:00", 6.5, (("clingo", "5"),))
    return Document(FORMAT, language, (book,), run)
