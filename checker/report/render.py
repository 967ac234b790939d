"""Render a result in one of the forms, for standard output or a file."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType

from checker.errors import InputError, closest
from checker.report.github import add_summary, to_github
from checker.report.html import to_html
from checker.report.itf import game_to_itf, games, to_itf
from checker.report.json_ import to_json
from checker.report.junit import to_junit
from checker.report.markdown import to_markdown
from checker.report.model import Document
from checker.report.sarif import to_sarif
from checker.report.terminal import to_text
from checker.report.told import as_told, otherwise

FORMS: Mapping[str, Callable[[Document], str]] = MappingProxyType(
    {
        "text": to_text,
        "markdown": to_markdown,
        "json": to_json,
        "html": to_html,
        "sarif": to_sarif,
        "junit": to_junit,
        "itf": to_itf,
        "github": to_github,
    }
)


def render(document: Document, form: str) -> str:
    """Return the whole result in one of `FORMS`, for standard output.

    Raises:
        InputError: the form cannot hold this result.

    """
    return FORMS[form](document)


def announce(document: Document, form: str) -> None:
    """Write what a form leaves beside its text: the job summary of `github`, where there is a job.

    Raises:
        InputError: it cannot be written.

    """
    file = os.environ.get("GITHUB_STEP_SUMMARY")
    if form == "github" and file:
        add_summary(document, Path(file))


def write_as(document: Document, form: str, path: Path) -> list[Path]:
    """Write the result in one form to a file, or in the form `itf` a file for each game into a folder.

    Returns:
        The files written.

    Raises:
        InputError: they cannot be written.

    """
    if form == "itf":
        files = {
            path / f"{b.board}.{p.name}{f'.{number}' if number > 1 else ''}.itf.json": game_to_itf(document, k, b, way)
            for k, b, p in games(document)
            for number, way in enumerate((as_told(p), *otherwise(p)), start=1)
        }
    else:
        files = {path: render(document, form)}
    for file, text in files.items():
        try:
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text, encoding="utf-8")
        except OSError as error:
            raise InputError(f"cannot write {file}: {error.strerror}") from None
    return list(files)


def select(document: Document, boards: Iterable[str], properties: Iterable[str]) -> Document:
    """Return the part of a result that is about some boards and properties; all of them if none is named.

    Raises:
        InputError: a name that the result does not have.

    """
    every = [board for book in document.rulebooks for board in book.boards]
    wanted = _known(boards, "board", [board.board for board in every])
    asked = _known(properties, "property", [p.name for board in every for p in board.properties])
    books = (
        replace(
            book,
            boards=tuple(
                replace(board, properties=tuple(p for p in board.properties if p.name in asked))
                for board in book.boards
                if board.board in wanted
            ),
        )
        for book in document.rulebooks
    )
    return replace(document, rulebooks=tuple(book for book in books if book.boards))


def _known(names: Iterable[str], kind: str, known: list[str]) -> set[str]:
    chosen = set(names)
    for name in sorted(chosen - set(known)):
        raise InputError(f'the result has no {kind} "{name}"; {closest(name, sorted(set(known)))}')
    return chosen or set(known)
