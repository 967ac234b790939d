"""`coverage`: what is known of each clause, and the bounds that a rulebook must keep."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from checker.cli import cli
from tests.toybook import CLAUSES, RULEBOOK, RULES, write_toy

MORE = """
[[properties]]
name = "every_rule"
kind = "rules_fire"
title = { en = "Every rule fires." }
"""
THREE = CLAUSES + (
    '\n[2]\ntext = { en = "Never." }\nstatus = "encoded"\n'
    '\n[3]\ntext = { en = "Light." }\nstatus = "definition"\nwhy = "a name"\n'
)
NEVER = "%@ 2\nset(lit(O), no) :- occurs(light(O)), now(lit(O), yes).\n"
RULING = """\
[lit]
title.en = "A lamp can be lit"
source = "the test"
status = "derived"
board = "one"

[[lit.steps]]
do = "light(lamp)"
"""


def run(folder: Path, *more: str, rules: str = RULES + NEVER) -> Result:
    write_toy(folder, rules=rules, clauses=THREE, rulebook=RULEBOOK + MORE)
    (folder / "rulings").mkdir(exist_ok=True)
    (folder / "rulings" / "all.toml").write_text(RULING, encoding="utf-8")
    return CliRunner().invoke(cli, ["coverage", str(folder), "--fresh", *more], standalone_mode=False)


def test_clauses_are_counted_and_gaps_named(tmp_path: Path) -> None:
    said = run(tmp_path, "--all").stdout
    assert "all             3        2     1      1        0           1             0\n" in said
    assert "[2 of 2 rules fire; cited by never_on, lit]" in said
    assert "gap: 2 never fires: Never.\n" in said
    assert said.endswith("1 gaps in 2 encoded clauses\n")


BROKEN = "violated(never_on, O) :- now(lit(O), yes).\n"
ONE_OF_TWO = (
    "violated(never_on, O) :- lamp(O), now(lit(O), yes), gone(O).\ngone(O) :- now(lit(O), yes), now(lit(O), no).\n"
)
BOUND = "violated(never_on, O) :- now(lit(O), V), V != no, not now(lit(O), no), 1 < #count { L : now(lit(L), V) }.\n"
TWO_RULES = ONE_OF_TWO.replace("gone(O) :-", ONE_OF_TWO.partition("gone(O) :-")[0] + "gone(O) :-")
PREMISES: dict[str, tuple[str, list[tuple[int, str]], int]] = {
    "without the one condition nothing is left": (BROKEN, [], 0),
    "one is never met": (ONE_OF_TWO, [(10, "now(lit(O),yes)")], 2),
    "the same of two rules is told apart": (TWO_RULES, [(10, "now(lit(O),yes)"), (11, "now(lit(O),yes)")], 4),
    "what is not bound goes as well": (BOUND, [(10, "now(lit(O),V)"), (10, "not now(lit(O),no)")], 3),
}


@pytest.mark.parametrize("case", PREMISES)
def test_premises(tmp_path: Path, case: str) -> None:
    """That lamps are lit and gone is one condition short of being seen; that they are gone never is."""
    rule, never, asked = PREMISES[case]
    said = run(tmp_path, rules=RULES.replace(BROKEN, rule) + NEVER).stdout
    assert [line for line in said.splitlines() if line.startswith("premise")] == [
        f"premise never met: never_on ({tmp_path}/main.lp:{line}): everything but {literal}" for line, literal in never
    ]
    told = ": no board or step checked lacks only the condition named to break the property" if never else ""
    assert f"{len(never)} of {asked} premises of properties never met{told}\n" in said


FIRES = "1 of 2 encoded clauses fire on a board, 50%; expected at least "
CITED = "1 of 2 encoded clauses are played by a ruling, 50%; expected at least "
GATES: list[tuple[list[str], list[str]]] = [
    ([], [FIRES + "100%", CITED + "100%"]),
    (["--min-fires", "50"], []),
    (["--min-fires", "50.5"], [FIRES + "50.5%"]),
    (["--min-cited", "60", "--min-fires", "40"], [CITED + "60%"]),
    (["--min-cited", "60", "--min-fires", "60"], [FIRES + "60%", CITED + "60%"]),
]


@pytest.mark.parametrize(("bounds", "sentences"), GATES)
def test_gate(tmp_path: Path, bounds: list[str], sentences: list[str]) -> None:
    result = run(tmp_path, *bounds)
    assert result.return_value == (1 if sentences else 0)
    assert [line for line in result.stderr.splitlines() if "encoded" in line] == sentences


def test_gate_on_premises(tmp_path: Path) -> None:
    rules = RULES.replace(BROKEN, ONE_OF_TWO) + NEVER
    bounds = ["--min-fires", "0", "--min-premises"]
    passed, failed = (run(tmp_path, *bounds, least, rules=rules) for least in ("50", "51"))
    assert (passed.return_value, failed.return_value) == (0, 1)
    assert failed.stderr == "1 of 2 premises of properties are met on a board, 50%; expected at least 51%\n"
