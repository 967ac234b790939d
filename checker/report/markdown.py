"""A result as Markdown: a page for each board, and a page of contents for each rulebook.

Texts of cards, clauses and terms are data: whatever they contain, they show as they are (GitHub Flavored
Markdown 0.29, section 2.4 on what a backslash takes back).
"""

from __future__ import annotations

import re
from functools import cache
from itertools import chain, pairwise

from jinja2 import Environment, PackageLoader, StrictUndefined

from checker.report.draw import Drawing, draw
from checker.report.evidence import behind, changing, evidence, grouped, idle, permits, reasons, tension
from checker.report.labels import Labels
from checker.report.model import (
    BoardReport,
    Cited,
    Document,
    Game,
    RulebookReport,
    StepView,
)
from checker.report.told import as_told, otherwise, remarks

SPECIAL = re.compile(r"[\\`*_\[\]<>#+!|~&$-]")
"""Characters that may begin or end markup; a dot or a digit matters only where a line begins."""

BREAKABLE = re.compile(r"[^\S\u00a0\u202f]+")
"""White space at which a line may be broken."""

ALONE = frozenset({"violated", "known finding", "finding vanished"})
"""Verdicts whose games are told in full."""


class Markup(str):
    """Text that is Markdown already."""

    __slots__ = ()


def escape(value: object) -> Markup:
    """Return text that Markdown shows as it is, on one line; Markdown stays as it is."""
    if isinstance(value, Markup):
        return value
    text = _line(value)
    text = SPECIAL.sub(lambda found: found[0] if _harmless(text, found) else f"\\{found[0]}", text)
    return Markup(re.sub(r"^(\d+)([.)])(?=\s|$)", r"\1\\\2", text))


def _line(value: object) -> str:
    """Return text on one line; no-break spaces stay what they are."""
    return BREAKABLE.sub(" ", str(value)).strip(" ")


def _harmless(text: str, found: re.Match[str]) -> bool:
    """Tell whether a character cannot begin markup where it stands, so that plain text stays readable."""
    before, after = text[: found.start()][-1:], text[found.end() :][:1]
    match found[0]:
        case "-" | "+" | "#":
            return bool(before)
        case "_":
            return before.isalnum() and after.isalnum()
        case "!":
            return after != "["
        case "&":
            return re.match(r"#?\w+;", text[found.end() :]) is None
    return False


def code(value: object) -> Markup:
    """Return text as a code span, with a fence longer than any run of backticks in it."""
    text = _line(value)
    fence = "`" * (1 + max((len(run) for run in re.findall("`+", text)), default=0))
    pad = " " if text.startswith("`") or text.endswith("`") else ""
    return Markup(f"{fence}{pad}{text}{pad}{fence}")


def cell(span: Markup) -> Markup:
    """Return a code span fit for a table, where a bar would end the cell even inside it."""
    return Markup(span.replace("|", "\\|"))


def to_markdown(document: Document) -> str:
    """Return the whole result as one text: each rulebook's contents, then its boards."""
    pages = (
        [index_page(document, book), *(board_page(document, book, board) for board in book.boards)]
        for book in document.rulebooks
    )
    return "\n".join(chain.from_iterable(pages))


def index_page(document: Document, book: RulebookReport) -> str:
    """Return the page of contents of a rulebook: its boards with their verdicts, and what is not covered."""
    labels = Labels(document.language)
    never = grouped(book.never, labels)
    statuses = tuple(labels.status)
    return _render(
        "index.md.jinja",
        labels,
        document=document,
        book=book,
        statuses=statuses,
        never=never,
        determined=determined(book),
    )


def determined(book: RulebookReport) -> list[tuple[str, list[tuple[str, list[tuple[str, str]]]]]]:
    """Return each determinism property with its answers and the boards that give them.

    A board comes with the readings it chooses otherwise than by default, since the answer may turn on them.
    """
    defaults = {reading.name: reading.default for reading in book.readings}
    answers: dict[str, dict[str, list[tuple[str, str]]]] = {}
    for board in book.boards:
        other = ", ".join(f"{name}={value}" for name, value in board.readings if defaults.get(name) != value)
        for wanted in board.properties:
            if wanted.kind == "determinism" and wanted.status != "not on this board":
                said = wanted.how or wanted.note or wanted.status
                answers.setdefault(wanted.title, {}).setdefault(said, []).append((board.board, other))
    return [(title, list(found.items())) for title, found in answers.items()]


def board_page(document: Document, book: RulebookReport, board: BoardReport) -> str:
    """Return the page of a board: verdicts, games, and what is not covered."""
    labels = Labels(document.language)
    return _render(
        "board.md.jinja",
        labels,
        document=document,
        book=book,
        board=board,
        told=[p for p in board.properties if p.status in ALONE],
        witnesses=[p for p in board.properties if p.status == "holds" and p.game],
        absent=[p for p in board.properties if p.status == "not on this board" and len(p.dead) == len(p.asked)],
        partly=[p for p in board.properties if p.dead and len(p.dead) < len(p.asked)],
        questions={reading.name: reading for reading in book.readings},
        idle=lambda wanted: idle(book, wanted),
        tension=lambda wanted: tension(book, wanted, labels),
    )


def _render(template: str, labels: Labels, **values: object) -> str:
    values |= {"drawn": lambda game: drawings(game, labels), "evidence": lambda p: evidence(p, labels)}
    values["reasons"] = lambda game: reasons(game, labels)
    values["ways"] = lambda wanted: (as_told(wanted), *otherwise(wanted))
    values["remarks"] = lambda wanted: remarks(wanted, labels)
    text = _environment().get_template(template).render(label=labels, **values)
    return re.sub(r"\n{3,}", "\n\n", text).strip("\n") + "\n"


@cache
def _environment() -> Environment:
    environment = Environment(
        loader=PackageLoader("checker.report"),
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=StrictUndefined,
        finalize=escape,
        autoescape=False,  # the output is Markdown, escaped by `finalize`
    )
    environment.filters.update(code=code, cell=cell, md=Markup, further=further, bare=bare, behind=behind)
    environment.filters.update(permits=permits)
    return environment


def drawings(game: Game, labels: Labels) -> list[Drawing | None]:
    """Draw the boards of a game, each against the one before: the start, then one for each step."""
    boards = [game.start, *(step.board for step in game.steps)]
    drawn: list[Drawing | None] = [draw(game.start, labels)]
    for before, after in pairwise(boards):
        drawn.append(None if after is None else draw(after, labels, before))
    return drawn


def further(step: StepView) -> list[Cited]:
    """Return the rules behind the changes of a step that did not already allow it, each once."""
    said = {cited.id for cited in step.allowed}
    return [cited for cited in changing(step) if cited.id is None or cited.id not in said]


def bare(title: str) -> str:
    """Return a title without its full stop, for the middle of a sentence."""
    return title.removesuffix(".")
