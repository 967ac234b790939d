"""The whole pipeline: files to rulebook to ground rules to transition system."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from checker.errors import InputError
from checker.rulebook.encoding import Encoding, read_encoding
from checker.rulebook.facts import facts
from checker.rulebook.lint import clause_problems, property_problems
from checker.rulebook.load import load_board, load_rulebook
from checker.rulebook.model import Board, Property, Rulebook
from checker.rulebook.vocabulary import name_problems
from checker.system.build import build
from checker.system.ground import Watch, ground
from checker.system.model import TransitionSystem


def read_rules(book: Rulebook, overlays: Sequence[Path] = ()) -> Encoding:
    """Read the rulebook's encoding, with more files of rules laid over it, and hold it against the clauses.

    Raises:
        InputError: anything wrong with a rule, a tag, a clause or a property.

    """
    encoding = read_encoding(book.encoding, *overlays).numbered(book.version.number)
    problems = [
        *clause_problems(book, encoding),
        *property_problems(book, encoding),
        *name_problems(encoding, book.readings),
    ]
    if problems:
        raise InputError(problems)
    return encoding


def system_of(
    book: Rulebook,
    encoding: Encoding,
    board: Board,
    readings: Mapping[str, str],
    goals: Sequence[Property],
    strict: bool = True,
    watch: Watch = lambda: None,
) -> TransitionSystem:
    """Ground the rules on one board under the chosen readings, with the properties to ask.

    `strict` and `watch` as in `system.ground.ground`.

    Raises:
        LimitError: `watch` says that a limit is reached.
        InputError: anything that only the ground rules can show to be wrong.

    """
    program = ground(encoding, facts(book, board, readings), strict, watch)
    return build(f"{book.name}@{book.version.name}/{board.name}", encoding, program, goals)


def load_system(rulebook: str, board: str, readings: Mapping[str, str] | None = None) -> TransitionSystem:
    """Load a rulebook on a board, from files to transition system.

    Args:
        rulebook: the rulebook's name or folder (see `load_rulebook`).
        board: the board's name or its file.
        readings: switches that override those of the board.

    Raises:
        InputError: anything wrong with the files, each problem with file:line:column.

    """
    book = load_rulebook(rulebook)
    layout = load_board(book, board)
    return system_of(book, read_rules(book), layout, book.choose(layout, readings or {}), book.properties)
