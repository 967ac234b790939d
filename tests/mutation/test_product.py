"""Two sets of rules side by side: the same, different after a shortest game, or different where it cannot matter."""

from __future__ import annotations

import pytest

from checker.engines.protocol import Limits
from checker.errors import InternalError
from checker.mutation import product
from checker.mutation.product import compare, same_rules
from checker.system.model import Kind, Trace, TransitionSystem
from tests.traces.toys import CHAIN, LAMPS, board, game, toy

ENGINES = pytest.mark.parametrize("engine", ["explicit", "symbolic"])


def changed(text: str, old: str, new: str) -> TransitionSystem:
    assert text.count(old) == 1
    return toy(text.replace(old, new), {})


def actions(system: TransitionSystem, trace: Trace | None) -> list[str]:
    assert trace is not None
    return [str(system.actions[step.action].name) for step in trace.steps]


@pytest.mark.parametrize("name", ["lamps", "chain", "wheel", "clash", "traps"])
def test_rules_are_the_same_as_themselves_without_a_search(name: str) -> None:
    first, second = game(name), game(name)

    assert same_rules(first, second)
    assert compare(first, second, Limits(), "explicit").searched == 0


def test_a_renamed_helper_is_the_same() -> None:
    goals = {"bright": Kind.INVARIANT, "overload": Kind.STEP}
    second = LAMPS.replace("load(", "weight(").replace("overweight(", "overload(")

    assert same_rules(toy(LAMPS, goals), toy(second, goals))


def test_reordered_rules_are_the_same() -> None:
    first, second = "%@ 1\npossible(tie(2)) :- reach(4).\n", "%@ 1\npossible(tie(3)) :- not reach(2).\n"
    goals = {"gap": Kind.INVARIANT}

    assert same_rules(toy(CHAIN + first + second, goals), toy(CHAIN + second + first, goals))


@ENGINES
def test_what_only_happens_otherwise_is_a_difference(engine: str) -> None:
    """Lighting the second lamp makes a sound on one side alone: in the second step."""
    sound = "%@ 1\nevent(hum) :- occurs(light(_)), load(N), N >= 2.\n"
    first, second = toy(LAMPS, {}), toy(LAMPS + sound, {})

    found = compare(first, second, Limits(), engine)

    assert (len(actions(first, found.trace)), found.differing) == (2, ("event(hum)",))


@ENGINES
def test_a_lost_condition_is_found_by_a_shortest_game(engine: str) -> None:
    """A lit lamp may be lit again: first seen after one lamp is lit."""
    first = toy(LAMPS, {})
    second = changed(LAMPS, "action(light(C)), now(lit(C), no)", "action(light(C))")

    found = compare(first, second, Limits(), engine)

    assert len(actions(first, found.trace)) == 1
    assert not found.same
    assert found.differing


@ENGINES
def test_another_effect_is_found_in_the_step_that_has_it(engine: str) -> None:
    first = toy(CHAIN, {})
    second = changed(CHAIN, "set(tied(K), yes) :- occurs(tie(K)).", "set(tied(K), yes) :- occurs(tie(K)), K != 3.")

    found = compare(first, second, Limits(), engine)

    assert actions(first, found.trace) == ["tie(3)"]
    assert found.differing == ("next(tied(3),no)", "next(tied(3),yes)")


@ENGINES
def test_setting_what_is_so_already_makes_no_difference(engine: str) -> None:
    first, second = toy(CHAIN, {}), toy(CHAIN + "%@ 1\nset(tied(1), yes) :- occurs(tie(2)).\n", {})

    found = compare(first, second, Limits(), engine)

    assert not same_rules(first, second)
    assert found.same
    assert found.searched == 8


@ENGINES
def test_a_guard_on_an_unreachable_board_makes_no_difference(engine: str) -> None:
    """Knot 1 is tied from the start, so its being loose is never seen."""
    first = toy(CHAIN, {})
    second = toy(CHAIN + "%@ 1\npossible(tie(2)) :- now(tied(1), no).\n", {})

    assert compare(first, second, Limits(), engine).same


@ENGINES
def test_what_a_forced_action_hides_makes_no_difference(engine: str) -> None:
    """Lighting is possible while the fuse is blown, too, but mending is forced then."""
    first = toy(LAMPS, {})
    second = toy(LAMPS + "%@ 1\npossible(light(C)) :- lamp(C), now(fuse, blown).\n", {})

    assert compare(first, second, Limits(), engine).same


@ENGINES
def test_another_decider_is_a_difference(engine: str) -> None:
    first, second = toy(CHAIN, {}), changed(CHAIN, "by(tie(K), alice)", "by(tie(K), bob)")

    found = compare(first, second, Limits(), engine)

    assert actions(first, found.trace) == []
    assert "by(tie(2),bob)" in found.differing


@ENGINES
def test_an_option_more_is_a_difference(engine: str) -> None:
    """Two lamps blow the fuse; mending it may then do something else."""
    first, second = toy(LAMPS, {}), toy(LAMPS + "outcome(blown).\n", {})

    found = compare(first, second, Limits(), engine)

    assert len(actions(first, found.trace)) == 2
    assert found.differing == ("mend",)


@ENGINES
def test_an_option_that_is_open_more_often_is_a_difference(engine: str) -> None:
    """By the first rules mending never leaves the fuse dead, since red is lit by then."""
    first = changed(LAMPS, "outcome(dead).", "outcome(dead) :- now(lit(red), no).")

    found = compare(first, toy(LAMPS, {}), Limits(), engine)

    assert len(actions(first, found.trace)) == 3
    assert found.differing == ("set(fuse,dead)",)


def test_other_boards_are_a_difference() -> None:
    second = changed(CHAIN, "initially(tied(1), yes).", "initially(tied(1), no).")

    assert not compare(toy(CHAIN, {}), second, Limits(), "explicit").same


def test_a_property_that_asks_for_something_else_is_noticed() -> None:
    goals = {"gap": Kind.INVARIANT}
    second = toy(CHAIN.replace("violated(gap) :- now(tied(4), yes)", "violated(gap) :- now(tied(3), yes)"), goals)

    assert not same_rules(toy(CHAIN, goals), second)


def test_a_game_that_shows_no_difference_is_refused() -> None:
    system = toy(CHAIN, {})

    with pytest.raises(InternalError, match="are said to differ after a game, but do not"):
        product._confirm(system, system, Trace((board(system),), ()))
