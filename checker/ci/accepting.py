"""Write violations into a baseline: the work of `equipoise baseline`."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date
from pathlib import Path

import click

from checker.check import Status
from checker.ci.baseline import Accepted, load_baseline
from checker.errors import InputError, Position
from checker.paths import display
from checker.report.model import Document
from checker.rulebook.load import load_rulebook
from checker.rulebook.model import Rulebook
from checker.run import Request, check_all


@dataclass(frozen=True, slots=True)
class Entry:
    """A violation to accept, with its title."""

    property: str
    board: str
    title: str


def run_baseline(request: Request, file: Path, reason: str, until: date, today: date) -> int:
    """Check, add what is violated and not accepted yet to a baseline, and say what is in it in vain.

    Returns:
        0, or 1 if an entry is past its day or accepts what is no longer violated, or 3 if something is undecided.

    Raises:
        InputError: the reason is empty, the day is over, or a file is wrong or cannot be written.

    """
    if not reason.strip():
        raise InputError("--reason is empty; say why these violations are accepted for now")
    if until < today:
        raise InputError(f"--until {until} is over; expected today, {today}, or a later day")
    assert request.rulebook is not None, "the command line requires a rulebook"
    book, there = load_rulebook(request.rulebook), file.is_file()
    known = load_baseline(file, [book], today) if there else ()
    document = check_all(replace(request, baseline=file if there else None))
    entries = list(_new(document, book, known))
    _append(file, "".join(_block(book, entry, reason, until) for entry in entries))
    for entry in entries:
        click.echo(f"accepted until {until}: {entry.property} on {entry.board}: {entry.title}")
    click.echo(f"{len(entries)} added to {display(file)}, which had {len(known)}")
    return _left(document, {(entry.property, entry.board) for entry in entries})


def _new(document: Document, book: Rulebook, known: Sequence[Accepted]) -> Iterator[Entry]:
    """Yield what is violated and has no entry; a board that is none of the rulebook's own cannot have one."""
    mine = {(one.property, one.board) for one in known if one.concerns(book)}
    for board in document.rulebooks[0].boards:
        for wanted in board.properties:
            if wanted.status == Status.VIOLATED.value and (wanted.name, board.board) not in mine:
                if board.board not in book.board_names():
                    raise InputError(f"{board.board} is no board of {book.name}; its violations cannot be accepted")
                yield Entry(wanted.name, board.board, wanted.title)


def _left(document: Document, added: set[tuple[str, str]]) -> int:
    """Say on stderr what needs a hand, and return the exit code."""
    code = 0
    for board in document.rulebooks[0].boards:
        for wanted in board.properties:
            if wanted.status == Status.UNKNOWN.value:
                click.echo(f"undecided: {wanted.name} on {board.board}: {wanted.how}", err=True)
                code = code or 3
            elif (wanted.name, board.board) not in added and wanted.status in (
                Status.VIOLATED.value,
                Status.VANISHED.value,
            ):
                click.echo(wanted.note or f"{wanted.status}: {wanted.name} on {board.board}", err=True)
                code = 1
    return code


def _append(file: Path, text: str) -> None:
    """Add to a file, making it if need be; what is there stays as it is.

    Raises:
        InputError: it cannot be written.

    """
    if not text:
        return
    try:
        before = file.read_text(encoding="utf-8") if file.exists() else ""
        gap = "" if not before else "\n" if before.endswith("\n") else "\n\n"
        file.write_text(before + gap + text.removesuffix("\n"), encoding="utf-8")
    except OSError as error:
        raise InputError(f"cannot be written: {error.strerror}", Position(display(file))) from None


def _block(book: Rulebook, entry: Entry, reason: str, until: date) -> str:
    return (
        f"# {entry.title}\n[[accepted]]\nrulebook = {_text(f'{book.name}@{book.version.name}')}\n"
        f"property = {_text(entry.property)}\nboard = {_text(entry.board)}\n"
        f"reason = {_text(reason.strip())}\nexpires = {until}\n\n"
    )


def _text(value: str) -> str:
    """Return a text as TOML writes it; JSON's escapes are TOML's as well."""
    return json.dumps(value, ensure_ascii=False)
