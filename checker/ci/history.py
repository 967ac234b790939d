"""The log of runs in the verdict store: how verdicts and numbers of reachable boards moved.

A run writes only what is not as it was before under the same version and readings, so that the log grows with
what happens and not with how often one looks.
"""

from __future__ import annotations

import sqlite3
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path

import click

from checker.check import Status
from checker.errors import InputError
from checker.report.model import BoardReport, PropertyReport, RulebookReport
from checker.rulebook.load import find_rulebook, split_version
from checker.store import BROKEN, VerdictStore, store_at

BOARDS = ""
"""What a move is about that is no property: the number of reachable boards."""

QUIET = frozenset({Status.HOLDS.value, Status.ABSENT.value})
"""What is only counted on a board that is new."""

GONE = "gone"
"""What a property or a board becomes that a later run of everything does not have."""

Values = Mapping[tuple[str, str], str]
"""By board and property (or BOARDS): the status, with the length of the game that breaks it, or the number."""


@dataclass(frozen=True, slots=True)
class Move:
    """What became of a property on a board, or of its number of reachable boards; `was` is None at first."""

    board: str
    what: str
    was: str | None
    value: str


@dataclass(frozen=True, slots=True)
class Run:
    """One run of a version under readings (text, as given): when it began (UTC), its verdicts counted, its moves.

    fresh: boards that no run before it had.
    """

    at: str
    version: str
    readings: str
    tally: str
    first: bool
    moves: tuple[Move, ...]
    fresh: frozenset[str] = frozenset()


def log_run(store: Path, path: Path, book: RulebookReport, at: str, readings: Mapping[str, str], whole: bool) -> None:
    """Write a run into the log; a store that cannot be written is left alone, with a word on stderr.

    Args:
        store: the verdict store.
        path: the rulebook's file, by which its history is found again.
        book: what was found out.
        at: when the run began.
        readings: those given on the command line.
        whole: every board and property was checked, so that what is not there is gone.

    """
    said = ",".join(f"{k}={v}" for k, v in sorted(readings.items()))
    key = (book.version, said, str(path.resolve()))
    now = _values(book.boards)

    def log(database: sqlite3.Connection) -> None:
        database.execute("BEGIN IMMEDIATE")
        before = _last(database, key)
        moved = {place: value for place, value in now.items() if before.get(place) != value}
        if whole:
            moved |= {place: GONE for place, value in before.items() if place not in now and value != GONE}
        run = database.execute(
            "INSERT INTO run (at, version, readings, book, tally) VALUES (?, ?, ?, ?, ?)",
            (at, *key, _tally(book.boards)),
        ).lastrowid
        rows = [(run, *place, value) for place, value in moved.items()]
        database.executemany("INSERT INTO moved (run, board, what, value) VALUES (?, ?, ?, ?)", rows)

    kept = store_at(store)
    kept.use(log)
    if kept.trouble:
        click.echo(f"not everything is kept in {store}: {kept.trouble} (no verdict depends on it)", err=True)


def read_runs(store: Path, path: Path, version: str | None) -> list[Run]:
    """Return the runs of a rulebook, of one version or all, oldest first.

    Raises:
        InputError: the store cannot be read.

    """
    if not store.is_file():
        return []
    try:
        with closing(VerdictStore(store).connect()) as database:
            runs = database.execute(
                "SELECT id, at, version, readings, tally FROM run WHERE book = ? AND ? IN (version, '') ORDER BY id",
                (str(path.resolve()), version or ""),
            ).fetchall()
            moved = {
                run: database.execute("SELECT board, what, value FROM moved WHERE run = ? ORDER BY rowid", (run,))
                for run, *_ in runs
            }
            return list(_told(runs, {run: list(rows) for run, rows in moved.items()}))
    except BROKEN as error:
        raise InputError(f"cannot read the history in {store}: {error}") from None


