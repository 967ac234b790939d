"""Terms in words: templates, titles, and what is said where there is no template."""

import pytest
from clingo.symbol import parse_term

from checker.paths import models
from checker.pipeline import read_rules
from checker.report.words import Words, translated
from checker.rulebook.load import load_board, load_rulebook
from tests.report.hats import checked


def words(language: str = "en") -> Words:
    """Return the words of the game of hats."""
    result = checked()
    return Words(result.rulebook, result.board, language)


@pytest.mark.parametrize(
    ("term", "said"),
    [
        ("hat", "Bowler | *black*"),
        ("rex", "<i>Dog</i> (rex)"),
        ("box", "the box"),
        ("alice", "Alice"),
        ("table", "table"),
        ("7", "7"),
        ('"free text"', "free text"),
        ("(hat,alice)", "(Bowler | *black*, Alice)"),
        ("pair(hat,box)", "pair(Bowler | *black*, the box)"),
    ],
)
def test_a_value_is_said_by_template_title_or_itself(term: str, said: str) -> None:
    assert words().term(parse_term(term)) == said


def test_a_title_falls_back_to_english() -> None:
    assert words("fr").term(parse_term("fido")) == "<i>Dog</i> (fido)"
    assert words("fr").term(parse_term("hat")) == "Melon | *noir*"


def test_actions_events_badges_and_headings() -> None:
    said = words()
    worn = said.action(parse_term("wear(hat,rex)"), "Alice")
    assert worn == "Alice puts Bowler | *black* on <i>Dog</i> (rex)"
    assert said.action(parse_term("rain"), "the game") == "the game: rain"
    assert said.event(parse_term("wears(rex,hat)")) == "<i>Dog</i> (rex) wears Bowler | *black*"
    assert said.event(parse_term("wind(hat)")) == "wind(Bowler | *black*)"
    assert said.badge(parse_term("wet(hat)")) == "dripping on Bowler | *black*"
    assert said.badge(parse_term("torn")) == "torn"
    assert said.status(parse_term("weather")) == "Weather"


@pytest.mark.parametrize(
    ("fluent", "was", "value", "said"),
    [
        ("wet(hat)", "no", "yes", "Bowler | *black* was wet: no, is wet: yes"),
        ("worn(hat,rex)", "false", "true", "Bowler | *black* is on <i>Dog</i> (rex)"),
        ("worn(hat,rex)", "true", "false", "worn(Bowler | *black*, <i>Dog</i> (rex)) = false"),
        ("place", "box", "table", "place = table"),
    ],
)
def test_a_change_is_said_by_its_new_value(fluent: str, was: str, value: str, said: str) -> None:
    assert words().change(parse_term(fluent), parse_term(was), parse_term(value)) == said


def test_a_language_may_elide_before_a_vowel() -> None:
    book = load_rulebook("riftbound")
    words = Words(book, load_board(book, "first_equip"), "fr")
    assert words.term(parse_term("base(alice)")) == "base d'Alice"
    assert words.term(parse_term("base(bob)")) == "base de Bob"
    assert words.event(parse_term("attach(sword, alice)")) == "Doran's Blade doit être équipé à Alice"
    english = Words(book, load_board(book, "first_equip"), "en")
    assert english.term(parse_term("base(alice)")) == "Alice's base"


@pytest.mark.parametrize("name", ["riftbound", "riftbound@1.4", "magic"])
def test_what_is_not_modelled_is_said_in_french(name: str) -> None:
    """Assumptions of the model and reasons why clauses are out of scope."""
    book = load_rulebook(name)
    said = {source.assumption for source in read_rules(book).sources if source.assumption}
    said |= {clause.why for clause in book.version.clauses.values() if clause.status == "out_of_scope" and clause.why}
    assert len(said) > 20
    assert [text for text in sorted(said) if translated(book.words["fr"], text) == text] == []
    assert translated(book.words["en"], "no such sentence") == "no such sentence"


def test_an_effect_is_said_as_a_change_from_anything() -> None:
    assert words().effect(parse_term("set(worn(hat,rex),true)")) == "Bowler | *black* is on <i>Dog</i> (rex)"
    assert words().effect(parse_term("set(wet(hat),yes)")) == "Bowler | *black* was wet: …, is wet: yes"


def test_a_condition_is_said_apart_from_a_value() -> None:
    book = load_rulebook("riftbound")
    words = Words(book, load_board(book, "first_equip"), "en")
    assert words.condition(parse_term("at(grunt)")) == "the place of Grunt"
    assert words.term(parse_term("at(grunt)")) == "at(Grunt)"
    assert words.condition(parse_term("pool(alice,xp)")) == "Alice: XP"


@pytest.mark.parametrize(
    ("board", "gear", "english", "french"),
    [
        (
            "first_equip",
            "sword",
            "Alice activates Equip of {0}, choosing {1}, and pays from the pool",
            "Alice active Équiper de {0} en choisissant {1}, et paie avec sa réserve",
        ),
        (
            "first_ability",
            "double",
            "Alice activates Equip 2 of {0}, choosing {1}, and pays from the pool",
            "Alice active Équiper 2 de {0} en choisissant {1}, et paie avec sa réserve",
        ),
    ],
)
def test_an_ability_is_numbered_only_where_its_card_has_several(
    board: str, gear: str, english: str, french: str
) -> None:
    book = load_rulebook("riftbound")
    laid = load_board(book, board)
    unit = next(name for name in laid.objects if name != gear)
    for language, said in (("en", english), ("fr", french)):
        words = Words(book, laid, language)
        titles = (words.objects[gear], words.objects[unit])
        assert words.action(parse_term(f"equip({gear},{unit},2,plain)"), "Alice") == said.format(*titles)


@pytest.mark.parametrize(("name", "said"), [("riftbound", "exhausted"), ("magic", "tapped"), ("equip_bench", "")])
def test_a_rulebook_has_its_own_word_for_a_card_that_lies_turned(name: str, said: str) -> None:
    book = load_rulebook(str(models() / "bench" / name) if name == "equip_bench" else name)
    laid = load_board(book, book.board_names()[0])
    assert Words(book, laid, "en").turned == said
