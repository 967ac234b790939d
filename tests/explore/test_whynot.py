"""Why an action may not be taken, read off the ground rules."""

import re

import pytest

from checker.explore.say import Speaker
from checker.explore.table import Table, lay
from checker.explore.whynot import why_not
from tests.explore.lamps import lamps

SLOT = re.compile(r"\{(\d)")

DOOR = """
% A door with a lock: opened by whoever holds the key, unless it is barred, and never by the wall.
fluent(key, (alice; bob; nobody)).    initially(key, nobody).
fluent(bar(N), (up; down)) :- side(N).    initially(bar(N), down) :- side(N).
side(1..3).
action((open; ring; stare; push)).    by(open, alice). by(ring, alice). by(stare, alice). by(push, alice).
holder(P) :- now(key, P), P != nobody.
ready :- holder(alice), steady.
ready :- holder(bob), steady, now(bar(1), up).
steady :- 2 { now(bar(N), up) : side(N) }.
barred :- now(bar(N), down), side(N), N < 3.
%@ 1
possible(open) :- ready, not barred.
%@ 2
possible(ring) :- now(bar(2), up).
%@ 3
possible(ring) :- not now(bar(3), down).
%@ 4
possible(stare) :- side(7).
%@ 4
possible(push) :- now(key, nobody).
"""


def told(table: Table, *tokens: str) -> dict[str, list[str]]:
    """Return the lines of each reason, indented, with their clauses."""
    speaker = Speaker(table)
    refusals = [speaker.refusal(why) for why in why_not(table, table.position(1, tokens))]
    return {
        r.term: [f"{'  ' * x.depth}{x.text} {[c.id for c in x.clauses]}" for x in r.lines] for r in refusals
    }  # fmt: skip


def test_every_illegal_action_has_its_reason() -> None:
    with lamps() as table:
        assert told(table) == {"mend": ["A rule would allow it, but: ['2']", "  fuse should be blown, but is whole []"]}
        assert told(table, "light(red)") == {
            "light(red)": ["A rule would allow it, but: ['1']", "  lit(red) should be no, but is yes []"],
            "mend": ["A rule would allow it, but: ['2']", "  fuse should be blown, but is whole []"],
        }


def test_a_forced_action_comes_first() -> None:
    rules = "fluent(f, (on; off)). initially(f, on). action((a; b)). by(a, alice). by(b, game).\n"
    rules += "%@ 1\npossible(a) :- now(f, on).\n%@ 2\npossible(b) :- now(f, on).\n%@ 2\nforced(b) :- now(f, on)."
    with lamps(rules, torn="conflict") as table:
        assert told(table) == {"a": ["A forced action comes first: someone: b. []"]}


def test_what_fails_is_traced_back_along_the_rule_closest_to_holding() -> None:
    with lamps(DOOR, torn="conflict") as table:
        found = told(table)
    assert found["open"] == [
        "A rule would allow it, but: ['1']",
        "  ready: does not hold (or 1 other way) []",
        "    holder(alice): does not hold []",
        "      key should be alice, but is nobody []",
        "    steady: does not hold []",
        "      a count reaches 0 of the 2 it needs []",
        "  barred: holds, but must not, since bar(1) is down []",
    ]


def test_every_rule_that_would_allow_it_is_told() -> None:
    with lamps(DOOR, torn="conflict") as table:
        found = told(table)
    assert found["ring"] == [
        "A rule would allow it, but: ['2']",
        "  bar(2) should be up, but is down []",
        "A rule would allow it, but: ['3']",
        "  bar(3) must not be down []",
    ]
    assert found["stare"] == ["No rule ever allows it on this board. []"]
    assert set(found) == {"open", "ring", "stare"}


def test_a_condition_is_said_in_the_words_of_the_game() -> None:
    """Fluents and helper predicates, where the words file has them."""
    found = told(lay("riftbound", "first_equip", {}, "en"), "play(grunt,base(alice))")
    assert found["play(grunt,base(alice))"][1:] == ["  the place of Grunt should be hand, but is Alice's base []"]
    assert found["pass"][1].strip() == "something is on the chain: does not hold ['309']"


@pytest.mark.parametrize("board", ["auras", "mattock", "phasing", "reconfigure"])
def test_every_condition_of_magic_has_words(board: str) -> None:
    """What a few random games on a board ask for, in English and French, with the same slots."""
    table = lay("magic", board, {}, "en")
    games = (table.walk(table.begin(), steps, steps) for steps in range(8))
    reasons = (why for game in games for why in why_not(table, game))
    waiting = [missing for why in reasons for way in why.ways for missing in way.missing]
    found: set[str] = set()
    while waiting:
        missing = waiting.pop()
        waiting += missing.below
        symbols = [*missing.grounds, *([missing.symbol] if missing.symbol else [])]
        asked = [symbol.arguments[0] if symbol.match("now", 2) else symbol for symbol in symbols]
        found |= {f"{symbol.name}/{len(symbol.arguments)}" for symbol in asked}
    english, french = (table.book.words[language]["condition"] for language in ("en", "fr"))
    assert len(found) > 15
    assert sorted(found - english.keys()) == []
    assert {name: sorted(SLOT.findall(text)) for name, text in english.items()} == {
        name: sorted(SLOT.findall(text)) for name, text in french.items()
    }


def test_what_players_decide_comes_before_what_only_the_game_does() -> None:
    found = list(told(lay("riftbound", "first_equip", {}, "en")))
    assert found[:2] == ["pass", "move(grunt,base(alice))"]
    assert found[-2:] == ["cleanup(recall)", "resolve(equip(sword,grunt,alice))"]
