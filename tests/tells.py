"""What a property shows on a board, in the words that the files on versions and tensions use."""

from __future__ import annotations

from collections.abc import Mapping

from checker.check import Status, check_board
from checker.engines.protocol import Limits
from checker.rulebook.encoding import Encoding
from checker.rulebook.load import load_board
from checker.rulebook.model import Rulebook

SAID = {
    Status.HOLDS: {"holds", "reached"},
    Status.VIOLATED: {"violated"},
    Status.KNOWN: {"violated"},
    Status.VANISHED: {"holds"},
    Status.ABSENT: {"absent"},
}
"""What a row may call a verdict."""


def shown(book: Rulebook, encoding: Encoding, board: str, name: str, readings: Mapping[str, str]) -> set[str]:
    """Return what a property shows on a board under some readings, in the words of the rows."""
    wanted = [p for p in book.properties if p.name == name]
    layout = load_board(book, board)
    result = check_board(book, encoding, layout, readings, wanted, "symbolic", Limits(), lambda _: None)
    return SAID[result.judged[0].status]
