"""Violations that are accepted for now, each with a reason and a last day: `check --baseline FILE`.

A new violation still fails, and so does an entry that is past its day or accepts what is no longer violated.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime
from pathlib import Path
from typing import Any

from checker.check import EXISTENTIAL, Status
from checker.errors import InputError, Position, Problem, closest
from checker.report.labels import Labels
from checker.report.model import BoardReport, PropertyReport
from checker.rulebook.model import Rulebook
from checker.rulebook.toml import position, read_toml


@dataclass(frozen=True, slots=True)
class Accepted:
    """One accepted violation; `rulebook` is a name, a name@version, or None for any.

    expired: its last day is over.
    """

    rulebook: str | None
    property: str
    board: str
    reason: str
    expires: date
    expired: bool
    position: Position

    def concerns(self, book: Rulebook) -> bool:
        """Tell whether the entry is about this version of this rulebook."""
        return self.rulebook in (None, book.name, f"{book.name}@{book.version.name}")


def load_baseline(path: Path, books: Sequence[Rulebook], today: date) -> tuple[Accepted, ...]:
    """Read a baseline and hold it against the rulebooks that are checked.

    Raises:
        InputError: the file is wrong, or names a property or board that none of them has.

    """
    entries = read_toml(path, "baseline").get("accepted", ())
    accepted: list[Accepted] = []
    problems: list[Problem] = []
    for index, entry in enumerate(entries):
        expires = entry["expires"]
        if not isinstance(expires, date) or isinstance(expires, datetime):
            place = position(path, ["accepted", index, "expires"])
            problems.append(Problem("expires is not a date; expected one without quotes, such as 2027-01-31", place))
            continue
        one = _accepted(path, index, entry, today)
        accepted.append(one)
        problems += _wrong(one, path, index, books)
        if any(_same(one, other) for other in accepted[:-1]):
            problems.append(Problem(f"{one.property} on {one.board} is already accepted", one.position))
    if problems:
        raise InputError(problems)
    return tuple(accepted)


def accept(board: BoardReport, accepted: Sequence[Accepted], language: str) -> BoardReport:
    """Return a board, told in a language, with its accepted violations as known findings.

    A violation past its day stays one, with a note; what is accepted but does not happen has vanished.
    """
    entries = {one.property: one for one in accepted if one.board == board.board}
    if not entries:
        return board
    labels = Labels(language)
    return replace(
        board,
        properties=tuple(_judge(p, entries[p.name], labels) if p.name in entries else p for p in board.properties),
    )


def _judge(wanted: PropertyReport, one: Accepted, labels: Labels) -> PropertyReport:
    said = labels("accepted", one.expires, one.reason, one.position)
    match Status(wanted.status):
        case Status.VIOLATED if one.expired:
            note = labels("accepted_before", one.position, one.expires, one.reason)
            return replace(wanted, note="\n".join(filter(None, [wanted.note, note])))
        case Status.VIOLATED:
            return replace(wanted, status=Status.KNOWN.value, finding=said)
        case Status.UNKNOWN:
            return wanted
        case _:
            note = labels("accepted_in_vain", one.position)
            return replace(wanted, status=Status.VANISHED.value, finding=said, note=note)


def _accepted(path: Path, index: int, entry: dict[str, Any], today: date) -> Accepted:
    return Accepted(
        rulebook=entry.get("rulebook"),
        property=entry["property"],
        board=entry["board"],
        reason=entry["reason"],
        expires=entry["expires"],
        expired=entry["expires"] < today,
        position=position(path, ["accepted", index, "property"]),
    )


def _wrong(one: Accepted, path: Path, index: int, books: Sequence[Rulebook]) -> Iterator[Problem]:
    """Yield what an entry names that is not there; entries of rulebooks that are not checked now are let be."""
    concerned = [book for book in books if one.concerns(book)]
    if not concerned:
        return
    properties = {p.name: p for book in concerned for p in book.properties}
    boards = sorted({name for book in concerned for name in book.board_names()})
    if one.property not in properties:
        yield Problem(f'there is no property "{one.property}"; {closest(one.property, list(properties))}', one.position)
    elif properties[one.property].kind in EXISTENTIAL:
        kind = properties[one.property].kind.value
        yield Problem(f"{one.property} is of kind {kind}, which no single board violates", one.position)
    if one.board not in boards:
        place = position(path, ["accepted", index, "board"])
        yield Problem(f'there is no board "{one.board}"; {closest(one.board, boards)}', place)
    for book in concerned:
        if book.finding(one.property, one.board):
            yield Problem(f"{book.name} itself already expects {one.property} on {one.board}", one.position)


def _same(one: Accepted, other: Accepted) -> bool:
    same = (one.property, one.board) == (other.property, other.board)
    return same and (one.rulebook == other.rulebook or None in (one.rulebook, other.rulebook))
