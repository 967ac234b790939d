"""The asp engine: shortest games for every kind it decides, budgets, and the enumeration of boards."""

import pytest

from checker.engines.asp import AspEngine, enumerate_boards
from checker.engines.protocol import Answer, Holds, Limits, Progress, Unknown, Violated
from checker.pipeline import load_system
from checker.system.model import Kind, Trace, TransitionSystem
from checker.traces import confirm
from tests.traces.toys import game


def trace_of(answer: Answer) -> Trace | None:
    """Return the trace or the witness of an answer."""
    match answer:
        case Violated(trace=trace) | Holds(witness=trace):
            return trace
        case Unknown():
            return None


def answers(system: TransitionSystem, limits: Limits | None = None) -> dict[str, Answer]:
    """Check every goal and return the answers, with every trace among them confirmed by replay."""
    result = AspEngine().check(system, system.goals, limits or Limits(), lambda _: None)
    for verdict in result.verdicts:
        trace = trace_of(verdict.answer)
        if trace is not None:
            confirm(system, verdict.goal, trace)
    return {verdict.goal.name: verdict.answer for verdict in result.verdicts}


def length(answer: Answer) -> int:
    """Return the number of steps of an answer's trace."""
    trace = trace_of(answer)
    assert trace is not None
    return len(trace.steps)


def test_lamps_are_decided_with_shortest_games() -> None:
    found = answers(game("lamps"))
    assert {name: length(found[name]) for name in ("bright", "overload", "dead", "open")} == {
        "bright": 2,
        "overload": 2,
        "dead": 3,
        "open": 3,
    }
    assert isinstance(found["dead"], Holds)
    assert isinstance(found["bright"], Violated)
    assert found["bright"].culprits == ("blue", "red")


def test_a_step_violation_leaves_the_next_board_out() -> None:
    trace = trace_of(answers(game("lamps"))["overload"])
    assert trace is not None
    assert (len(trace.states), len(trace.steps)) == (2, 2)


def test_what_cannot_go_on_is_decided_for_good() -> None:
    found = answers(game("lamps"))
    assert found["torn"] == Holds("exhaustive: no board is more than 3 steps away")
    assert found["lost"] == Violated(None, ("lost",), note="no board is more than 3 steps away")


def test_a_conflict_names_fluent_and_values_and_an_open_outcome_its_options() -> None:
    found = answers(game("clash"))
    assert isinstance(found["torn"], Violated)
    assert isinstance(found["open"], Violated)
    assert found["torn"].culprits == ("coin", "heads", "tails")
    assert found["open"].culprits == ("set(coin,heads)", "set(coin,tails)")
    assert (length(found["torn"]), length(found["open"])) == (1, 1)


def test_recursion_counts_and_initial_boards() -> None:
    found = answers(game("chain"))
    assert (length(found["gap"]), length(found["taut"])) == (1, 3)
    several = answers(game("chain", "initially(tied(4), yes)."))
    assert (length(several["gap"]), length(several["taut"])) == (0, 2)


def test_steps_without_a_next_board_and_steps_not_forced_lead_nowhere() -> None:
    found = answers(game("traps"), Limits(depth=6))
    assert found["key"] == found["wrong"] == Unknown("no game of at most 6 steps shows it", 6)
    assert [length(found[name]) for name in ("other", "lit", "dark")] == [3, 1, 0]


def test_violations_that_need_both_board_and_step_atoms() -> None:
    extra = "violated(both, late) :- now(fuse, dead). violated(both, soon) :- occurs(light(red)), load(2)."
    found = answers(game("lamps", extra, both=Kind.INVARIANT))["both"]
    assert isinstance(found, Violated)
    assert (length(found), found.culprits) == (2, ("soon",))


def test_the_option_chosen_decides_a_step_violation() -> None:
    extra = "violated(waste) :- occurs(mend), next(fuse, dead)."
    system = game("lamps", extra, waste=Kind.STEP)
    found = trace_of(answers(system)["waste"])
    assert found is not None
    dead = {str(o.effect): o.chosen for o in system.outcomes[0].options}["set(fuse,dead)"]
    assert (len(found.steps), found.steps[-1].chosen) == (3, (dead,))


def test_a_bound_or_an_empty_budget_is_unknown() -> None:
    shallow = answers(game("lamps"), Limits(depth=2))
    assert shallow["dead"] == Unknown("no game of at most 2 steps shows it", 2)
    spent = answers(game("lamps"), Limits(seconds=0.0))
    assert spent["bright"] == Unknown("the budget of 0 seconds is spent", None)
    spent = answers(game("lamps"), Limits(memory=1))
    assert spent["bright"] == Unknown("the budget of 1 bytes of memory is spent", None)


def test_violations_found_before_the_bound_stay() -> None:
    found = answers(game("lamps"), Limits(depth=2))
    assert isinstance(found["bright"], Violated)
    assert isinstance(found["torn"], Unknown)


def test_other_kinds_are_unknown() -> None:
    assert answers(game("wheel"))["stops"] == Unknown("the asp engine does not decide termination properties")


def test_progress_is_reported_at_each_depth() -> None:
    seen: list[Progress] = []
    system = game("lamps")
    result = AspEngine().check(system, system.goals, Limits(depth=3), seen.append)
    assert [progress.level for progress in seen] == [1, 2, 3]
    assert not result.counts.complete


@pytest.mark.parametrize(
    ("board", "states", "loose", "all_loose"),
    [("u1_g1_b1_e1", 108, 4, 4), ("u2_g1_b1_e1", 648, 4, 4), ("u2_g2_b1_e1", 5632, 4, 9)],
)
def test_the_benchmark_has_its_reference_figures(board: str, states: int, loose: int, all_loose: int) -> None:
    system = load_system("bench/equip_bench", board)
    assert len(enumerate_boards(system)) == states
    found = answers(system, Limits(depth=9))
    assert (length(found["no_loose_gear"]), length(found["not_all_loose"])) == (loose, all_loose)
    assert found["same_controller"] == Unknown("no game of at most 9 steps shows it", 9)
