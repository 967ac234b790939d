"""Show a fault on as few objects as it takes: try the board without each of them (Zeller and Hildebrandt 2002).

What is left is 1-minimal: without any one of the objects that are left the property is not broken any more.
Every smaller board is grounded and checked like any other, and its game is replayed.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any, TypeAlias

from checker.check import EXISTENTIAL, BoardResult, Judged, Smaller, check_board
from checker.engines.protocol import Limits, Report, Unknown, Violated
from checker.errors import InputError
from checker.rulebook.encoding import Encoding
from checker.rulebook.model import Board
from checker.store import VerdictStore
from checker.traces.because import because

NAME = re.compile(r"[a-z_]\w*", re.ASCII)

Check: TypeAlias = Callable[[Board], BoardResult]
"""Checks one property on a board."""


def with_smaller(
    result: BoardResult,
    encoding: Encoding,
    given: Mapping[str, str],
    engine_name: str,
    limits: Limits,
    report: Report,
    store: VerdictStore | None,
) -> BoardResult:
    """Return the result with a smaller board beside each violation that has a game and can do with less.

    The other arguments are as for `check_board`.

    Raises:
        InternalError: engines disagree, or a game does not replay.

    """

    def smaller(judged: Judged) -> Judged:
        def check(board: Board) -> BoardResult:
            wanted, one = (judged.property,), replace(limits, games=1)
            book = result.rulebook
            return check_board(book, encoding, board, given, wanted, engine_name, one, report, False, store)

        broken = isinstance(judged.answer, Violated) and judged.trace is not None
        if not broken or judged.property.kind in EXISTENTIAL:
            return judged
        return replace(judged, smaller=minimal(result, judged, check))

    return replace(result, judged=tuple(map(smaller, result.judged)))


def minimal(result: BoardResult, judged: Judged, check: Check) -> Smaller | None:
    """Return the same violation on a board that can do without no further object; None if it needs them all."""
    search = _Search(result.board, check)
    named = _named(result, judged)
    search.without(frozenset(result.board.objects) - named)
    again = True
    while again:
        again = any(search.without(frozenset({name})) for name in search.order(named))
    found = search.found
    if found is None:
        return None
    dropped = tuple(name for name in result.board.objects if name not in search.board.objects)
    return Smaller(found, dropped, minimal=not search.undecided)


class _Search:
    """The smallest board found so far that still breaks the property, with its result.

    undecided: the objects without which the engine gave no answer on that board.
    """

    def __init__(self, board: Board, check: Check) -> None:
        self.board, self.check = board, check
        self.found: BoardResult | None = None
        self.undecided: set[str] = set()

    def order(self, named: frozenset[str]) -> list[str]:
        """Return the objects left, those first that the game does not name."""
        return sorted(self.board.objects, key=lambda name: name in named)

    def without(self, gone: frozenset[str]) -> bool:
        """Do without some objects if the property is broken all the same; tell whether it is."""
        if not gone or gone.isdisjoint(self.board.objects):
            return False
        board = without(self.board, gone)
        try:
            result = self.check(board)
        except InputError:
            return False  # the rules do not make sense without them
        (judged,) = result.judged
        if isinstance(judged.answer, Violated) and judged.trace is not None:
            self.board, self.found = board, result
            self.undecided.clear()
            return True
        if isinstance(judged.answer, Unknown):
            self.undecided |= gone
        return False


def without(board: Board, gone: frozenset[str]) -> Board:
    """Return a board without some objects, and without all that speaks of them.

    An object that cannot be said without them, such as one that lies under another, goes too; so does a
    constant of the board. In lists only what names them is left out.
    """
    while more := {name for name, entry in board.objects.items() if name not in gone and _needs(entry, gone)}:
        gone |= more
    objects = {
        name: {key: value if key == "card" else _stripped(value, gone) for key, value in entry.items()}
        for name, entry in board.objects.items()
        if name not in gone
    }
    facts = {key: _stripped(value, gone) for key, value in board.facts.items() if not _speaks(value, gone)}
    return replace(board, objects=objects, facts=facts)


def _needs(entry: Mapping[str, Any], gone: frozenset[str]) -> bool:
    return any(key != "card" and _speaks(value, gone) for key, value in entry.items())


def _speaks(value: Any, gone: frozenset[str]) -> bool:
    """Tell whether a value that is no list names one of the objects."""
    return isinstance(value, str) and not gone.isdisjoint(NAME.findall(value))


def _stripped(value: Any, gone: frozenset[str]) -> Any:
    if isinstance(value, Mapping):
        return {k: _stripped(v, gone) for k, v in value.items() if k not in gone and not _speaks(v, gone)}
    if isinstance(value, list):
        return [item for item in value if not _speaks(item, gone)]
    return value


def _named(result: BoardResult, judged: Judged) -> frozenset[str]:
    """Return the objects that the steps that matter, or the culprits, speak of."""
    trace = judged.trace
    assert trace is not None, "only a violation with a game is made smaller"
    why = because(result.system, result.system.goal[judged.property.name], trace)
    texts = [*(judged.answer.culprits if isinstance(judged.answer, Violated) else ())]
    for number, step in enumerate(trace.steps, start=1):
        if number in why.matters:
            texts += [str(step.action), *(f"{change.fluent} {change.new}" for change in step.changes)]
    return frozenset(_words(texts)) & frozenset(result.board.objects)


def _words(texts: Iterable[str]) -> Iterator[str]:
    for text in texts:
        yield from NAME.findall(text)
