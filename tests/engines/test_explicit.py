"""The explicit engine: exact counts, shortest games for every kind of property, and budgets."""

from __future__ import annotations

import pytest

from checker.engines.explicit import ExplicitEngine
from checker.engines.protocol import Answer, Counts, Holds, Limits, Progress, Result, Unknown, Violated
from checker.pipeline import load_system
from checker.system.model import Kind, State, Trace, TransitionSystem
from checker.traces import confirm
from checker.traces.evaluate import evaluator
from tests.traces.toys import GAMES, game, toy

ROWS = """
% Two rows of lamps, each lit one after the other: far more bits than boards.
row(a). row(b). lamp(R, 1..35) :- row(R).
fluent(lit(R, N), (no; yes)) :- lamp(R, N).    initially(lit(R, N), no) :- lamp(R, N).
%@ 1
action(light(R, N)) :- lamp(R, N).
%@ 1
by(light(R, N), alice) :- lamp(R, N).
%@ 1
possible(light(R, N)) :- lamp(R, N), now(lit(R, N), no), now(lit(R, N-1), yes).
%@ 1
possible(light(R, 1)) :- row(R), now(lit(R, 1), no).
%@ 1
set(lit(R, N), yes) :- occurs(light(R, N)).
violated(dark) :- now(lit(a, 35), yes), now(lit(b, 35), yes).
"""
"""36 x 36 boards of 70 bits."""

SOURCES = """
% Fire needs a spark; ash never comes about, and the rule for it never fires.
fluent(fire, (no; yes; ash)).    initially(fire, no).
action(spark). by(spark, alice). action(burn). by(burn, game).
%@ 1
possible(spark) :- now(fire, no).
%@ 2
possible(burn) :- now(fire, ash).
%@ 3
set(fire, yes) :- occurs(spark).
%@ 4, 4.1
set(fire, no) :- occurs(burn).
%@ 5
set(fire, V) :- occurs(burn), now(fire, V), ember.
ember :- now(fire, yes).
"""


def check(system: TransitionSystem, limits: Limits | None = None) -> Result:
    """Check every goal; every trace is confirmed by replay."""
    result = ExplicitEngine().check(system, system.goals, limits or Limits(), lambda _: None)
    for verdict in result.verdicts:
        trace = trace_of(verdict.answer)
        if trace is not None:
            confirm(system, verdict.goal, trace)
    return result


def answers(system: TransitionSystem, limits: Limits | None = None) -> dict[str, Answer]:
    """Return the answer to every goal by its name."""
    return {v.goal.name: v.answer for v in check(system, limits).verdicts}


def trace_of(answer: Answer) -> Trace | None:
    """Return the trace or the witness of an answer."""
    match answer:
        case Violated(trace=trace) | Holds(witness=trace):
            return trace
        case Unknown():
            return None


def length(answer: Answer) -> int:
    """Return the number of steps of an answer's trace."""
    trace = trace_of(answer)
    assert trace is not None
    return len(trace.steps)


def counted_by_replay(system: TransitionSystem, depth: int | None = None) -> Counts:
    """Count boards and steps with the plain evaluator, to a depth if one is given."""
    rules = evaluator(system)
    level = set(system.initial_states())
    seen: set[State] = set(level)
    sizes, steps = [len(level)], 0
    while level and len(sizes) - 1 != depth:
        following = [state for board in level for _, state in rules.successors(board)]
        steps += len(following)
        level = set(following) - seen
        seen |= level
        if level:
            sizes.append(len(level))
    return Counts(len(seen), steps, len(sizes), max(sizes), depth is None)


@pytest.mark.parametrize("name", GAMES)
def test_counts_are_those_of_the_plain_evaluator(name: str) -> None:
    """Boards, steps and levels of every toy are counted alike by another program."""
    extra = "owner((left; right), game)." if name == "order" else ""
    system = game(name, extra)
    assert check(system).counts == counted_by_replay(system)


@pytest.mark.parametrize("board", ["theft", "status", "detach_order"])
def test_counts_of_shipped_boards_are_those_of_the_plain_evaluator(board: str) -> None:
    """So are those of shipped boards, with every rule they use."""
    system = load_system("riftbound", board)
    assert check(system).counts == counted_by_replay(system)


def test_boards_of_more_than_one_word() -> None:
    """Boards over 63 bits are packed in two words; the last one is 70 steps away."""
    system = toy(ROWS, {"dark": Kind.INVARIANT})
    result = check(system)
    assert system.bits == 70
    assert result.details["words per board"] == 2
    assert result.counts == Counts(1296, 2520, 71, 36, True)
    answer = result.verdicts[0].answer
    assert isinstance(answer, Violated)
    assert (length(answer), answer.breaking) == (70, 1)


def test_two_words_on_a_board_with_many_neighbours() -> None:
    """The first levels of a board of 77 bits agree with the plain evaluator."""
    system = load_system("bench/equip_bench", "u6_g6_b3_e3")
    assert check(system, Limits(depth=3)).counts == counted_by_replay(system, 3)


