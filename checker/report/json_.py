"""A result as JSON (`schemas/result.schema.json`)."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import asdict
from typing import Any

from checker.report.model import Document


def to_json(document: Document) -> str:
    """Return the document as JSON text with a final newline."""
    return json.dumps(to_plain(document), ensure_ascii=False, indent=1) + "\n"


def to_plain(document: Document) -> dict[str, Any]:
    """Return the document as dictionaries and lists, field by field.

    What differs from run to run, seconds and details of each board included, stands in `run` alone: two
    results are the same if they are without it.
    """
    plain: dict[str, Any] = asdict(document)
    plain["run"]["libraries"] = dict(document.run.libraries)
    plain["run"]["boards"] = [
        {
            "rulebook": book["name"],
            "board": board["board"],
            "seconds": board.pop("seconds"),
            "details": dict(board.pop("details")),
        }
        for book in plain["rulebooks"]
        for board in book["boards"]
    ]
    for book in plain["rulebooks"]:
        book["never"] = dict(book["never"])
        book["not_encoded"] = dict(book["not_encoded"])
        for board in book["boards"]:
            board["readings"] = dict(board["readings"])
            board["objects"] = dict(board["objects"])
            for game in (game for wanted in board["properties"] for game in _games(wanted)):
                game["fluents"] = dict(game["fluents"])
    return plain


def _games(wanted: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield every game of a property."""
    others = wanted["others"]["games"] if wanted["others"] else ()
    holders = [wanted, *others, *([wanted["smaller"]] if wanted["smaller"] else ())]
    yield from (holder["game"] for holder in holders if holder["game"] is not None)
