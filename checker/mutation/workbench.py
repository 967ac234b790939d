"""What each process keeps at hand: the rulebook, and its rules on the boards it works on."""

from __future__ import annotations

from functools import lru_cache

from checker.pipeline import read_rules, system_of
from checker.rulebook.encoding import Encoding
from checker.rulebook.load import load_board, load_rulebook
from checker.rulebook.model import Rulebook
from checker.system.model import Kind, TransitionSystem

Readings = tuple[tuple[str, str], ...]
"""Readings chosen, as pairs of name and value."""


@lru_cache(maxsize=1)
def opened(rulebook: str) -> tuple[Rulebook, Encoding]:
    """Load a rulebook once in each process."""
    book = load_rulebook(rulebook)
    return book, read_rules(book)


@lru_cache(maxsize=12)
def as_written(rulebook: str, board: str, readings: Readings = ()) -> TransitionSystem:
    """Return the rules as written on a board."""
    return ground_on(rulebook, opened(rulebook)[1], board, readings, strict=True)


def ground_on(
    rulebook: str, encoding: Encoding, board: str, readings: Readings = (), strict: bool = False
) -> TransitionSystem:
    """Return rules on a board, with every property of the rulebook other than which rules fire.

    That a rule which is left out does not fire is no news.

    Raises:
        InputError: the loader refuses the rules.

    """
    book = opened(rulebook)[0]
    layout = load_board(book, board)
    wanted = [p for p in book.properties if p.kind is not Kind.RULES_FIRE]
    return system_of(book, encoding, layout, book.choose(layout, dict(readings)), wanted, strict)
