from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from click.testing import CliRunner

from checker.cli import cli
from checker.compare.readings import Spoken
from checker.compare.sides import Side, opened
from checker.errors import InputError
from tests.toybook import BOARD, RULEBOOK, RULES, write_toy

MOOD = '\n[readings.mood]\nvalues = ["calm", "wild"]\ndefault = "calm"\nquestion = { en = "How calm?" }\n'
LIGHTS_IF = "set(lit(O), yes) :- reading(speed, fast),"


def decided(place: Path, *more: str) -> dict[str, Any]:
    arguments = ["readings", str(place), "-f", "json", "--fresh", "--jobs", "1", *more]
    result = CliRunner().invoke(cli, arguments, standalone_mode=False)
    assert result.exception is None, result.exception
    assert result.return_value == 0
    found: dict[str, Any] = json.loads(result.stdout)
    return found


def test_a_value_that_breaks_a_property_is_not_recommended(tmp_path: Path) -> None:
    place = write_toy(tmp_path, rules=RULES.replace("set(lit(O), yes) :-", LIGHTS_IF))
    found = decided(place)
    slow, fast = found["summaries"]
    assert (slow["choice"], slow["taken"], slow["matters"]) == ([["speed", "slow"]], True, [])
    assert (fast["taken"], fast["matters"], fast["breaks"]) == (False, ["one"], ["never_on on one"])
    assert fast["parting"]["steps"] == ["alice: light(lamp)"]
    assert fast["parting"]["ending"] == ["lit(lamp) = no (left), lit(lamp) = yes (right)"]
    assert found["recommended"] == [["speed", "slow"]]


def test_a_value_that_mends_is_preferred_to_the_one_taken(tmp_path: Path) -> None:
    rules = RULES.replace("set(lit(O), yes) :-", LIGHTS_IF)
    place = write_toy(tmp_path, rules=rules, rulebook=RULEBOOK.replace('default = "slow"', 'default = "fast"'))
    found = decided(place)
    assert found["summaries"][0]["keeps"] == ["never_on on one"]
    assert found["recommended"] == [["speed", "slow"]]
    assert found["note"] == "together they break nothing that is kept otherwise; they mend never_on on one"


def test_readings_that_change_nothing_are_equivalent(tmp_path: Path) -> None:
    found = decided(write_toy(tmp_path, rulebook=RULEBOOK + MOOD))
    assert [summary["matters"] for summary in found["summaries"]] == [[], [], [], []]


def test_two_readings_that_break_something_only_together(tmp_path: Path) -> None:
    both = "set(lit(O), yes) :- reading(speed, fast), reading(mood, wild),"
    rules = RULES.replace("set(lit(O), yes) :-", both)
    place = write_toy(tmp_path, rules=rules, rulebook=RULEBOOK + MOOD)
    alone, paired = decided(place), decided(place, "--pairs")
    assert [s["breaks"] for s in alone["summaries"]] == [[], [], [], []]
    assert [s["breaks"] for s in paired["summaries"]] == [[], [], [], []]
    (pair,) = paired["pairs"]
    assert (pair["choice"], pair["breaks"]) == ([["speed", "fast"], ["mood", "wild"]], ["never_on on one"])
    assert (alone["pairs_asked"], paired["pairs_asked"]) == (0, 1)


def test_a_reading_of_what_only_another_one_allows_is_looked_at_with_it(tmp_path: Path) -> None:
    """One reading brings an action, or a value, about; the other says what then happens, and alone nothing."""
    may = "action(smash(O)) :- lamp(O), reading(speed, fast).\nby(smash(O), bob) :- action(smash(O)).\n"
    may += "%@ 1\npossible(smash(O)) :- action(smash(O)).\n%@ 1\nset(lit(O), no) :- occurs(smash(O)).\n"
    does = "violated(never_on, O) :- occurs(smash(O)), reading(mood, wild).\n"
    value = "fluent(lit(O), glows) :- lamp(O), reading(speed, fast).\n%@ 1\n"
    value += "set(lit(O), glows) :- occurs(light(O)), lamp(O), reading(speed, fast).\n"
    glows = "violated(never_on, O) :- now(lit(O), glows), reading(mood, wild).\n"
    quiet = RULES.replace("set(lit(O), yes) :-", "set(lit(O), yes) :- reading(speed, slow),")
    quiet = quiet.removesuffix("violated(never_on, O) :- now(lit(O), yes).\n")
    assert "violated" not in quiet
    step = RULEBOOK.replace('kind = "invariant"', 'kind = "step"')
    for rules, book in ((quiet + may + does, step), (quiet + value + glows, RULEBOOK)):
        found = decided(write_toy(tmp_path / str(len(rules)), rules=rules, rulebook=book + MOOD), "--pairs")
        assert [s["breaks"] for s in found["summaries"]] == [[], [], [], []]
        (pair,) = found["pairs"]
        assert (pair["choice"], pair["breaks"]) == ([["speed", "fast"], ["mood", "wild"]], ["never_on on one"])