def run_history(rulebook: str, store: Path, boards: Sequence[str], properties: Sequence[str], every: bool) -> int:
    """Print how verdicts and counts moved; 0.

    Raises:
        InputError: there is no such rulebook, no run of it, or the store cannot be read.

    """
    name, version = split_version(rulebook)
    runs = read_runs(store, find_rulebook(name), version or None)
    if not runs:
        raise InputError(f"{store} has no run of {rulebook}; run: equipoise check {rulebook}")
    for line in to_lines(runs, boards, properties, every):
        click.echo(line)
    return 0


def to_lines(runs: Sequence[Run], boards: Sequence[str], properties: Sequence[str], every: bool) -> Iterator[str]:
    """Yield a line for each run in which something asked for moved (for each run if `every`), and its moves."""
    for run in runs:
        moves = [
            move
            for move in run.moves
            if (not boards or move.board in boards) and (not properties or move.what in properties)
        ]
        if not (moves or every):
            continue
        readings = f" with {run.readings}" if run.readings else ""
        note = "first run" if run.first else "" if moves else "nothing moved"
        yield f"{run.at}  {run.version}{readings}: {run.tally}{f'; {note}' if note else ''}"
        if not run.first:
            yield from _lines(moves, () if properties else run.fresh)
    quiet = sum(not run.moves for run in runs)
    counted = "1 run" if len(runs) == 1 else f"{len(runs)} runs"
    yield f"{counted}, {quiet} in which nothing moved; the last on {runs[-1].at}: {runs[-1].tally}"


def _lines(moves: Sequence[Move], fresh: Collection[str]) -> Iterator[str]:
    """Yield a line for each move; of a board that is new, what holds there or is not asked there is only counted."""
    for board, group in groupby(sorted(moves, key=lambda move: move.board), key=lambda move: move.board):
        mine = list(group)
        counts = Counter(move.value for move in mine if board in fresh and move.value in QUIET)
        if counts:
            yield f"    {board}: new, {', '.join(f'{count:,} {status}' for status, count in sorted(counts.items()))}"
        yield from (_line(move) for move in mine if board not in fresh or move.value not in QUIET)


def _line(move: Move) -> str:
    change = f"new, {move.value}" if move.was is None else f"{move.was} -> {move.value}"
    return f"    {move.board}: {move.what or 'reachable boards'}: {change}"


def _told(
    runs: Sequence[tuple[int, str, str, str, str]], moved: Mapping[int, list[tuple[str, str, str]]]
) -> Iterator[Run]:
    last: dict[tuple[str, str], dict[tuple[str, str], str]] = {}
    for run, at, version, readings, tally in runs:
        first = (version, readings) not in last
        before = last.setdefault((version, readings), {})
        moves = tuple(Move(board, what, before.get((board, what)), value) for board, what, value in moved[run])
        fresh = frozenset(move.board for move in moves) - {board for board, _ in before}
        before.update({(move.board, move.what): move.value for move in moves})
        yield Run(at, version, readings, tally, first, moves, fresh)


def _last(database: sqlite3.Connection, key: tuple[str, str, str]) -> dict[tuple[str, str], str]:
    """Return what each board and property was last; `max` picks the row whose value is given."""
    rows = database.execute(
        "SELECT board, what, value, max(run) FROM moved JOIN run ON run.id = run "
        "WHERE version = ? AND readings = ? AND book = ? GROUP BY board, what",
        key,
    )
    return {(board, what): value for board, what, value, _ in rows}


def _values(boards: Sequence[BoardReport]) -> dict[tuple[str, str], str]:
    values = {(board.board, wanted.name): _status(wanted) for board in boards for wanted in board.properties}
    counted = (board for board in boards if board.counts.complete and board.counts.states is not None)
    return values | {(board.board, BOARDS): f"{board.counts.states:,}" for board in counted}


def _status(wanted: PropertyReport) -> str:
    if wanted.game is None or wanted.status not in ("violated", "known finding"):
        return wanted.status
    steps = len(wanted.game.steps)
    return f"{wanted.status}, {steps} step{'' if steps == 1 else 's'}"


def _tally(boards: Sequence[BoardReport]) -> str:
    counts = Counter(wanted.status for board in boards for wanted in board.properties)
    return ", ".join(f"{count:,} {status}" for status, count in sorted(counts.items()))
