"""What is known about each clause after a run."""

from dataclasses import replace
from pathlib import Path
from shutil import copytree

from checker.report.heat import heat
from checker.report.model import BoardReport
from checker.rulebook.load import load_rulebook
from tests.report.hats import FOLDER, checked, document

RULINGS = """
[first]
title = { en = "The first head", fr = "La première tête" }
source = "made up"
status = "derived"
board = "kennel"
clauses = ["1.a"]
steps = [{ do = "wear(hat,rex)" }]

[second]
title = { en = "Both", fr = "Les deux" }
source = "made up"
status = "derived"
board = "kennel"
clauses = ["1", "1.a"]
steps = [{ do = "wear(hat,rex)" }]
"""


def boards(*dead: str) -> list[BoardReport]:
    """Return the board of hats with a question after its rules, of which those on the lines `dead` never fire."""
    (board,) = document().rulebooks[0].boards
    asked = ("main.lp:13 1", "main.lp:20 1, 1.a", "main.lp:35 2", "main.lp:33")
    fire = replace(board.properties[0], kind="rules_fire", asked=asked, dead=dead)
    return [replace(board, properties=(fire,))]


def test_a_clause_fires_if_a_rule_that_means_it_does() -> None:
    facts = {clause.id: clause.fires for clause in heat(checked().rulebook, boards("main.lp:20 1, 1.a"), "en")}
    assert facts == {"1": True, "1.a": False, "2": True, "3": None, "3.a": None}


def test_one_board_on_which_it_fires_is_enough() -> None:
    both = [*boards("main.lp:20 1, 1.a", "main.lp:35 2"), *boards("main.lp:35 2")]
    facts = {clause.id: clause.fires for clause in heat(checked().rulebook, both, "en")}
    assert facts == {"1": True, "1.a": True, "2": False, "3": None, "3.a": None}


def test_what_was_not_looked_into_is_none() -> None:
    first = heat(checked().rulebook, [], "fr")[0]
    assert (first.fires, first.needed, first.killed, first.cited) == (None, None, None, None)
    assert first.text == "Un chapeau peut être mis sur une tête."


def test_rulings_of_this_version_cite_clauses(tmp_path: Path) -> None:
    copytree(FOLDER, tmp_path / "hats")
    (tmp_path / "hats" / "rulings").mkdir()
    (tmp_path / "hats" / "rulings" / "one.toml").write_text(RULINGS, encoding="utf-8")
    cited = {clause.id: clause.cited for clause in heat(load_rulebook(str(tmp_path / "hats")), [], "en")}
    assert cited == {"1": ("second",), "1.a": ("first", "second"), "2": (), "3": (), "3.a": ()}
