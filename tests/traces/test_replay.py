"""Replaying a trace: what each step shows, and every way in which a trace can be wrong."""

from dataclasses import replace

import pytest

from checker.system.model import State, Step, Trace, TransitionSystem
from checker.traces import ReplayError, replay
from tests.traces.toys import board, game, step


def to_dead(system: TransitionSystem) -> Trace:
    """Light both lamps and mend the fuse in vain."""
    states = (
        board(system),
        board(system, lit__red="yes"),
        board(system, lit__red="yes", lit__blue="yes", fuse="blown"),
        board(system, lit__red="yes", lit__blue="yes", fuse="dead"),
    )
    steps = (step(system, "light(red)"), step(system, "light(blue)"), step(system, "mend", "set(fuse,dead)"))
    return Trace(states, steps)


def test_each_step_says_who_why_and_what() -> None:
    system = game("lamps")
    first, second, third = replay(system, to_dead(system)).steps
    assert [(str(s.action), *map(str, s.deciders), s.forced) for s in (first, second, third)] == [
        ("light(red)", "alice", False),
        ("light(blue)", "alice", False),
        ("mend", "game", True),
    ]
    assert [list(map(str, s.events)) for s in (first, second, third)] == [["lit(red)"], ["lit(blue)"], []]
    assert [[str(x) for x in s.chosen] for s in (first, third)] == [[], ["set(fuse,dead)"]]


def test_changes_and_guards_name_their_rules() -> None:
    system = game("lamps")

    def clauses(ids: tuple[int, ...]) -> list[str]:
        return [clause for i in ids for clause in system.sources[i].clauses]

    _, second, third = replay(system, to_dead(system)).steps
    changes = {(str(c.fluent), str(c.old), str(c.new)): clauses(c.rules) for c in second.changes}
    assert changes == {("lit(blue)", "no", "yes"): ["1", "1.a"], ("fuse", "whole", "blown"): ["3"]}
    assert [clauses(c.rules) for c in third.changes] == [["4"]]
    assert clauses(second.guards) == ["1"]
    assert clauses(third.guards) == ["2", "2"]
    assert clauses(second.rules) == ["1", "1.a", "3"]


def test_boards_hold_facts_and_what_follows() -> None:
    system = game("lamps")
    replayed = replay(system, to_dead(system))
    shown = {str(symbol) for symbol in replayed.symbols(system, 3)}
    assert {"lamp(red)", "load(4)", "reached(dead)"} <= shown
    assert "reached(dead)" not in {str(symbol) for symbol in replayed.symbols(system, 2)}


def test_a_conflict_shows_both_values() -> None:
    system = game("clash")
    (last,) = replay(system, Trace((board(system),), (step(system, "flip"),))).steps
    assert [(str(c.fluent), str(c.old), str(c.new)) for c in last.changes] == [
        ("coin", "edge", "heads"),
        ("coin", "edge", "tails"),
    ]
    assert last.after is None


def with_state(trace: Trace, index: int, state: State) -> Trace:
    """Return the trace with another board."""
    return replace(trace, states=(*trace.states[:index], state, *trace.states[index + 1 :]))


def with_step(trace: Trace, index: int, new: Step) -> Trace:
    """Return the trace with another step."""
    return replace(trace, steps=(*trace.steps[:index], new, *trace.steps[index + 1 :]))


def wrong(kind: str, system: TransitionSystem) -> Trace:
    """Return the trace of `to_dead` with one fault."""
    good = to_dead(system)
    match kind:
        case "start":
            return with_state(good, 0, board(system, lit__red="yes"))
        case "value":
            return with_state(good, 1, (9,) * len(system.variables))
        case "size":
            return with_state(good, 1, (0,))
        case "next":
            return with_state(good, 2, board(system, lit__red="yes", lit__blue="yes"))
        case "disabled":
            return with_step(good, 1, step(system, "light(red)"))
        case "unforced":
            return with_step(good, 0, step(system, "mend", "set(fuse,dead)"))
        case "option":
            return with_step(good, 2, step(system, "mend"))
        case "action":
            return with_step(good, 1, Step(99))
        case "length":
            return replace(good, steps=good.steps[:1])
        case _:
            return replace(good, loop=1)


@pytest.mark.parametrize(
    ("kind", "number", "reason"),
    [
        ("start", 0, "lit(red) may not hold yes at the start"),
        ("value", 1, "fuse has no value number 9"),
        ("size", 1, "a board of 1 values for 3 variables"),
        ("next", 2, "light(blue) leads to another board: fuse is blown, not whole"),
        ("disabled", 2, "light(red) may not be taken on this board"),
        ("unforced", 1, "mend may not be taken on this board"),
        ("option", 3, "mend: its open outcomes cannot be settled by the atoms ()"),
        ("action", 2, "there is no action number 99"),
        ("length", 0, "4 boards do not fit 1 step"),
        ("loop", 3, "the run does not return to board 1"),
    ],
)
def test_a_wrong_trace_is_refused_at_its_step(kind: str, number: int, reason: str) -> None:
    system = game("lamps")
    replay(system, to_dead(system))
    with pytest.raises(ReplayError) as caught:
        replay(system, wrong(kind, system))
    assert (caught.value.step, caught.value.exit_code) == (number, 4)
    assert reason in str(caught.value)


def test_nothing_follows_a_conflict() -> None:
    system = game("clash")
    with pytest.raises(ReplayError, match="two values are set for coin"):
        replay(system, Trace((board(system), board(system, coin="heads")), (step(system, "flip"),)))
