"""Objects that may be exchanged: by facts, variables, actions and rules, those of unnamed atoms included."""

from __future__ import annotations

import pytest
from clingo.symbol import Function, parse_term

from checker.system.model import Kind
from checker.system.symmetry import images, interchangeable
from tests.traces.toys import toy

OBJECTS = ("object(a)", "object(b)", "object(c)")

LAMPS = """
fluent(on(D), (no; yes)) :- object(D).   initially(on(D), no) :- object(D).
action(light(D)) :- object(D).           by(light(D), alice) :- object(D).
%@ 1
possible(light(D)) :- object(D), now(on(D), no).
%@ 1
set(on(D), yes) :- occurs(light(D)).
"""


def groups(extra: str, facts: tuple[str, ...] = ()) -> list[list[str]]:
    """Return the groups of the lamps with more rules and facts."""
    return [list(map(str, group)) for group in interchangeable(toy(LAMPS + extra, {}, OBJECTS + facts))]


@pytest.mark.parametrize(
    ("extra", "expected"),
    [
        ("", [["a", "b", "c"]]),
        ("heavy(b).", [["a", "c"]]),
        ("initially(on(b), yes).", [["a", "c"]]),
        ("by(light(a), bob).", [["b", "c"]]),
        ("fluent(on(c), broken).", [["a", "b"]]),
        ("%@ 1\nforced(light(a)) :- now(on(b), yes), now(on(a), no).", []),
        ("bright :- 2 { now(on(D), yes) : object(D) }.  view_badge(b, dim) :- bright.", [["a", "c"]]),
        ("bright :- 2 { now(on(a), yes); now(on(b), yes) }.", [["a", "b"]]),
        ("near(a, b). near(b, c). near(c, a).", []),
    ],
)
def test_what_tells_objects_apart(extra: str, expected: list[list[str]]) -> None:
    assert groups(extra) == expected


def test_a_fact_of_the_board_tells_objects_apart() -> None:
    assert groups("", ("object(c,card,lantern)",)) == [["a", "b"]]
    assert groups("", ("board(first,b)",)) == [["a", "c"]]


def test_shipped_boards_have_such_cards() -> None:
    from checker.pipeline import load_system

    found = interchangeable(load_system("riftbound", "three_songs"))
    assert [list(map(str, group)) for group in found] == [["first", "second", "third"]]


def test_images_exchange_what_is_named() -> None:
    lamps = tuple(map(Function, "abc"))
    found = images([parse_term("on(a)"), parse_term("near(a,b)")], (lamps,))
    assert len(found) == 6
    assert frozenset({parse_term("on(c)"), parse_term("near(c,a)")}) in found
    assert images([parse_term("on(d)")], (lamps,)) == {frozenset({parse_term("on(d)")})}


def test_a_property_about_one_object_tells_it_apart() -> None:
    system = toy(LAMPS + "violated(dark, a) :- now(on(a), yes).", {"dark": Kind.INVARIANT}, OBJECTS)
    assert [list(map(str, group)) for group in interchangeable(system)] == [["b", "c"]]
