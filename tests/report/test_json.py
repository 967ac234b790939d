"""Reports as JSON: valid by the published schema, complete, and the same from run to run but for `run`."""

import json
from dataclasses import MISSING, fields, replace
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from checker.paths import PACKAGE
from checker.report import model
from checker.report.json_ import to_json
from tests.report.hats import document

SCHEMA: dict[str, Any] = json.loads((PACKAGE / "schemas" / "result.schema.json").read_text(encoding="utf-8"))


def plain(result: model.Document) -> dict[str, Any]:
    """Return the JSON document, read back."""
    read: dict[str, Any] = json.loads(to_json(result))
    return read


@pytest.mark.parametrize("language", ["en", "fr"])
def test_the_document_is_valid(language: str) -> None:
    Draft202012Validator.check_schema(SCHEMA)
    Draft202012Validator(SCHEMA).validate(plain(document(language)))


@pytest.mark.parametrize(
    ("key", "value"),
    [("format", 2), ("language", "english"), ("rulebooks", {}), ("extra", 1), ("run", {})],
)
def test_the_schema_refuses_what_is_wrong(key: str, value: object) -> None:
    wrong = plain(document()) | {key: value}
    assert not Draft202012Validator(SCHEMA).is_valid(wrong)


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("rulebook", model.RulebookReport),
        ("reading", model.ReadingReport),
        ("board", model.BoardReport),
        ("counts", model.CountsReport),
        ("property", model.PropertyReport),
        ("others", model.Others),
        ("other", model.OtherGame),
        ("smaller", model.SmallerBoard),
        ("graph", model.GraphView),
        ("node", model.NodeView),
        ("edge", model.EdgeView),
        ("cited", model.Cited),
        ("game", model.Game),
        ("step", model.StepView),
        ("change", model.ChangeView),
        ("drawn", model.BoardView),
        ("object", model.ObjectView),
        ("run", model.RunFacts),
    ],
)
def test_the_schema_has_every_field(name: str, kind: type[Any]) -> None:
    described = SCHEMA["$defs"][name]
    expected = {field.name for field in fields(kind)}
    if name == "board":
        expected -= {"seconds", "details"}
    if name == "run":
        expected |= {"boards"}
    added = {field.name for field in fields(kind) if field.default is not MISSING} - {"details"}
    assert set(described["properties"]) == expected
    assert set(described["required"]) == expected - added


def test_only_run_differs_from_run_to_run() -> None:
    first = document()
    board = replace(first.rulebooks[0].boards[0], seconds=99.0, details=(("nodes", "7"),))
    run = replace(first.run, started="later", seconds=100.0)
    second = replace(first, rulebooks=(replace(first.rulebooks[0], boards=(board,)),), run=run)
    one, two = plain(first), plain(second)
    assert one.pop("run") != two["run"]
    assert two.pop("run")["boards"] == [
        {"rulebook": "hats", "board": "kennel", "seconds": 99.0, "details": {"nodes": "7"}}
    ]
    assert one == two


def test_a_violation_carries_its_game() -> None:
    (board,) = plain(document())["rulebooks"][0]["boards"]
    broken = board["properties"][0]
    assert (broken["name"], broken["status"], len(broken["game"]["steps"])) == ("one_head", "violated", 3)
    assert [step["forced"] for step in broken["game"]["steps"]] == [False, True, False]
    hat = next(o for o in broken["game"]["steps"][2]["board"]["objects"] if o["name"] == "hat")
    assert hat["under"] == ["<i>Dog</i> (fido)", "<i>Dog</i> (rex)"]
    assert board["readings"] == {"order": "ranked"}