def test_lamps_are_decided_with_shortest_games() -> None:
    """Board and step properties, witnesses and an open outcome, each by the shortest game."""
    found = answers(game("lamps"))
    steps = {name: length(found[name]) for name in ("bright", "overload", "dead", "open")}
    assert steps == {"bright": 2, "overload": 2, "dead": 3, "open": 3}
    bright, overload, opened = found["bright"], found["overload"], found["open"]
    assert isinstance(bright, Violated)
    assert (bright.culprits, bright.breaking) == (("blue", "red"), 3)
    assert isinstance(overload, Violated)
    assert overload.breaking is None
    assert isinstance(opened, Violated)
    assert opened.culprits == ("set(fuse,dead)", "set(fuse,whole)")
    assert isinstance(found["dead"], Holds)
    assert found["torn"] == Holds("all 6 reachable boards")
    assert found["lost"] == Violated(None, ("lost",), note="not on all 6 reachable boards")


def test_a_step_violation_leaves_the_next_board_out() -> None:
    """The trace of what a step does wrong ends in that step."""
    trace = trace_of(answers(game("lamps"))["overload"])
    assert trace is not None
    assert (len(trace.states), len(trace.steps)) == (2, 2)


def test_clash_and_stuck_steps_have_no_next_board() -> None:
    """A conflict names the variable and its values; an outcome without options is open, too."""
    result = check(game("clash"))
    found = {v.goal.name: v.answer for v in result.verdicts}
    torn, opened = found["torn"], found["open"]
    assert isinstance(torn, Violated)
    assert (length(torn), torn.culprits) == (1, ("coin", "heads", "tails"))
    assert isinstance(opened, Violated)
    assert (length(opened), opened.culprits) == (1, ())
    assert result.counts == Counts(3, 5, 3, 1, True)


def test_forced_steps_keep_others_from_happening() -> None:
    """Where one action is forced no other is taken; a conflicting step leads nowhere."""
    found = answers(game("traps"))
    assert found["key"] == Violated(None, ("key",), note="not on all 9 reachable boards")
    assert isinstance(found["other"], Holds)
    assert found["wrong"] == Violated(None, ("wrong",), note="not on all 9 reachable boards")
    assert (length(found["lit"]), length(found["dark"])) == (1, 0)


def test_recursion_and_counting() -> None:
    """Recursive and weighted rules are evaluated on all boards at once."""
    found = answers(game("chain"))
    gap = found["gap"]
    assert isinstance(gap, Violated)
    assert (length(gap), gap.breaking) == (1, 3)
    assert length(found["taut"]) == 3


@pytest.mark.parametrize(("bound", "boards"), [(1, 7), (2, 6), (3, 5), (4, 3), (5, 2), (6, 1), (7, 0)])
def test_weights_add_up(bound: int, boards: int) -> None:
    """Of the 8 subsets of the weights 1, 2 and 3 exactly `boards` add up to the bound."""
    rules = f"violated(heavy) :- #sum {{ K-1, K : now(tied(K), yes), K > 1 }} >= {bound}."
    answer = answers(game("chain", rules, heavy=Kind.INVARIANT))["heavy"]
    assert (answer.breaking if isinstance(answer, Violated) else 0) == boards


def test_every_action_and_every_rule() -> None:
    """Dead actions and rules are named; those alive are not."""
    system = toy(SOURCES, {"acts": Kind.ACTIONS_REACHABLE, "fires": Kind.RULES_FIRE})
    found = answers(system)
    assert found["acts"] == Violated(None, ("burn",))
    dead = found["fires"]
    assert isinstance(dead, Violated)
    assert [culprit.split(":", 1)[1] for culprit in dead.culprits] == ["8 2", "12 4, 4.1", "14 5"]
    alive = answers(game("chain", acts=Kind.ACTIONS_REACHABLE, fires=Kind.RULES_FIRE))
    assert isinstance(alive["fires"], Holds)
    assert alive["acts"] == Violated(None, ("tie(1)",))
    assert isinstance(answers(game("lamps", acts=Kind.ACTIONS_REACHABLE))["acts"], Holds)


def test_budgets_give_unknown_and_keep_what_was_found() -> None:
    """After one step of the lamps nothing is known to hold, and nothing deeper was seen."""
    result = check(game("lamps"), Limits(depth=1))
    found = {v.goal.name: v.answer for v in result.verdicts}
    assert result.counts == Counts(3, 2, 2, 2, False)
    assert found["torn"] == Unknown("depth limit of 1 steps reached", 1)
    assert isinstance(found["bright"], Unknown)
    deeper = answers(game("lamps"), Limits(depth=2))
    assert length(deeper["bright"]) == 2
    assert isinstance(deeper["dead"], Unknown)
    assert isinstance(answers(game("wheel"), Limits(depth=1))["stops"], Unknown)


@pytest.mark.parametrize("limits", [Limits(seconds=0), Limits(memory=1)])
def test_time_and_memory_end_a_run(limits: Limits) -> None:
    """A run without time or memory says so and claims nothing."""
    result = check(game("lamps"), limits)
    assert not result.counts.complete
    assert all(isinstance(v.answer, Unknown) for v in result.verdicts)


def test_every_level_is_reported() -> None:
    """Progress tells the level, the boards found and those still to expand."""
    said: list[Progress] = []
    system = game("lamps")
    ExplicitEngine().check(system, system.goals, Limits(), said.append)
    assert [(p.level, p.distinct, p.generated, p.queue) for p in said] == [
        (1, 1, 0, 1), (2, 3, 2, 2), (3, 4, 4, 1), (4, 6, 6, 2),
    ]  # fmt: skip
