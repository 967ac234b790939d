"""What the end of a game rests on: hand-made games with known reasons, and games that stay games without the rest."""

from __future__ import annotations

from dataclasses import replace

import pytest

from checker.system.model import Goal, Kind, State, Step, Trace, TransitionSystem
from checker.traces import confirm, replay
from checker.traces.because import Because, because
from checker.traces.evaluate import evaluator
from tests.traces.toys import board, game, step, toy

DOORS = """
% A key opens a door and a lamp may be switched meanwhile; a bell rings by itself once the door is open.
fluent(key, (yes; no)).    initially(key, no).
fluent(door, (open; shut)).    initially(door, shut).
fluent(lamp, (on; off)).    initially(lamp, off).
fluent(bell, (rung; still)).    initially(bell, still).
fluent(stone(S), (here; gone)) :- stone(S).    initially(stone(S), here) :- stone(S).
stone(1..3).
action((take; open; close; lamp; ring)).    by(take, a). by(open, a). by(close, a). by(lamp, a). by(ring, game).
action(throw(S)) :- stone(S).    by(throw(S), a) :- stone(S).
%@ 1
possible(take) :- now(key, no).
%@ 1
possible(open) :- now(key, yes), now(door, shut).
%@ 1
possible(close) :- now(door, open).
%@ 1
possible(lamp) :- now(lamp, off).
%@ 1
possible(ring) :- now(door, open), now(bell, still).
%@ 1
forced(ring) :- now(door, open), now(bell, still).
%@ 1
possible(throw(S)) :- now(stone(S), here).
%@ 2
set(key, yes) :- occurs(take).
%@ 2
set(door, open) :- occurs(open).
%@ 2
set(door, shut) :- occurs(close).
%@ 2
set(lamp, on) :- occurs(lamp).
%@ 2
set(bell, rung) :- occurs(ring).
%@ 2
set(stone(S), gone) :- occurs(throw(S)).
light :- now(lamp, on).
light :- now(door, open), now(bell, rung).
few :- 2 { now(stone(S), gone) }.
dark :- not light.
violated(opened) :- now(door, open).
violated(lit) :- light.
violated(few) :- few.
violated(again) :- dark, now(bell, rung).
violated(rung) :- occurs(ring), now(lamp, on).
"""

GOALS = {
    "opened": Kind.INVARIANT,
    "lit": Kind.INVARIANT,
    "few": Kind.INVARIANT,
    "again": Kind.INVARIANT,
    "rung": Kind.STEP,
}


def played(system: TransitionSystem, *actions: str, step_only: bool = False) -> Trace:
    """Return the game in which these actions occur; without the board after the last if `step_only`."""
    rules = evaluator(system)
    states: list[State] = [board(system)]
    steps: list[Step] = []
    for name in actions:
        taken = step(system, name)
        steps.append(taken)
        states.append(next(after for found, after in rules.successors(states[-1]) if found == taken))
    return Trace(tuple(states[:-1] if step_only else states), tuple(steps))


def reasons(name: str, *actions: str, step_only: bool = False) -> Because:
    """Return what the end of a game of doors rests on."""
    system = toy(DOORS, GOALS)
    goal = system.goal[name]
    return because(system, goal, confirm(system, goal, played(system, *actions, step_only=step_only)))


def test_a_step_rests_on_what_made_it_legal() -> None:
    found = reasons("opened", "lamp", "take", "throw(1)", "open")
    assert found == Because(((), (), (), (2,)), (4,), frozenset({2, 4}), changes=((), (), (), ((2, 2),)))


def test_a_forced_step_in_between_need_not_matter() -> None:
    found = reasons("opened", "take", "open", "ring", "close", "open")
    assert found.end == (5,)
    assert found.matters == {1, 2, 4, 5}
    assert found.steps == ((), (1,), (), (2,), (1, 4))


def test_of_two_reasons_the_one_with_fewer_steps_is_given() -> None:
    assert reasons("lit", "take", "open", "ring", "lamp").matters == {4}
    assert reasons("lit", "take", "open", "ring").matters == {1, 2, 3}


def test_of_many_only_enough_are_counted() -> None:
    assert reasons("few", "throw(1)", "lamp", "throw(3)").matters == {1, 3}
    assert len(reasons("few", "throw(1)", "throw(2)", "throw(3)").matters) == 2


def test_what_does_not_hold_rests_on_what_ended_it() -> None:
    found = reasons("again", "take", "open", "ring", "close")
    assert found.end == (3, 4)
    assert found.matters == {1, 2, 3, 4}


def test_a_fault_of_a_step_rests_on_that_step() -> None:
    found = reasons("rung", "throw(2)", "lamp", "take", "open", "ring", step_only=True)
    assert found.end == (5,)
    assert found.matters == {2, 3, 4, 5}
    assert found.steps[4] == (2, 4)


