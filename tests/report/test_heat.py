"""What is known about each clause after a run."""

from dataclasses import replace

from checker.report.heat import heat
from checker.report.model import BoardReport
from tests.report.hats import checked, document


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


def test_rulings_cite_clauses() -> None:
    from checker.rulebook.load import load_rulebook

    book = load_rulebook("riftbound")
    cited = {clause.id: clause.cited for clause in heat(book, [], "en")}
    assert set(cited) == set(book.version.clauses)
    assert any(cited.values())
    assert all(found is not None for found in cited.values())
