"""What each process keeps at hand: the rulebook, and its rules on the boards it works on."""

from __future__ import annotations

from functools import lru_cache
from itertools import groupby

from checker.errors import InputError
from checker.mutation.mutants import Mutant, mutants
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


@lru_cache(maxsize=1)
def faults(rulebook: str, files: tuple[str, ...], sample: int) -> tuple[Mutant, ...]:
    """Return every `sample`-th mutant of each rule in these files, or in all if none are named; once in each process.

    Raises:
        InputError: no rule is in the files named.

    """
    encoding = opened(rulebook)[1]
    rules = [s.id for s in encoding.sources if not files or any(_is(s.file, name) for name in files)]
    if not rules:
        raise InputError(f"no tagged rule stands in {', '.join(files)}; name a file such as attach.lp")
    by_rule = groupby(mutants(encoding, rules), key=lambda mutant: mutant.rule)
    return tuple(mutant for _, own in by_rule for mutant in list(own)[::sample])


def _is(file: str, name: str) -> bool:
    return file == name or file.endswith("/" + name)


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
