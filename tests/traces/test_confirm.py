"""Confirming a trace: every kind of property, with a trace that shows it and one that does not."""

import pytest

from checker.system.model import Goal, Kind, State, Trace, TransitionSystem
from checker.traces import ReplayError, confirm
from tests.traces.toys import WHEEL, board, game, step, toy


def refused(system: TransitionSystem, goal: str | Goal, trace: Trace, reason: str) -> None:
    """Assert that the trace does not show the goal, for this reason."""
    with pytest.raises(ReplayError, match=reason):
        confirm(system, system.goal[goal] if isinstance(goal, str) else goal, trace)


def lamp_boards(system: TransitionSystem) -> tuple[State, ...]:
    """Return the boards with none, red, and both lamps lit, and with a dead fuse."""
    both = {"lit__red": "yes", "lit__blue": "yes"}
    return (
        board(system),
        board(system, lit__red="yes"),
        board(system, fuse="blown", **both),
        board(system, fuse="dead", **both),
    )


def test_invariant_breaks_on_the_last_board() -> None:
    system = game("lamps")
    states = lamp_boards(system)
    steps = (step(system, "light(red)"), step(system, "light(blue)"))
    assert len(confirm(system, system.goal["bright"], Trace(states[:3], steps)).boards) == 3
    refused(system, "bright", Trace(states[:2], steps[:1]), "nothing violates it")
    refused(system, "bright", Trace(states[:2], steps), "nothing violates it")


def test_step_breaks_in_the_last_step() -> None:
    system = game("lamps")
    states = lamp_boards(system)
    steps = (step(system, "light(red)"), step(system, "light(blue)"))
    confirm(system, system.goal["overload"], Trace(states[:2], steps))
    refused(system, "overload", Trace(states[:3], steps), "nothing violates it")
    refused(system, "overload", Trace(states[:1], steps[:1]), "nothing violates it")


def test_sometimes_is_reached_at_the_end() -> None:
    system = game("lamps")
    states = lamp_boards(system)
    steps = (step(system, "light(red)"), step(system, "light(blue)"), step(system, "mend", "set(fuse,dead)"))
    confirm(system, system.goal["dead"], Trace(states, steps))
    refused(system, "dead", Trace(states[:3], steps[:2]), "it is not reached")
    refused(system, "lost", Trace(states, steps), "it is not reached")


def test_atoms_of_the_step_hold_in_steps_and_atoms_of_the_board_on_boards() -> None:
    system = game("traps")
    dark, red = board(system), board(system, lamp="red")
    light = (step(system, "red"),)
    confirm(system, system.goal["lit"], Trace((dark,), light))
    refused(system, "lit", Trace((dark, red), light), "nothing violates it")
    confirm(system, system.goal["dark"], Trace((dark,), ()))
    refused(system, "dark", Trace((dark,), light), "nothing violates it")


def test_conflict_and_open_outcome() -> None:
    system = game("clash")
    edge, heads = board(system), board(system, coin="heads")
    flip, drop, spin = (step(system, name) for name in ("flip", "drop", "spin"))
    to_tails = step(system, "spin", "set(coin,tails)")
    confirm(system, system.goal["torn"], Trace((edge,), (flip,)))
    confirm(system, system.goal["open"], Trace((edge,), (spin,)))
    confirm(system, system.goal["open"], Trace((edge, heads), (drop, to_tails)))
    confirm(system, system.goal["open"], Trace((edge, heads), (drop, spin)))
    refused(system, "torn", Trace((edge,), (drop,)), "sets no fluent to two values")
    refused(system, "torn", Trace((edge, heads), (drop,)), "ends on a board")
    refused(system, "open", Trace((edge,), (flip,)), "leaves nothing open")
    refused(system, "open", Trace((edge, heads), (drop,)), "ends on a board")


def wheel_trace(system: TransitionSystem, *, closed: bool = True) -> Trace:
    """Start the wheel and let it turn round, back to the board after the start."""
    turning = tuple(board(system, wheel=str(n)) for n in (0, 1, 2))
    steps = (step(system, "start"), *(step(system, "turn") for _ in range(3)))
    return Trace((board(system), *turning, *turning[: int(closed)]), steps, loop=1)


@pytest.mark.parametrize("closed", [True, False])
def test_termination_and_response_show_a_lasso(closed: bool) -> None:
    system = game("wheel")
    trace = wheel_trace(system, closed=closed)
    confirm(system, system.goal["stops"], trace)
    confirm(system, system.goal["rest"], trace)
    refused(system, "stops", Trace(trace.states[:2], trace.steps[:1]), "does not loop")
    refused(system, "rest", Trace(trace.states[:2], trace.steps[:1]), "neither loops nor ends")


def test_a_loop_that_answers_or_is_free_shows_nothing() -> None:
    system = game("wheel")
    greased = board(system, grease="yes")
    turning = board(system, grease="yes", wheel="0")
    steps = tuple(step(system, name) for name in ("grease", "start", "stop"))
    trace = Trace((board(system), greased, turning, greased), steps, loop=1)
    refused(system, "stops", trace, r"start on the loop is not forced")
    refused(system, "rest", trace, "the loop answers it")


def test_response_may_end_where_nothing_follows() -> None:
    goals = {"rest": Kind.RESPONSE, "stops": Kind.TERMINATION}
    system = toy(WHEEL.replace("now(grease, no)", "now(grease, yes)"), goals)
    end = Trace((board(system), board(system, wheel="0")), (step(system, "start"),))
    confirm(system, system.goal["rest"], end)
    refused(system, "rest", Trace((board(system),), ()), "nothing stays unanswered")


@pytest.mark.parametrize(
    ("left", "right", "differs"),
    [("game", "game", True), ("alice", "bob", True), ("alice", "game", True), ("alice", "alice", False)],
)
def test_determinism_breaks_unless_one_player_orders(left: str, right: str, differs: bool) -> None:
    system = game("order", f"owner(left, {left}). owner(right, {right}).")
    opened = board(system, spring__left="loose", spring__right="loose")
    trace = Trace((board(system), opened), (step(system, "open"),))
    if differs:
        confirm(system, system.goal["fair"], trace)
    else:
        refused(system, "fair", trace, "order of the forced steps on the last board changes nothing")
    refused(system, "fair", Trace((board(system),), ()), "no step of the trace begins")


def test_determinism_breaks_on_an_open_outcome() -> None:
    system = game("lamps", "resolution(sure) :- occurs(light(_)), load(2).", sure=Kind.DETERMINISM)
    states = lamp_boards(system)
    steps = (step(system, "light(red)"), step(system, "light(blue)"), step(system, "mend", "set(fuse,dead)"))
    confirm(system, system.goal["sure"], Trace(states[:3], steps))
    confirm(system, system.goal["sure"], Trace(states[:3], steps[:2]))
    refused(system, "sure", Trace(states[:2], steps[:1]), "no step of the trace begins")


def test_what_is_missing_has_no_trace() -> None:
    system = game("lamps")
    goal = Goal("all", Kind.ACTIONS_REACHABLE)
    refused(system, goal, Trace((board(system),), ()), "no trace shows a property of kind actions_reachable")
