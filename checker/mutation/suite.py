"""Generated games as rulings: played once to make sure that they pass, then written as TOML and JSON."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from pathlib import Path

from checker.errors import InternalError
from checker.mutation.generate import Generated, Target
from checker.rulebook.encoding import Encoding
from checker.rulebook.model import Rulebook, Text
from checker.rulings.model import Line, Ruling, RulingStep
from checker.rulings.play import play

FORMAT = 1
"""Version of the JSON document; a field that changes its meaning raises it."""

SOURCE = "generated: a shortest game under the encoded rules"

NAMED = 3
"""Targets that a title names."""


def rulings_of(book: Rulebook, games: Sequence[Generated], path: Path) -> tuple[Ruling, ...]:
    """Return the games as rulings of this version, shortest first."""
    ordered = sorted(games, key=lambda game: (len(game.steps), game.board, game.covers))
    return tuple(_ruling(book, number, game, path) for number, game in enumerate(ordered, start=1))


def _ruling(book: Rulebook, number: int, game: Generated, path: Path) -> Ruling:
    named = "; ".join(_said(target, "with") for target in game.covers[:NAMED])
    nomme = " ; ".join(_said(target, "avec") for target in game.covers[:NAMED])
    more = len(game.covers) - NAMED
    title = {
        "en": f"Shortest game to {named}" + (f" and {more} more" if more > 0 else ""),
        "fr": f"Partie la plus courte vers {nomme}" + (f" et {more} de plus" if more > 0 else ""),
    }
    return Ruling(
        id=f"g{number:04d}",
        path=path,
        title=Text(title),
        source=SOURCE,
        status="derived",
        versions=(book.version.name,),
        board=game.board,
        clauses=tuple(sorted({clause for target in game.covers for clause in target})),
        lines=(Line({}, tuple(_steps(game))),),
    )


def _said(target: Target, between: str) -> str:
    return f" {between} ".join(target)


def _steps(game: Generated) -> Iterator[RulingStep]:
    for step in game.steps:
        yield RulingStep(
            do=(step.action,),
            choose=step.chosen,
            settle=False,
            illegal=None,
            because=None,
            holds=tuple(f"now({fluent}, {value})" for fluent, value in step.changes),
            fails=(),
            events=step.events,
            no_events=(),
        )


def require_passing(book: Rulebook, encoding: Encoding, rulings: Sequence[Ruling]) -> None:
    """Play every ruling.

    Raises:
        InternalError: one does not go as written.

    """
    for played in play(book, encoding, rulings):
        if played.failure is not None:
            failure = played.failure
            what = f"step {failure.step}: expected {failure.expected}; {failure.actual}"
            raise InternalError(f"the generated game {played.ruling.id} on {played.ruling.board} fails: {what}")


def to_toml(book: Rulebook, rulings: Sequence[Ruling]) -> str:
    """Return the rulings as a file that `equipoise rulings` plays."""
    languages = [language for language in ("en", "fr") if language in book.languages] or ["en"]
    lines = [f"# {len(rulings)} shortest games of {book.name} {book.version.name}, generated; do not edit."]
    for ruling in rulings:
        lines += ["", f"[{ruling.id}]"]
        lines += [f"title.{language} = {_quoted(ruling.title[language])}" for language in languages]
        lines += [
            f"source = {_quoted(ruling.source)}",
            f"status = {_quoted(ruling.status)}",
            f"versions = {_listed(ruling.versions)}",
            f"board = {_quoted(ruling.board)}",
            f"clauses = {_listed(ruling.clauses)}",
        ]
        for step in ruling.lines[0].steps:
            lines += [f"[[{ruling.id}.steps]]", f"do = {_quoted(step.do[0])}"]
            pairs = (("choose", step.choose), ("holds", step.holds), ("events", step.events))
            lines += [f"{key} = {_listed(values)}" for key, values in pairs if values]
    return "\n".join(lines) + "\n"


def to_json(book: Rulebook, games: Sequence[Generated]) -> str:
    """Return the games for another implementation: each with its first board, and per step what may be done."""
    ordered = sorted(games, key=lambda game: (len(game.steps), game.board, game.covers))
    document = {
        "format": FORMAT,
        "rulebook": book.name,
        "version": book.version.name,
        "games": [{"id": f"g{n:04d}"} | _plain(game) for n, game in enumerate(ordered, start=1)],
    }
    return json.dumps(document, indent=1, ensure_ascii=False) + "\n"


def _plain(game: Generated) -> dict[str, object]:
    steps = [asdict(step) | {"changes": dict(step.changes)} for step in game.steps]
    return {"board": game.board, "covers": game.covers, "start": dict(game.start), "steps": steps}


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


def _listed(texts: Sequence[str]) -> str:
    return "[" + ", ".join(map(_quoted, texts)) + "]"
