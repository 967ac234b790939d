"""Write the game so far as a ruling or as an ITF trace."""

from __future__ import annotations

import json
import platform
import re
from dataclasses import replace
from datetime import UTC, datetime

from clingo.symbol import Symbol

from checker import __version__
from checker.errors import InputError
from checker.explore.say import labels_of
from checker.explore.table import Position, Table
from checker.report.itf import game_to_itf
from checker.report.model import FORMAT, Document, PropertyReport, RunFacts
from checker.report.summary import collect, summarise


def to_ruling(table: Table, position: Position) -> str:
    """Return the game as the TOML of an executable ruling.

    Each step must be legal, and after it what it changed must hold; the clauses behind those changes are cited.

    Raises:
        InputError: a ruling cannot say this game.

    """
    if table.starts > 1:
        raise InputError(f"a ruling starts on one board, and {table.board.name} has {table.starts:,} initial boards")
    if position.over:
        raise InputError("a ruling cannot say a step that has no next board; undo it first")
    if not position.tokens:
        raise InputError("nothing was done yet; a ruling has at least one step")
    game = table.game(position)
    cited = {c.id: None for step in game.steps for change in step.changes for c in change.clauses if c.id}
    name = re.sub(r"\W+", "_", f"{table.board.name}_{len(game.steps)}_steps".lower()).strip("_")
    lines = [
        f"[{name if name[:1].isalpha() else f'game_{name}'}]",
        *(f"title.{lang} = {_text(_title(table, len(game.steps), lang))}" for lang in table.book.languages),
        'source = "played by hand"',
        'status = "derived"',
        f"versions = {_texts([table.book.version.name])}",
        f"board = {_text(_board(table))}",
        f"clauses = {_texts(cited)}",
    ]
    default = table.book.choose(table.board, {})
    given = {k: v for k, v in table.readings.items() if default[k] != v}
    lines += [f"readings = {{ {', '.join(f'{k} = {_text(v)}' for k, v in given.items())} }}"] if given else []
    for token, step in zip(position.tokens, position.trace.steps, strict=True):
        action, *chosen = token.split("!")
        lines += [f"[[{lines[0][1:-1]}.steps]]", f"do = {_text(action)}"]
        lines += [f"choose = {_texts(chosen)}"] if chosen else []
        holds = [f"now({change.fluent}, {change.new})" for change in step.changes]
        lines += [f"holds = {_texts(holds)}"] if holds else []
    return "\n".join(lines) + "\n"


def to_itf(table: Table, position: Position) -> str:
    """Return the game as ITF text."""
    game = table.game(position)
    title = _title(table, len(game.steps), table.language)
    played = PropertyReport(
        name="played", title=title, kind="sometimes", status="holds", how="", engine="", clauses=(), tension=None,
        finding=None, culprits=(), shortest=False, breaking=None, note="", asked=(), dead=(),
        length=len(game.steps), game=game,
    )  # fmt: skip
    board = replace(summarise(table.result(), table.language), properties=(played,))
    book = collect(table.book, (), table.language)
    began = datetime.now(UTC).isoformat(timespec="seconds")
    run = RunFacts(f"equipoise {__version__}", platform.python_version(), began, 0.0, ())
    return game_to_itf(Document(FORMAT, table.language, (book,), run), book, board, played)


def _title(table: Table, steps: int, language: str) -> str:
    labels = labels_of(language)
    return labels("played", table.board.name, labels.steps(steps))


def _board(table: Table) -> str:
    """Return the name by which the rulebook finds the board, or its file if it lies elsewhere."""
    folder = table.book.folder.resolve() / "boards"
    path = table.board.path.resolve()
    if path.is_relative_to(folder):
        return path.relative_to(folder).with_suffix("").as_posix()
    return path.as_posix()


def _text(value: str | Symbol) -> str:
    return json.dumps(str(value), ensure_ascii=False)


def _texts(values: object) -> str:
    assert isinstance(values, (list, dict))
    return f"[{', '.join(map(_text, values))}]"
