"""A result as SARIF 2.1.0: a run for each rulebook, a rule for each property, each game as a code flow.

What holds is left out, since several readers list every result as a fault whatever its kind.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from hashlib import sha256
from typing import Any

from checker.report.evidence import reasons
from checker.report.labels import Labels
from checker.report.model import (
    BoardReport,
    BoardView,
    Document,
    Game,
    ObjectView,
    PropertyReport,
    RulebookReport,
    StepView,
)
from checker.report.story import address, clauses_of, headline, place, rules, story
from checker.report.told import as_told, otherwise

SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
BASE = "%SRCROOT%"
LONGEST = 1024
"""Characters of a rule's description that GitHub takes."""

LEVELS = {
    "violated": ("fail", "error"),
    "finding vanished": ("fail", "error"),
    "known finding": ("fail", "note"),
    "unknown": ("open", "none"),
}
"""The kind and level of each verdict that is a result."""


def to_sarif(document: Document) -> str:
    """Return the verdicts that ask for attention as SARIF text."""
    labels = Labels(document.language)
    runs = [_run(document, book, labels) for book in document.rulebooks]
    plain = {"$schema": SCHEMA, "version": "2.1.0", "runs": runs}
    return json.dumps(plain, ensure_ascii=False, indent=1) + "\n"


def _run(document: Document, book: RulebookReport, labels: Labels) -> dict[str, Any]:
    named = {wanted.name: wanted for board in book.boards for wanted in board.properties}
    index = {name: number for number, name in enumerate(named)}
    return {
        "tool": {
            "driver": {
                "name": "Equipoise",
                "version": document.run.tool.removeprefix("equipoise "),
                "rules": [_rule(book, wanted, labels) for wanted in named.values()],
            }
        },
        "automationDetails": {"id": f"equipoise/{book.name}/{book.version}"},
        "language": document.language,
        "columnKind": "unicodeCodePoints",
        "originalUriBaseIds": {BASE: {"description": {"text": "The root of the repository."}}},
        "results": [
            _result(book, board, wanted, labels) | {"ruleIndex": index[wanted.name]}
            for board in book.boards
            for wanted in board.properties
            if wanted.status in LEVELS
        ],
    }


def _rule(book: RulebookReport, wanted: PropertyReport, labels: Labels) -> dict[str, Any]:
    texts = [f"{cited.id} {cited.text}" for cited in wanted.clauses]
    full = "\n".join([wanted.title, *texts])
    return {
        "id": wanted.name,
        "name": wanted.name,
        "shortDescription": {"text": wanted.title[:LONGEST] or wanted.name},
        "fullDescription": {"text": full[:LONGEST] or wanted.name},
        "help": {"text": "\n".join([full, f"{labels['clauses']}{labels['colon']}{book.title} {book.version}"])},
        "defaultConfiguration": {"level": "error"},
        "properties": {"tags": [wanted.kind, *(c.id for c in wanted.clauses if c.id)][:10]},
    }


def _result(book: RulebookReport, board: BoardReport, wanted: PropertyReport, labels: Labels) -> dict[str, Any]:
    kind, level = LEVELS[wanted.status]
    said = [headline(wanted, board.board, labels), *story(wanted, labels)]
    names = [f"{book.name}-{book.version}/{clause}" for clause in clauses_of(wanted)]
    key = "/".join((book.name, board.board, wanted.name, *wanted.culprits))
    result: dict[str, Any] = {
        "ruleId": wanted.name,
        "kind": kind,
        "level": level,
        "message": _message("\n".join(said)),
        "locations": [_location(*place(book, wanted), names)],
        "partialFingerprints": {"equipoise/v1": sha256(key.encode()).hexdigest()[:32]},
        "properties": {"board": board.board, "readings": dict(board.readings), "status": wanted.status},
    }
    if wanted.finding:
        result["properties"]["finding"] = wanted.finding
    games = [way.game for way in (as_told(wanted), *otherwise(wanted)) if way.game is not None]
    if games:
        result["codeFlows"] = [_flow(game, labels) for game in games]
    return result


def _location(file: str, line: int, clauses: Iterable[str], message: str = "") -> dict[str, Any]:
    start = max(line, 1)
    region = {"startLine": start, "startColumn": 1, "endLine": start, "endColumn": 2}
    found: dict[str, Any] = {
        "physicalLocation": {"artifactLocation": _artifact(file), "region": region},
        "logicalLocations": [{"fullyQualifiedName": name, "kind": "clause"} for name in clauses],
    }
    if not found["logicalLocations"]:
        del found["logicalLocations"]
    return found | ({"message": _message(message)} if message else {})


def _artifact(file: str) -> dict[str, str]:
    uri = address(file)
    return {"uri": uri} if uri.startswith("file:") else {"uri": uri, "uriBaseId": BASE}


def _flow(game: Game, labels: Labels) -> dict[str, Any]:
    start = {
        "location": {"message": _message(labels["start"])},
        "state": _state(game.start, labels),
        "executionOrder": 1,
        "importance": "important",
    }
    before, steps = game.start, []
    for step in game.steps:
        before = step.board or before
        steps.append(_step(step, before, labels))
    flow: dict[str, Any] = {"threadFlows": [{"locations": [start, *steps]}]}
    said = reasons(game, labels)
    return flow | ({"message": _message(said)} if said else {})


def _step(step: StepView, board: BoardView, labels: Labels) -> dict[str, Any]:
    found = rules(step)
    said = "\n".join([labels.sentence(step.sentence), *(change.sentence for change in step.changes)])
    clauses = list(dict.fromkeys(cited.id for cited in found if cited.id))
    located = {"message": _message(said)} if not found else _location(found[-1].file, found[-1].line, (), said)
    return {
        "location": located,
        "state": _state(board, labels),
        "executionOrder": step.number + 1,
        "importance": "essential" if step.matters else "unimportant",
        "properties": {"action": step.term, "by": step.by, "clauses": clauses, "because": list(step.because)},
    }


def _state(board: BoardView, labels: Labels) -> dict[str, Any]:
    """Return a board as the names and values a debugger would show."""
    turned = board.turned or labels["turned"]
    shown = dict(board.status) | {o.title: ", ".join(_lies(o, turned, labels)) for o in board.objects}
    return {name: _message(value or "-") for name, value in shown.items()}


def _lies(shown: ObjectView, turned: str, labels: Labels) -> Iterator[str]:
    """Say how an object lies: where, under what, whose, and with which marks."""
    yield from filter(None, (shown.zone, shown.controller))
    if shown.under:
        yield labels("under", ", ".join(shown.under))
    if shown.turned:
        yield turned
    yield from shown.badges


def _message(text: str) -> dict[str, str]:
    """Return a message; braces are doubled, since single ones would be placeholders (section 3.11.5)."""
    return {"text": text.replace("{", "{{").replace("}", "}}")}
