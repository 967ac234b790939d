"""SARIF 2.1.0: valid by the object model generated from the official schema, and by what GitHub asks for."""

import json
from typing import Any

import pytest
from pydantic_sarif.model import StaticAnalysisResultsFormatSarifVersion210JsonSchema as Log

from checker.report.model import Document
from checker.report.sarif import to_sarif
from tests.report.hats import document
from tests.report.hostile import NASTY, hostile, long_game


def run_of(result: Document) -> dict[str, Any]:
    """Return the only run of the log."""
    (run,) = json.loads(to_sarif(result))["runs"]
    return dict(run)


@pytest.mark.parametrize("result", [document("en"), document("fr"), hostile(), long_game()])
def test_it_is_valid(result: Document) -> None:
    Log.model_validate_json(to_sarif(result))


@pytest.mark.parametrize("wrong", [{"version": "2.0.0"}, {"runs": [{}]}, {"extra": 1}])
def test_the_model_refuses_what_is_wrong(wrong: dict[str, Any]) -> None:
    plain = json.loads(to_sarif(document())) | wrong
    with pytest.raises(ValueError, match="validation error"):
        Log.model_validate(plain)


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
    assert flow["message"]["text"] == "It comes straight from steps 1, 3. Step 2 plays no part in it."


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
