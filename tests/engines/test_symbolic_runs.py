"""The symbolic engine on runs: endless ones, unanswered boards, and orders that matter."""

from __future__ import annotations

import pytest

from checker.engines.agree import require_agreement
from checker.engines.protocol import Holds, Unknown, Violated
from checker.system.model import Kind
from tests.engines.test_explicit_graph import ASK, CLOCKS, DEAL
from tests.engines.test_symbolic import answers, check, explicit, length, trace_of
from tests.traces.toys import game, toy

RACE = """
% A turn of the key starts a race: a gate falls by itself, and a runner, if still there, picks a lane.
fluent(key, (off; on)).    initially(key, off).
fluent(gate, (up; down)).    initially(gate, up).
fluent(lane, (none; inner; outer)).    initially(lane, none).
action((turn; fall; inner; outer; rest)).
by(turn, alice). by(fall, game). by(inner, bob). by(outer, bob). by(rest, alice).
%@ 1
possible(turn) :- now(key, off).
%@ 1
possible(rest) :- now(key, off).
%@ 2
possible(fall) :- now(key, on), now(gate, up).
%@ 2
possible(inner) :- now(key, on), now(lane, none), fair(inner).
%@ 2
possible(outer) :- now(key, on), now(lane, none), fair(outer).
fair(inner) :- now(gate, up).
fair(outer) :- now(gate, up).
fair(outer) :- late.
fair(inner) :- late.
%@ 2
forced(A) :- action(A), now(key, on).
%@ 3
set(key, on) :- occurs(turn).
%@ 3
set(gate, down) :- occurs(fall).
%@ 3
set(lane, inner) :- occurs(inner).
%@ 3
set(lane, outer) :- occurs(outer).
resolution(race) :- occurs(turn).
#defined late/0.
"""

TWO_STAGE = """
% The first push is harmless; only after the second do two springs of the game fight over the ball.
fluent(pushed, 0..4).    initially(pushed, 0).
fluent(spring(S), (tense; loose; gone)) :- spring(S).    initially(spring(S), tense) :- spring(S).
fluent(ball, (none; left; right)).    initially(ball, none).
spring(left). spring(right).
action((push; slide)). by(push, alice). by(slide, game).
%@ 1
action(release(S)) :- spring(S).
%@ 1
by(release(S), game) :- spring(S).
%@ 1
possible(push) :- now(pushed, (0; 2)).
%@ 1
possible(slide) :- now(pushed, (1; 3)).
%@ 1
forced(slide).
%@ 1
possible(release(S)) :- now(pushed, 4), now(spring(S), loose).
%@ 1
forced(release(S)) :- spring(S).
%@ 2
set(pushed, N+1) :- occurs((push; slide)), now(pushed, N), N < 4.
%@ 2
set(spring(S), loose) :- occurs(slide), spring(S), now(pushed, 3).
%@ 3
set(spring(S), gone) :- occurs(release(S)).
%@ 3
set(ball, S) :- occurs(release(S)), now(ball, none).
resolution(shot) :- occurs(push).
"""

ROUND = """
% A round through an answer; whoever comes back to the start may fall asleep there for good.
fluent(place, (start; told; asked; asleep)).    initially(place, start).
action((walk; sleep)). by(walk, alice). by(sleep, alice).
%@ 1
possible(walk) :- not now(place, asleep).
%@ 1
possible(sleep) :- now(place, (start; asleep)).
%@ 2
set(place, told) :- occurs(walk), now(place, start).
%@ 2
set(place, asked) :- occurs(walk), now(place, told).
%@ 2
set(place, start) :- occurs(walk), now(place, asked).
%@ 2
set(place, asleep) :- occurs(sleep).
pending(told) :- now(place, asked).
answered(told) :- now(place, told).
"""

WIDTHS = pytest.mark.parametrize("width", [0, 20_000], ids=["saturation", "layers"])


@WIDTHS
def test_forced_steps_that_never_end(width: int) -> None:
    """The wheel turns for ever: one step to start, three round; greased, it stops."""
    found = answers(game("wheel"), width=width)
    for name in ("stops", "rest"):
        trace = trace_of(found[name])
        assert trace is not None
        assert (len(trace.steps), trace.loop) == (4, 1)
    assert isinstance(answers(game("chain", stops=Kind.TERMINATION), width=width)["stops"], Holds)


def test_loops_of_free_choices_terminate() -> None:
    """Ticks that nobody is forced to take may go on; forced ones may not."""
    assert answers(toy(CLOCKS, {"ends": Kind.TERMINATION}))["ends"] == Holds("all 10 reachable boards")
    endless = answers(toy(CLOCKS + "strong.", {"ends": Kind.TERMINATION}))["ends"]
    assert isinstance(endless, Violated)
    assert (length(endless), endless.shortest) == (6, False)


@WIDTHS
def test_an_unanswered_board_where_nothing_can_follow(width: int) -> None:
    """Leaving is a dead end without an answer; without it every question is answered."""
    trace = trace_of(answers(toy(ASK + "rude.", {"told": Kind.RESPONSE}), width=width)["told"])
    assert trace is not None
    assert (len(trace.states), len(trace.steps), trace.loop) == (3, 2, None)
    polite = answers(toy(ASK, {"told": Kind.RESPONSE}), width=width)["told"]
    assert polite == Holds("all 3 reachable boards")


