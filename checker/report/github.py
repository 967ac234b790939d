"""A result for a GitHub Actions step: annotations on standard output, and the job summary."""

from __future__ import annotations

from pathlib import Path

from checker.errors import InputError
from checker.report.labels import Labels
from checker.report.markdown import index_page
from checker.report.model import BoardReport, Document, PropertyReport, RulebookReport
from checker.report.story import headline, place, story

LEVELS = {"violated": "error", "finding vanished": "error", "unknown": "warning", "known finding": "notice"}
"""What is annotated, the worst first."""

SHOWN = 10
"""Annotations of one step that GitHub shows for each level; more are dropped silently."""

SUMMARY = 1 << 20
"""The bytes of a step's summary that GitHub takes."""

CUT = "\n\n…\n"


def to_github(document: Document) -> str:
    """Return workflow commands for the worst verdicts, at most ten, then a line that counts the rest."""
    labels = Labels(document.language)
    found = [
        (book, board, wanted)
        for book in document.rulebooks
        for board in book.boards
        for wanted in board.properties
        if wanted.status in LEVELS
    ]
    found.sort(key=lambda entry: list(LEVELS).index(entry[2].status))
    lines = [_annotation(book, board, wanted, labels) for book, board, wanted in found[:SHOWN]]
    if len(found) > SHOWN:
        lines.append(labels("more_annotations", len(found) - SHOWN))
    return "".join(f"{line}\n" for line in lines)


def add_summary(document: Document, file: Path) -> None:
    """Append the job summary to the file that GitHub names in `GITHUB_STEP_SUMMARY`.

    Raises:
        InputError: the file cannot be written.

    """
    try:
        with file.open("a", encoding="utf-8") as out:
            out.write(summary(document))
    except OSError as error:
        raise InputError(f"cannot write the job summary {file}: {error.strerror}") from None


def summary(document: Document) -> str:
    """Return the job summary: the contents page of each rulebook, cut at what GitHub takes."""
    text = "\n".join(index_page(document, book) for book in document.rulebooks)
    kept = text.encode()
    if len(kept) <= SUMMARY:
        return text
    return kept[: SUMMARY - len(CUT.encode())].decode(errors="ignore").rpartition("\n")[0] + CUT


def _annotation(book: RulebookReport, board: BoardReport, wanted: PropertyReport, labels: Labels) -> str:
    file, line = place(book, wanted)
    values = {"file": file, "line": str(max(line, 1)), "title": headline(wanted, board.board, labels)}
    properties = ",".join(f"{key}={_property(value)}" for key, value in values.items())
    said = "\n".join(story(wanted, labels)) or wanted.title
    return f"::{LEVELS[wanted.status]} {properties}::{_message(said)}"


def _message(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _message(text).replace(":", "%3A").replace(",", "%2C")
