"""Render a result as one HTML page that needs nothing else: no server, no network, no script to be read."""

from __future__ import annotations

import base64
import hashlib
from functools import cache
from importlib.resources import files
from urllib.parse import quote

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from checker.report.evidence import behind, evidence, grouped, reasons, tension
from checker.report.html.cases import Case, cases_of
from checker.report.html.graph import lay_out
from checker.report.html.overview import attention, chapters, facts, grouped_rows, reading_rows, tally, witnesses
from checker.report.labels import Labels
from checker.report.markdown import bare, further
from checker.report.model import Document, RulebookReport


def to_html(document: Document) -> str:
    """Return the whole result as one HTML page.

    Every text of the result is escaped by the template engine; the page's own script is named by its hash in
    the page's content security policy, so no other can run.
    """
    labels = Labels(document.language)
    parts = [_part(document, book, labels) for book in document.rulebooks]
    script = _resource("report.js")
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    page = _environment().get_template("page.html.jinja")
    return page.render(
        label=labels,
        document=document,
        parts=parts,
        title=", ".join(f"{book.title} {book.version}" for book in document.rulebooks),
        evidence=lambda wanted: evidence(wanted, labels),
        reasons=lambda game: reasons(game, labels),
        tension=lambda book, wanted: tension(book, wanted, labels),
        style=Markup(_resource("report.css")),
        script=Markup(script),
        policy=f"default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-{digest}'",
    )


def _part(document: Document, book: RulebookReport, labels: Labels) -> dict[str, object]:
    """Return what the template says of one rulebook."""
    prefix = f"{book.name}/" if len(document.rulebooks) > 1 else ""
    cases = cases_of(book, labels, prefix)
    groups = grouped_rows(book)
    linked: dict[tuple[str, str], Case] = {(c.board.board, c.property.name): c for c in cases if c.way == 1}
    return {
        "book": book,
        "prefix": prefix,
        "cases": cases,
        "attention": attention(book),
        "linked": linked,
        "groups": groups,
        "tally": tally(groups),
        "engines": sorted({p.engine for board in book.boards for p in board.properties if p.engine}),
        "graphs": [(board, lay_out(board.graph)) for board in book.boards if board.graph],
        "readings": reading_rows(book),
        "never": grouped(book.never, labels),
        "witnesses": witnesses(book),
        "chapters": chapters(book),
        "facts": facts(book),
        "assumptions": tuple({a.text: a for board in book.boards for a in board.assumptions}.values()),
    }


@cache
def _environment() -> Environment:
    environment = Environment(
        loader=PackageLoader("checker.report.html"),
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=StrictUndefined,
        autoescape=True,
    )
    environment.filters.update(bare=bare, behind=behind, further=further, address=address)
    return environment


def address(name: str) -> str:
    """Return the part of a link behind the `#` that leads to the element with this id."""
    return quote(name, safe="/")


def _resource(name: str) -> str:
    return (files("checker.report.html") / "templates" / name).read_text(encoding="utf-8")
