"""Lay a board out as the rows of a table: places in order, what is tucked under what, what is new."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace

from checker.report.labels import Labels
from checker.report.model import BoardView, ObjectView


@dataclass(frozen=True, slots=True)
class Row:
    """One line of a drawn board.

    place: the zone, empty below its first object. depth: how deep the object is tucked under others.
    marks: turned, badges, and what it is under where the drawing does not show that. changed: it did not
    lie so on the board before. shown: the object itself.
    """

    place: str
    depth: int
    title: str
    controller: str
    marks: tuple[str, ...]
    changed: bool
    shown: ObjectView | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class Drawing:
    """A board ready to print: rows, the places without an object, and status lines with what is new."""

    rows: tuple[Row, ...]
    empty: tuple[str, ...]
    status: tuple[tuple[str, str, bool], ...]


def draw(board: BoardView, labels: Labels, before: BoardView | None = None) -> Drawing:
    """Lay `board` out, marking what differs from the board `before` if one is given."""
    known = {o.name: o for o in before.objects} if before else {}
    changed = frozenset(o.name for o in board.objects if before and known.get(o.name) != o)
    layout = _Layout(board, labels, changed)
    rows = tuple(layout.rows())
    filled = {row.place for row in rows}
    status = tuple((k, v, before is not None and (k, v) not in before.status) for k, v in board.status)
    return Drawing(rows, tuple(zone for zone in board.zones if zone not in filled), status)


class _Layout:
    """Places the objects of one board."""

    def __init__(self, board: BoardView, labels: Labels, changed: frozenset[str]) -> None:
        self.board, self.labels, self.changed = board, labels, changed
        self.by_title = {o.title: o for o in board.objects}

    def rows(self) -> Iterator[Row]:
        """Yield every object in every place once, and again under each further object it is tucked under."""
        seen: set[str] = set()
        for zone in (*self.board.zones, None):
            here = [o for o in self.board.objects if self._zone(o) == zone]
            roots = [o for o in here if not self._hosts(o)]
            rows = [row for root in roots for row in self._tree(root, 0, seen)]
            circular = (o for o in here if o.name not in seen)
            rows += [row for o in circular if o.name not in seen for row in self._tree(o, 0, seen)]
            name = self.labels["elsewhere"] if zone is None else zone
            yield from _named(rows, name)

    def _zone(self, shown: ObjectView) -> str | None:
        return shown.zone if shown.zone in self.board.zones else None

    def _hosts(self, shown: ObjectView) -> list[ObjectView]:
        """Return what the object is tucked under and lies with."""
        hosts = (self.by_title[title] for title in shown.under if title in self.by_title)
        return [host for host in hosts if self._zone(host) == self._zone(shown)]

    def _tree(self, shown: ObjectView, depth: int, seen: set[str]) -> Iterator[Row]:
        again = shown.name in seen
        seen.add(shown.name)
        yield self._row(shown, depth)
        if not again:
            for below in self.board.objects:
                if shown in self._hosts(below):
                    yield from self._tree(below, depth + 1, seen)

    def _row(self, shown: ObjectView, depth: int) -> Row:
        marks = [self.board.turned or self.labels["turned"]] if shown.turned else []
        marks += shown.badges
        if len(shown.under) > 1 or len(self._hosts(shown)) < len(shown.under) or (shown.under and not depth):
            marks.append(self.labels("under", ", ".join(shown.under)))
        return Row("", depth, shown.title, shown.controller or "", tuple(marks), shown.name in self.changed, shown)


def _named(rows: Iterable[Row], zone: str) -> Iterator[Row]:
    """Give the first row of a place its name."""
    for index, row in enumerate(rows):
        yield replace(row, place="" if index else zone)
