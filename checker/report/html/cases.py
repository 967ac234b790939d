"""The games of a result, ready to be told step by step: each with its boards as pictures."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from checker.report.draw import Drawing, draw
from checker.report.evidence import idle, permits
from checker.report.html.cards import Face, Look, Stack, Zone, stacks_by_place
from checker.report.labels import Labels
from checker.report.markdown import ALONE, drawings
from checker.report.model import BoardReport, Cited, Game, PropertyReport, RulebookReport, StepView
from checker.report.told import as_told, otherwise, remarks


@dataclass(frozen=True, slots=True)
class Picture:
    """A board as a picture: its places, those that stay empty all game, and status lines with what is new."""

    zones: tuple[Zone, ...]
    empty: tuple[str, ...]
    status: tuple[tuple[str, str, bool], ...]

    @property
    def faces(self) -> tuple[Face, ...]:
        """Every card that is shown."""
        return tuple(face for zone in self.zones for stack in zone.stacks for face in stack.faces)


@dataclass(frozen=True, slots=True)
class Told:
    """One step, or the start (no `view`); `id` is its address.

    picture: the board after it, or where there is none the last board before it.
    """

    number: int
    id: str
    view: StepView | None
    picture: Picture


@dataclass(frozen=True, slots=True)
class Case:
    """A property and a game that shows it.

    marks: the number of each controller's mark, by name. way, ways: which of the games that break it
    differently this is, and how many are told. remarks: on which board it is played, and of the other games.
    idle: clauses the property rests on that fire nowhere. permits: what allowed the step that breaks it.
    """

    id: str
    board: BoardReport
    property: PropertyReport
    game: Game
    steps: tuple[Told, ...]
    marks: tuple[tuple[str, int], ...]
    way: int
    ways: int
    remarks: tuple[str, ...]
    idle: tuple[str, ...]
    permits: tuple[Cited, ...]


def cases_of(book: RulebookReport, labels: Labels, prefix: str = "") -> tuple[Case, ...]:
    """Return the games that ask for attention: what is violated first, shortest first; then by board and property.

    Where a single question was asked, its game is told whatever the answer.
    The address of a game is `<board>/<property>`, that of its steps `<board>/<property>/<step>`, each with
    `prefix` in front; further games of the property are `<board>/<property>.2` and so on.
    """
    alone = sum(len(board.properties) for board in book.boards) == 1
    told = [
        (board, wanted)
        for board in book.boards
        for wanted in board.properties
        if wanted.game is not None and (alone or wanted.status in ALONE)
    ]
    told.sort(key=lambda one: _urgency(one[1]))
    return tuple(
        replace(case, idle=tuple(idle(book, wanted)))
        for board, wanted in told
        for case in _cases(board, wanted, labels, f"{prefix}{board.board}/{wanted.name}")
    )


def _urgency(wanted: PropertyReport) -> tuple[bool, int]:
    """Sort what nobody expects before what is known, and shorter games before longer."""
    expected = wanted.status != "violated"
    return expected, 0 if expected or wanted.game is None else len(wanted.game.steps)


def _cases(board: BoardReport, wanted: PropertyReport, labels: Labels, name: str) -> Iterator[Case]:
    ways = (as_told(wanted), *otherwise(wanted))
    for number, way in enumerate(ways, start=1):
        case = _case(board, way, labels, name if number == 1 else f"{name}.{number}")
        said = tuple(remarks(wanted, labels)) if number == 1 else ()
        yield replace(case, way=number, ways=len(ways), remarks=said)


def _case(board: BoardReport, wanted: PropertyReport, labels: Labels, name: str) -> Case:
    game = wanted.game
    assert game is not None, "the caller chose a property with a game"
    drawn = drawings(game, labels)
    boards = [game.start, *(step.board for step in game.steps if step.board is not None)]
    if drawn[-1] is None:
        drawn[-1] = draw(boards[-1], labels)
    shown = [o for view in boards for o in view.objects]
    numbers = {name: index for index, name in enumerate(dict.fromkeys(o.name for o in shown))}
    controllers = sorted({o.controller for o in shown if o.controller})
    marks = {name: index for index, name in enumerate(controllers, start=1)}
    look = Look(numbers, marks, between=labels["semicolon"])
    last = replace(look, guilty=_guilty(wanted, (o.title for o in shown)))
    ready = [one for one in drawn if one is not None]
    laid = [stacks_by_place(one, last if one is ready[-1] else look) for one in ready]
    views: list[StepView | None] = [None, *game.steps]
    steps = (
        Told(number, f"{name}/{number}", view, picture)
        for number, (view, picture) in enumerate(zip(views, _pictures(ready, laid, game.start.zones), strict=True))
    )
    allowed = tuple(permits(wanted))
    return Case(name, board, wanted, game, tuple(steps), tuple(marks.items()), 1, 1, (), (), allowed)


def _guilty(wanted: PropertyReport, titles: Iterable[str]) -> frozenset[str]:
    """Return the titles that the culprits name, alone or in a tuple."""
    named = {culprit for text in wanted.culprits for culprit in (text, *text.strip("()").split(", "))}
    return frozenset(titles) & named


def _pictures(
    drawn: Iterable[Drawing], laid: Sequence[Mapping[str, tuple[Stack, ...]]], places: Iterable[str]
) -> Iterator[Picture]:
    """Yield each board; a place keeps the room it needs at its fullest, so that nothing jumps."""
    room: dict[str, int] = dict.fromkeys(places, 0)
    for stacks in laid:
        for place, held in stacks.items():
            room[place] = max(room.get(place, 0), len(held))
    empty = tuple(place for place, most in room.items() if not most)
    for drawing, stacks in zip(drawn, laid, strict=True):
        zones = tuple(Zone(place, most, stacks.get(place, ())) for place, most in room.items() if most)
        yield Picture(zones, empty, drawing.status)