def test_what_one_of_two_readings_does_alone_is_not_told_of_both(tmp_path: Path) -> None:
    rules = RULES.replace("set(lit(O), yes) :-", LIGHTS_IF) + "mad(O) :- object(O), reading(mood, wild).\n"
    rules += "violated(never_on, O) :- mad(O), now(lit(O), no).\n"
    found = decided(write_toy(tmp_path, rules=rules, rulebook=RULEBOOK + MOOD), "--pairs")
    assert [s["breaks"] for s in found["summaries"]] == [[], ["never_on on one"], [], ["never_on on one"]]
    assert (found["pairs"], found["pairs_asked"]) == ([], 1)


def test_a_reading_without_rules_on_a_board_is_not_ground_there(tmp_path: Path) -> None:
    """A rule speaks of one reading, and only of broken things, of which one board has one."""
    rules = RULES + "%@ 1\nset(lit(O), no) :- occurs(light(O)), object(O, broken, yes), reading(mood, wild).\n"
    place = write_toy(tmp_path, rules=rules, rulebook=RULEBOOK + MOOD)
    (place / "boards" / "two.toml").write_text(BOARD + 'broken = "yes"\n', encoding="utf-8")
    side = opened(Side("", str(place)))
    assert [Spoken(side, side.board(name)).names for name in ("one", "two")] == [frozenset(), frozenset({"mood"})]


def test_without_a_board_nothing_is_recommended(tmp_path: Path) -> None:
    place = write_toy(tmp_path)
    (place / "boards" / "one.toml").unlink()
    result = CliRunner().invoke(cli, ["readings", str(place)], standalone_mode=False)
    assert isinstance(result.exception, InputError)
    assert str(result.exception) == "toy has no board; name one with --board"


def test_a_language_without_texts_is_refused(tmp_path: Path) -> None:
    result = CliRunner().invoke(cli, ["readings", str(write_toy(tmp_path)), "--lang", "fr"], standalone_mode=False)
    assert isinstance(result.exception, InputError)
    assert str(result.exception) == 'toy is not told in "fr"; expected one of en'


def test_the_table_for_readers(tmp_path: Path) -> None:
    place = write_toy(tmp_path, rules=RULES.replace("set(lit(O), yes) :-", LIGHTS_IF), rulebook=RULEBOOK + MOOD)
    arguments = ["readings", str(place), "-f", "markdown", "--pairs", "--fresh", "--jobs", "1"]
    said = CliRunner().invoke(cli, arguments, standalone_mode=False).stdout
    assert [line for line in said.splitlines() if line.startswith("| ")] == [
        "| reading | value | other rules on | breaks | mends | told apart on |",
        "| speed | slow (taken) | none |  |  | nothing |",
        "| speed | fast | 1 board | never_on (one) |  | one, 1 step |",
        "| mood | calm (taken) | none |  |  | nothing |",
        "| mood | wild | none |  |  | nothing |",
    ]
    assert "Recommended: `speed=slow mood=calm`\n" in said
    assert "1 pair of values; none break or mend together what neither does alone.\n" in said
    assert "    1. alice: light(lamp)\n" in said


def test_values_that_mend_alone_but_not_together_are_not_recommended_together(tmp_path: Path) -> None:
    """The lamp is lit if both readings are as they are, or if both are not."""
    either = "\n".join(
        f"%@ 1\nset(lit(O), yes) :- occurs(light(O)), reading(speed, {s}), reading(mood, {m})."
        for s, m in (("slow", "calm"), ("fast", "wild"))
    )
    rules = RULES.replace("%@ 1\nset(lit(O), yes) :- occurs(light(O)).", either)
    found = decided(write_toy(tmp_path, rules=rules, rulebook=RULEBOOK + MOOD))
    assert [s["keeps"] for s in found["summaries"]] == [[], ["never_on on one"], [], ["never_on on one"]]
    assert found["recommended"] == [["speed", "fast"], ["mood", "calm"]]


def test_nothing_is_recommended_where_every_value_breaks_something(tmp_path: Path) -> None:
    """Two boards, each with a value of its own that keeps the lamp off."""
    rules = RULES.replace("set(lit(O), yes) :-", "set(lit(O), yes) :- reading(speed, S), board(bad, S),")
    place = write_toy(tmp_path, rules=rules, board=BOARD + '[facts]\nbad = "slow"\n[readings]\nspeed = "fast"\n')
    other = BOARD + '[facts]\nbad = "fast"\n[readings]\nspeed = "slow"\n'
    (place / "boards" / "two.toml").write_text(other, encoding="utf-8")
    found = decided(place)
    assert [s["breaks"] for s in found["summaries"]] == [["never_on on one"], ["never_on on two"]]
    assert found["recommended"] is None
    assert found["note"].startswith("no set is recommended")
