"""Write the reports of a result into a folder."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from checker.errors import InputError
from checker.report.html import to_html
from checker.report.json_ import to_json
from checker.report.markdown import board_page, index_page
from checker.report.model import Document


def write(document: Document, folder: Path) -> list[Path]:
    """Write the reports of a result into `folder` and return their paths.

    Each rulebook gets a folder of its name: `README.md`, a page for each board, `report.html`, and
    `result.json`.

    Raises:
        InputError: the folder or a file in it cannot be written.

    """
    written = []
    for book in document.rulebooks:
        own = replace(document, rulebooks=(book,))
        pages = {"README.md": index_page(own, book)}
        pages |= {f"{board.board}.md": board_page(own, book, board) for board in book.boards}
        pages["report.html"] = to_html(own)
        pages["result.json"] = to_json(own)
        for name, text in pages.items():
            path = folder / book.name / name
            try:
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(text, encoding="utf-8")
            except OSError as error:
                raise InputError(f"cannot write the report {path}: {error.strerror}") from None
            written.append(path)
    return written
