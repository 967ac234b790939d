"""Render a position as a page: the board, every legal move as a button, and what may not be done."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from importlib.resources import files
from urllib.parse import urlencode

from clingo.symbol import Symbol, SymbolType
from jinja2 import ChoiceLoader, Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from checker.explore.say import Speaker
from checker.explore.table import Position, Shown, Table
from checker.explore.whynot import why_not
from checker.report.draw import draw
from checker.report.evidence import behind
from checker.report.html.cards import Look, Zone, stacks_by_place
from checker.report.html.cases import Picture
from checker.report.html.page import address
from checker.report.labels import Labels
from checker.report.markdown import bare, further
from checker.report.model import BoardView, Game

POLICY = (
    "default-src 'none'; style-src 'unsafe-inline'; img-src data:; form-action 'self'; base-uri 'none'; "
    "frame-ancestors 'none'"
)
"""The page runs no script and fetches nothing."""


def link(start: int, tokens: Sequence[str], path: str = "/", **more: str) -> str:
    """Return the address of a game."""
    values = ([("start", str(start))] if start > 1 else []) + [("do", token) for token in tokens]
    query = urlencode([*values, *more.items()])
    return f"{path}?{query}" if query else path


def to_page(table: Table, position: Position, why: bool = False, asked: str = "", answer: str = "") -> str:
    """Return the page of a position.

    Args:
        table: what is played on.
        position: the game so far.
        why: tell what may not be done as well.
        asked: the property that was jumped to, and
        answer: what the engine said of it (see `jump.Answer`), or `game`.

    """
    speaker = Speaker(table)
    game, shown = table.game(position), table.shown(position)
    titles = {goal.name: goal.title[table.language] for goal in table.book.properties}
    picture, marks = _picture(game, speaker.labels, _guilty(table, shown))
    return (
        _environment()
        .get_template("play.html.jinja")
        .render(
            label=speaker.labels,
            language=table.language,
            table=table,
            title=f"{table.book.title[table.language]} {table.book.version.name}",
            position=position,
            game=game,
            picture=picture,
            marks=marks,
            moves=[(m, speaker.move(m), speaker.clauses(m)) for m in table.moves(position)],
            refusals=[speaker.refusal(reason) for reason in why_not(table, position)] if why else None,
            shown=[(s, [table.words.term(c) for c in s.culprits]) for s in shown],
            titles={name: title for name, title in titles.items() if _has_game(table, name)},
            asked=titles.get(asked, ""),
            answer=answer,
            link=link,
            style=_style(),
        )
    )


def to_error(table: Table, message: str) -> str:
    """Return a page that says what is wrong with the address."""
    labels = Speaker(table).labels
    page = _environment().get_template("wrong.html.jinja")
    return page.render(label=labels, language=table.language, message=message, style=_style())


def _has_game(table: Table, name: str) -> bool:
    """Tell whether a property can be shown by a game at all."""
    return table.system.goal[name].kind.value not in ("actions_reachable", "rules_fire")


def _guilty(table: Table, shown: Sequence[Shown]) -> frozenset[str]:
    terms = [term for one in shown for culprit in one.culprits for term in (culprit, *_inside(culprit))]
    return frozenset(table.words.term(term) for term in terms)


def _inside(culprit: Symbol) -> Sequence[Symbol]:
    """Return the parts of a tuple; nothing for any other term."""
    return culprit.arguments if culprit.type == SymbolType.Function and not culprit.name else ()


def _picture(game: Game, labels: Labels, guilty: frozenset[str]) -> tuple[Picture, dict[str, int]]:
    """Return the last board as a picture, and the number of each controller's mark."""
    boards = [game.start, *(step.board for step in game.steps if step.board is not None)]
    objects = [o for board in boards for o in board.objects]
    numbers = {name: index for index, name in enumerate(dict.fromkeys(o.name for o in objects))}
    marks = {name: index for index, name in enumerate(sorted({o.controller for o in objects if o.controller}), 1)}
    drawing = draw(boards[-1], labels, _before(game, boards))
    stacks = stacks_by_place(drawing, Look(numbers, marks, guilty))
    used = {o.zone for o in objects}
    places = dict.fromkeys((*(zone for zone in game.start.zones if zone in used), *stacks))
    zones = tuple(Zone(place, max(1, len(stacks.get(place, ()))), stacks.get(place, ())) for place in places)
    empty = tuple(zone for zone in game.start.zones if zone not in places)
    return Picture(zones, empty, drawing.status), marks


def _before(game: Game, boards: Sequence[BoardView]) -> BoardView | None:
    """Return the board that the last one is compared with: none if the last step has no next board."""
    return boards[-2] if len(boards) > 1 and game.steps[-1].board is not None else None


@cache
def _environment() -> Environment:
    environment = Environment(
        loader=ChoiceLoader([PackageLoader("checker.explore"), PackageLoader("checker.report.html")]),
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=StrictUndefined,
        autoescape=True,
    )
    environment.filters.update(bare=bare, behind=behind, further=further, address=address)
    return environment


@cache
def _style() -> Markup:
    own = (files("checker.explore") / "templates" / "play.css").read_text(encoding="utf-8")
    return Markup((files("checker.report.html") / "templates" / "report.css").read_text(encoding="utf-8") + own)
