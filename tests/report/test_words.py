"""Terms in words: templates, titles, and what is said where there is no template."""

import pytest
from clingo.symbol import parse_term

from checker.report.words import Words
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