@WIDTHS
def test_a_lasso_does_not_go_through_an_answer(width: int) -> None:
    """The way back to the start passes an answer the second time round; only sleep leaves it open."""
    trace = trace_of(answers(toy(ROUND, {"told": Kind.RESPONSE}), width=width)["told"])
    assert trace is not None
    assert (len(trace.steps), trace.loop) == (5, 4)


@WIDTHS
def test_only_what_is_pending_waits_for_an_answer(width: int) -> None:
    """The clocks run for ever: a fault from the fast one on, if that is what asks; none if nothing does."""
    rules = CLOCKS + "pending(ends) :- now(hour, b(0)).    answered(ends) :- now(hour, b(N)), N > 1."
    trace = trace_of(answers(toy(rules, {"ends": Kind.RESPONSE}), width=width)["ends"])
    assert trace is not None
    assert (len(trace.steps), trace.loop) == (5, 3)
    never = rules.replace("pending(ends) :- now(hour, b(0))", "pending(ends) :- now(hour, a(0)), strong")
    assert isinstance(answers(toy(never, {"ends": Kind.RESPONSE}), width=width)["ends"], Holds)


def test_a_response_that_reads_the_step_is_not_decided() -> None:
    """Pending and answered are about boards."""
    rules = ASK.replace("pending(told) :- now(talk, asked).", "pending(told) :- occurs(ask).")
    answer = answers(toy(rules, {"told": Kind.RESPONSE}))["told"]
    assert answer == Unknown("pending or answered depends on the step, which is not supported")


def test_a_player_orders() -> None:
    """One owner of both springs decides which goes first."""
    answer = answers(game("order", "owner((left; right), alice)."))["fair"]
    assert answer == Holds("order-dependent, ordered by alice: release(left), release(right)")


@WIDTHS
@pytest.mark.parametrize(
    "owners", ["owner((left; right), game).", "owner(left, alice). owner(right, bob)."], ids=["game", "two"]
)
def test_nobody_orders(owners: str, width: int) -> None:
    """The game, or two players, leave the order open: a fault, with both orders told apart."""
    answer = answers(game("order", owners), width=width)["fair"]
    assert isinstance(answer, Violated)
    assert (length(answer), answer.culprits) == (1, ("release(left)", "release(right)"))
    first, second = answer.note.split("; ")
    assert first.endswith("ends with ball = left")
    assert second.endswith("ends with ball = right")


def test_an_order_without_consequence_is_functional() -> None:
    """Both cards are taken in any order, with one result."""
    assert answers(toy(DEAL + "taker(game).", {"fair": Kind.DETERMINISM}))["fair"] == Holds("functional")


def test_a_choice_between_alternatives() -> None:
    """Taking one card excludes the other: a choice of the taker, and a fault if the taker is the game."""
    chosen = answers(toy(DEAL + "taker(bob). exclusive.", {"fair": Kind.DETERMINISM}))["fair"]
    assert chosen == Holds("functional given choices: take(left) (bob), take(right) (bob)")
    silent = answers(toy(DEAL + "taker(game). exclusive.", {"fair": Kind.DETERMINISM}))["fair"]
    assert isinstance(silent, Violated)
    assert length(silent) == 1


@WIDTHS
def test_an_open_outcome_is_a_fault(width: int) -> None:
    """A coin that may fall either way in the step that begins the resolution."""
    answer = answers(toy(DEAL + "taker(bob). exclusive. coin.", {"fair": Kind.DETERMINISM}), width=width)["fair"]
    assert isinstance(answer, Violated)
    assert answer.culprits == ("set(coin,heads)", "set(coin,tails)")
    trace = trace_of(answer)
    assert trace is not None
    assert (len(trace.states), len(trace.steps)) == (1, 1)


@WIDTHS
def test_an_outcome_left_open_by_a_later_forced_step(width: int) -> None:
    """The take that an opened deal forces flips the coin: the fault is one forced step on."""
    rules = DEAL.replace("occurs(open), coin.", "occurs(take(left)), coin.")
    system = toy(rules + "taker(bob). coin.", {"fair": Kind.DETERMINISM})
    result = check(system, width=width)
    require_agreement(system, result, explicit(system))
    answer = result.verdicts[0].answer
    assert isinstance(answer, Violated)
    assert (length(answer), answer.culprits) == (2, ("set(coin,heads)", "set(coin,tails)"))
    assert answer.note == "take(left) leaves open: set(coin,heads) or set(coin,tails)"


@WIDTHS
@pytest.mark.parametrize("late", ["", "late."], ids=["race", "late"])
def test_the_game_against_a_player(late: str, width: int) -> None:
    """Both engines agree whether the game's step may take a choice away."""
    system = toy(RACE + late, {"race": Kind.DETERMINISM})
    result = check(system, width=width)
    require_agreement(system, result, explicit(system))
    answer = result.verdicts[0].answer
    assert isinstance(answer, Violated)
    assert length(answer) == 1


@WIDTHS
def test_the_fault_of_a_later_resolution(width: int) -> None:
    """The game to the fault goes through two resolutions and ends where the springs are loose."""
    system = toy(TWO_STAGE, {"shot": Kind.DETERMINISM})
    result = check(system, width=width)
    require_agreement(system, result, explicit(system))
    answer = result.verdicts[0].answer
    assert isinstance(answer, Violated)
    assert (length(answer), answer.culprits) == (4, ("release(left)", "release(right)"))
