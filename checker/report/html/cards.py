"""Lay cards out for the picture of a board: upright or turned, with what is tucked under each peeking out.

All lengths are in pixels of the page at its normal size.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from checker.report.draw import Drawing, Row

LONG, SHORT = 138, 104
"""The sides of a card."""

INSET = 4
"""How far a tucked card is set in on either side of the one above it."""

LETTER, BADGE_LETTER = 6.7, 5.8
"""The mean width of a letter in a title and in a badge."""

BADGE, BADGE_LINE, LINE = 17, 12, 14
"""The height of a badge with its gap, of a line of badges, and of a line of a title."""


@dataclass(frozen=True, slots=True)
class Face:
    """One card of a stack: its place and size, its texts, each with the height of its base line.

    badges: bottom, width and text of each; on a tucked card they are one line of text.
    mark: the number of the controller's mark, 0 for none. object: the number of the object in the game.
    """

    object: int
    x: int
    width: int
    height: int
    lines: tuple[tuple[int, str], ...]
    badges: tuple[tuple[int, int, str], ...]
    mark: int
    turned: bool
    tucked: bool
    changed: bool
    guilty: bool
    cut: bool
    label: str

    @property
    def middle(self) -> int:
        """Where the texts of the card are centred."""
        return self.width // 2


@dataclass(frozen=True, slots=True)
class Stack:
    """A card with what is tucked under it: those further down first, as they are painted."""

    width: int
    height: int
    faces: tuple[Face, ...]
    label: str


@dataclass(frozen=True, slots=True)
class Look:
    """How objects are shown.

    numbers: the number of each object of the game, by name. marks: the number of each controller's mark, from
    1. guilty: the titles of the objects that break the property on this board. between: what stands between the
    cards of a stack where they are read out.
    """

    numbers: Mapping[str, int]
    marks: Mapping[str, int]
    guilty: frozenset[str] = frozenset()
    between: str = "; "


@dataclass(frozen=True, slots=True)
class Zone:
    """A place of the board with its stacks; `room` is how many stacks it has to hold in this game."""

    title: str
    room: int
    stacks: tuple[Stack, ...]


def stacks_by_place(drawing: Drawing, look: Look) -> dict[str, tuple[Stack, ...]]:
    """Return the stacks of each place of a drawn board that is not empty, in order.

    Args:
        drawing: the board.
        look: how the objects of the game are shown.

    """
    places: dict[str, list[list[Row]]] = {}
    for row in drawing.rows:
        if row.place or not places:
            stacks = places.setdefault(row.place, [])
        if row.depth == 0:
            stacks.append([])
        stacks[-1].append(row)
    return {place: tuple(_stack(rows, look) for rows in stacks) for place, stacks in places.items()}


def _stack(rows: Sequence[Row], look: Look) -> Stack:
    top = _face(rows[0], look)
    placed = [top]
    for row in rows[1:]:
        placed.append(_tucked(row, look, top.width, placed[-1].height))
    label = look.between.join(face.label for face in placed)
    return Stack(top.width, placed[-1].height, tuple(reversed(placed)), label)


def _face(row: Row, look: Look) -> Face:
    """Return a card as it lies on top of a stack."""
    assert row.shown is not None, "a drawn row shows an object"
    turned = row.shown.turned
    width, height = (LONG, SHORT) if turned else (SHORT, LONG)
    badges = row.marks[1:] if turned else row.marks
    room = (height - 30) // BADGE - 2
    shown = badges if len(badges) <= room else (*badges[: room - 1], f"+{len(badges) - room + 1}")
    lines, cut = wrap(row.title, int((width - 12) / LETTER), 3 if len(shown) < room else 2)
    texts = [shorten(badge, int((width - 20) / BADGE_LETTER)) for badge in shown]
    return Face(
        object=look.numbers[row.shown.name],
        x=0,
        width=width,
        height=height,
        lines=tuple((40 + LINE * i, line) for i, line in enumerate(lines)),
        badges=tuple(_badge(text, height - 6 - BADGE * (len(texts) - i - 1)) for i, text in enumerate(texts)),
        mark=look.marks.get(row.controller, 0),
        turned=turned,
        tucked=False,
        changed=row.changed,
        guilty=row.title in look.guilty,
        cut=cut or shown != badges or any(a != b for a, b in zip(texts, badges, strict=False)),
        label=_label(row),
    )


def _badge(text: str, bottom: int) -> tuple[int, int, str]:
    """Return the bottom and the width of a badge, and its text."""
    return bottom, int(columns(text) * BADGE_LETTER) + 12, text


def _tucked(row: Row, look: Look, outer: int, above: int) -> Face:
    """Return a card as it lies under others: only what is below `above` shows."""
    assert row.shown is not None, "a drawn row shows an object"
    mark, inset = look.marks.get(row.controller, 0), INSET * min(row.depth, 4)
    width = outer - 2 * inset
    room = width - (26 if mark else 10)
    lines, cut = wrap(row.title, int(room / LETTER), 2)
    said = ", ".join(row.marks)
    marks = shorten(said, int(room / BADGE_LETTER))
    bottom = above + LINE * len(lines) + 3
    return Face(
        object=look.numbers[row.shown.name],
        x=inset,
        width=width,
        height=bottom + 10 + (BADGE_LINE if marks else 0),
        lines=tuple((above + LINE * (i + 1) + 3, line) for i, line in enumerate(lines)),
        badges=((bottom + BADGE_LINE, 0, marks),) if marks else (),
        mark=mark,
        turned=row.shown.turned,
        tucked=True,
        changed=row.changed,
        guilty=row.title in look.guilty,
        cut=cut or marks != said,
        label=_label(row),
    )


def _label(row: Row) -> str:
    """Say a card in one line, as a screen reader does."""
    marks = ", ".join((*((row.controller,) if row.controller else ()), *row.marks))
    return f"{row.title} ({marks})" if marks else row.title


def columns(text: str) -> int:
    """Return how many letters wide a text is; wide letters count twice, combining marks not at all."""
    widths = (0 if unicodedata.combining(c) else 2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in text)
    return sum(widths)


def shorten(text: str, width: int) -> str:
    """Cut a text to `width` letters, ending in an ellipsis if it was longer."""
    if columns(text) <= width:
        return text
    kept = text
    while kept and columns(kept) > width - 1:
        kept = kept[:-1]
    return f"{kept.rstrip()}…"


def wrap(text: str, width: int, most: int) -> tuple[list[str], bool]:
    """Break a text into at most `most` lines of `width` letters; tell whether something was cut off."""
    lines: list[str] = []
    for word in text.split():
        if lines and columns(f"{lines[-1]} {word}") <= width:
            lines[-1] += f" {word}"
        else:
            lines.append(word)
    kept = lines[:most]
    if len(lines) > most:
        kept[-1] = shorten(" ".join(lines[most - 1 :]), width)
    shown = [shorten(line, width) for line in kept]
    return shown, len(lines) > most or shown != kept