def test_a_conflict_an_open_outcome_and_a_recursive_rule() -> None:
    clash = game("clash")
    torn = Trace((board(clash), board(clash, coin="heads")), (step(clash, "drop"), step(clash, "flip")))
    assert because(clash, clash.goal["torn"], confirm(clash, clash.goal["torn"], torn)).matters == {2}
    spun = replace(torn, steps=(step(clash, "drop"), step(clash, "spin")))
    assert because(clash, clash.goal["open"], confirm(clash, clash.goal["open"], spun)).end == (2,)
    rope = game("chain")
    gap = Trace(
        (board(rope), board(rope, tied__2="yes"), board(rope, tied__2="yes", tied__4="yes")),
        (step(rope, "tie(2)"), step(rope, "tie(4)")),
    )
    assert because(rope, rope.goal["gap"], confirm(rope, rope.goal["gap"], gap)).matters == {2}
    taut = played(rope, "tie(4)", "tie(2)", "tie(3)")
    assert because(rope, rope.goal["taut"], replay(rope, taut)).matters == {1, 2, 3}


def test_a_chosen_outcome_is_a_reason_of_its_step_alone() -> None:
    lamps = game("lamps")
    states = (
        board(lamps),
        board(lamps, lit__red="yes"),
        board(lamps, lit__red="yes", lit__blue="yes", fuse="blown"),
        board(lamps, lit__red="yes", lit__blue="yes", fuse="dead"),
    )
    steps = (step(lamps, "light(red)"), step(lamps, "light(blue)"), step(lamps, "mend", "set(fuse,dead)"))
    found = because(lamps, lamps.goal["dead"], replay(lamps, Trace(states, steps)))
    assert (found.end, found.steps) == ((3,), ((), (1,), (2,)))


def test_a_lasso_rests_on_its_loop_and_what_started_it() -> None:
    wheel = game("wheel")
    states = (board(wheel), *(board(wheel, wheel=str(n)) for n in (0, 1, 2)))
    turn = step(wheel, "turn")
    trace = Trace((*states, states[1]), (step(wheel, "start"), turn, turn, turn), 1)
    for name in ("stops", "rest"):
        found = because(wheel, wheel.goal[name], confirm(wheel, wheel.goal[name], trace))
        assert found.matters == {1, 2, 3, 4}


@pytest.mark.parametrize("name", ["opened", "lit", "few"])
def test_without_the_other_steps_the_game_still_shows_it(name: str) -> None:
    free = DOORS.replace("forced(ring) :- now(door, open)", "forced(ring) :- now(key, no), now(door, open)")
    system = toy(free, GOALS)
    goal = system.goal[name]
    games = list(_games(system, goal, 4))
    assert len(games) > 50
    shorter = 0
    for actions in games:
        found = because(system, goal, confirm(system, goal, played(system, *actions)))
        kept = [action for number, action in enumerate(actions, start=1) if number in found.matters]
        confirm(system, goal, played(system, *kept))
        shorter += len(kept) < len(actions)
    assert shorter > 25


def _games(system: TransitionSystem, goal: Goal, depth: int) -> list[tuple[str, ...]]:
    """Return all games of `depth` steps whose last board breaks `goal`."""
    rules = evaluator(system)
    waiting: list[tuple[State, tuple[str, ...]]] = [(board(system), ())]
    for _ in range(depth):
        waiting = [
            (after, (*names, str(system.actions[taken.action].name)))
            for state, names in waiting
            for taken, after in rules.successors(state)
        ]
    return [names for state, names in waiting if any(atom in rules.evaluate(state) for atom, _ in goal.violated)]


def test_what_the_last_step_left_as_it_was_and_the_end_rests_on() -> None:
    """The gear that does not go along belongs to the fault; the lamp, which nothing asks about, does not."""
    rules = """
    place(1..2).
    fluent(unit, P) :- place(P).    initially(unit, 1).    fluent(gear, P) :- place(P).    initially(gear, 1).
    fluent(worn, (yes; no)).    initially(worn, no).    fluent(lamp, (on; off)).    initially(lamp, off).
    action((wear; walk)).    by(wear, a). by(walk, a).
    %@ 1
    possible(wear) :- now(worn, no).
    %@ 1
    possible(walk) :- now(unit, 1).
    %@ 2
    set(worn, yes) :- occurs(wear).
    %@ 2
    set(unit, 2) :- occurs(walk).
    violated(apart) :- now(worn, yes), now(unit, P), not now(gear, P), now(gear, Q), place(Q), P != Q.
    violated(left) :- occurs(walk), now(worn, yes), now(gear, 1).
    """
    system = toy(rules, {"apart": Kind.INVARIANT, "left": Kind.STEP})
    names = [str(variable.name) for variable in system.variables]
    steps = (step(system, "wear"), step(system, "walk"))
    states = (board(system), board(system, worn="yes"), board(system, worn="yes", unit="2"))
    for name, shown in (("apart", states), ("left", states[:2])):
        found = because(system, system.goal[name], confirm(system, system.goal[name], Trace(shown, steps)))
        stays = {names[index]: str(system.variables[index].domain[value]) for index, value in found.stays}
        assert stays == {"gear": "1", "worn": "yes"}
