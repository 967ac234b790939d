"""Rulings that flip: played on both sides."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from types import MappingProxyType

from checker.compare.model import RulingChange
from checker.compare.sides import Opened, Side, opened
from checker.errors import InputError
from checker.rulebook.load import load_board
from checker.rulings.load import load_rulings
from checker.rulings.model import Failure, Ruling
from checker.rulings.play import play

PASSES = "as ruled"


@dataclass(frozen=True, slots=True)
class Batch:
    """The rulings of one board, by id. same: both sides say the same there, so that no game goes otherwise."""

    ids: tuple[str, ...]
    same: bool


def ruling_batches(left: Opened, right: Opened, boards: Collection[str]) -> list[Batch]:
    """Return the rulings that either side's version has, those of one board together; without `boards` all."""
    by_board: dict[str, dict[str, None]] = {}
    for side in (right, left):
        for ruling in load_rulings(side.book):
            if side.book.version.name in ruling.versions and (not boards or ruling.board in boards):
                by_board.setdefault(ruling.board, {})[ruling.id] = None
    return [Batch(tuple(ids), _same(left, right, board)) for board, ids in by_board.items()]


def _same(left: Opened, right: Opened, board: str) -> bool:
    """Tell whether both sides say the same on a board as games are played on it."""
    try:
        mine, yours = (side.says(load_board(side.book, board)) for side in (left, right))
    except InputError:
        return False
    return mine == yours


def ruling_changes(sides: tuple[Side, Side], ids: Sequence[str], language: str) -> list[RulingChange]:
    """Play rulings on both sides, each as the right side has it if it does, and return what goes otherwise.

    A side whose file does not have the ruling plays the other side's.
    """
    left, right = (opened(side) for side in sides)
    mine, yours = (_written(side) for side in sides)
    games = [
        replace(ruling, lines=(line,))
        for ruling in (yours.get(name) or mine[name] for name in dict.fromkeys(ids))
        for line in ruling.lines
    ]
    ends = zip(games, _ends(left, games), _ends(right, games), strict=True)
    return [
        RulingChange(game.id, game.title[language], game.status, before, after)
        for game, before, after in ends
        if before != after
    ]


@lru_cache(maxsize=4)
def _written(side: Side) -> Mapping[str, Ruling]:
    """Return the rulings in a side's files by id, read once in each process: every board's batch asks for them."""
    return MappingProxyType({ruling.id: ruling for ruling in load_rulings(opened(side).book)})


def _ends(side: Opened, games: Sequence[Ruling]) -> list[str]:
    """Play games of one line each; say of each that it goes as ruled, or where it does not.

    All are played together, one by one only if the side cannot play one of them.
    """
    try:
        found = {(p.ruling.id, _key(p.readings)): p.failure for p in play(side.book, side.encoding, games)}
    except InputError as error:
        if len(games) == 1:
            return [f"cannot be played: {error.problems[0].message}"]
        return [end for game in games for end in _ends(side, [game])]
    return [_said(found[game.id, _key(game.lines[0].readings)]) for game in games]


def _key(readings: Mapping[str, str]) -> tuple[tuple[str, str], ...]:
    return tuple(sorted(readings.items()))


def _said(failure: Failure | None) -> str:
    if failure is None:
        return PASSES
    return f"fails at step {failure.step}: expected {failure.expected}, but {failure.actual}"
