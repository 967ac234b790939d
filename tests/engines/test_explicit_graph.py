"""The explicit engine on the graph of steps: endless runs, unanswered boards, and orders that matter."""

from __future__ import annotations

import numpy as np
import pytest

from checker.engines.budget import Budget
from checker.engines.explicit.explore import explore
from checker.engines.explicit.graph import state_graph
from checker.engines.explicit.rules import compile_system
from checker.engines.protocol import Holds, Limits, Violated
from checker.system.model import Kind
from tests.engines.test_explicit import answers, length, trace_of
from tests.traces.toys import game, toy

CLOCKS = """
% A slow clock of five hours and, reached later, a fast one of two: the fast one makes the shorter lasso.
fluent(hour, (off; a(0..4); b(0..1); rest(0..1))).    initially(hour, off).
action((slow; wait; fast; tick)).
by(slow, alice). by(wait, alice). by(fast, alice). by(tick, game).
%@ 1
possible(slow) :- now(hour, off).
%@ 1
possible(wait) :- now(hour, off).
%@ 1
possible(wait) :- now(hour, rest(0)).
%@ 1
possible(fast) :- now(hour, rest(1)).
%@ 2
possible(tick) :- now(hour, a(_)).
%@ 2
possible(tick) :- now(hour, b(_)).
%@ 2
forced(tick) :- strong.
%@ 3
set(hour, a(0)) :- occurs(slow).
%@ 3
set(hour, rest(0)) :- occurs(wait), now(hour, off).
%@ 3
set(hour, rest(1)) :- occurs(wait), now(hour, rest(0)).
%@ 3
set(hour, b(0)) :- occurs(fast).
%@ 4
set(hour, a((N+1) \\ 5)) :- occurs(tick), now(hour, a(N)).
%@ 4
set(hour, b(1-N)) :- occurs(tick), now(hour, b(N)).
#defined strong/0.
"""
"""10 boards. The slow lasso takes 1 + 5 steps, the fast one 3 + 2."""

ASK = """
% A question stays open until it is answered; `quit` leaves it open where nothing can follow.
fluent(talk, (idle; asked; told; left)).    initially(talk, idle).
action((ask; tell; quit; again)).
by(ask, alice). by(tell, bob). by(quit, bob). by(again, alice).
%@ 1
possible(ask) :- now(talk, idle).
%@ 1
possible(tell) :- now(talk, asked).
%@ 1
possible(quit) :- now(talk, asked), rude.
%@ 1
possible(again) :- now(talk, told).
%@ 2
set(talk, asked) :- occurs(ask).
%@ 2
set(talk, told) :- occurs(tell).
%@ 2
set(talk, left) :- occurs(quit).
%@ 2
set(talk, idle) :- occurs(again).
pending(told) :- now(talk, asked).
answered(told) :- now(talk, told).
#defined rude/0.
"""

SHORTCUT = """
% From the question a short way leads past an answer to the void, a long one does not.
fluent(at, (asked; answer; way(1..3); void)).    initially(at, asked).
action((short; long; on)). by(short, alice). by(long, alice). by(on, game).
%@ 1
possible(short) :- now(at, asked).
%@ 1
possible(long) :- now(at, asked).
%@ 1
possible(on) :- not now(at, asked).
%@ 2
set(at, answer) :- occurs(short).
%@ 2
set(at, way(1)) :- occurs(long).
%@ 2
set(at, way(N+1)) :- occurs(on), now(at, way(N)), N < 3.
%@ 2
set(at, void) :- occurs(on), now(at, way(3)).
%@ 2
set(at, void) :- occurs(on), now(at, answer).
pending(told) :- now(at, asked).
answered(told) :- now(at, answer).
"""

ROADS = """
% A pit beside the start is one fall from it, but within a resolution three roads away; another is nearer.
fluent(at, (start; road(1..3); pit(1..2); low(1..2, (left; right)))).    initially(at, start).
action((jump; walk; begin; fall(left); fall(right))).
by(jump, alice). by(walk, alice). by(begin, alice). by(fall(S), game) :- action(fall(S)).
%@ 1
possible(jump) :- now(at, start).
%@ 1
possible(walk) :- now(at, start).
%@ 1
possible(walk) :- now(at, road(N)), N < 3.
%@ 1
possible(begin) :- now(at, road(_)).
%@ 2
possible(fall(S)) :- action(fall(S)), now(at, pit(_)).
%@ 2
forced(fall(S)) :- action(fall(S)).
%@ 3
set(at, pit(1)) :- occurs(jump).
%@ 3
set(at, road(1)) :- occurs(walk), now(at, start).
%@ 3
set(at, road(N+1)) :- occurs(walk), now(at, road(N)), N < 3.
%@ 3
set(at, pit(2)) :- occurs(begin), now(at, road(N)), N < 3.
%@ 3
set(at, pit(1)) :- occurs(begin), now(at, road(3)).
%@ 3
set(at, low(N, S)) :- occurs(fall(S)), now(at, pit(N)).
resolution(fair) :- occurs(begin).
"""

DEAL = """
% Opening a deal forces takes; what a take excludes, and what the coin shows, is up to the facts.
fluent(deal, (shut; open)).    initially(deal, shut).
fluent(lies(C), (yes; no)) :- prize(C).    initially(lies(C), yes) :- prize(C).
fluent(won, (none; left; right)).    initially(won, none).
fluent(coin, (heads; tails)).    initially(coin, heads).
prize(left). prize(right).
action(open). by(open, alice).
%@ 1
action(take(C)) :- prize(C).
%@ 1
by(take(C), P) :- prize(C), taker(P).
%@ 2
possible(open) :- now(deal, shut).
%@ 2
possible(take(C)) :- now(deal, open), now(lies(C), yes), now(won, none).
%@ 2
forced(take(C)) :- prize(C).
%@ 3
set(deal, open) :- occurs(open).
%@ 3
set(lies(C), no) :- occurs(take(C)).
%@ 3
set(won, C) :- occurs(take(C)), exclusive.
%@ 4
{ set(coin, V) : side(V) } = 1 :- occurs(open), coin.
resolution(fair) :- occurs(open).
side(heads). side(tails).
#defined exclusive/0.    #defined coin/0.
"""


def test_forced_steps_that_never_end() -> None:
    """The wheel turns for ever: one step to start, three round; greased, the wheel stops."""
    found = answers(game("wheel"))
    stops, rest = trace_of(found["stops"]), trace_of(found["rest"])
    assert stops is not None
    assert (len(stops.steps), stops.loop) == (4, 1)
    assert rest is not None
    assert (len(rest.steps), rest.loop) == (4, 1)
    assert isinstance(answers(game("chain", stops=Kind.TERMINATION))["stops"], Holds)


def test_the_shortest_lasso_may_begin_later() -> None:
    """A short loop far away beats a long one near; loops of free choices are none."""
    found = answers(toy(CLOCKS + "strong.", {"ends": Kind.TERMINATION}))["ends"]
    trace = trace_of(found)
    assert trace is not None
    assert (len(trace.steps), trace.loop) == (5, 3)
    free = answers(toy(CLOCKS, {"ends": Kind.TERMINATION}))["ends"]
    assert free == Holds("no step is ever forced")


def test_an_unanswered_board_where_nothing_can_follow() -> None:
    """Leaving is a dead end without an answer; without it every question is answered."""
    rude = answers(toy(ASK + "rude.", {"told": Kind.RESPONSE}))["told"]
    trace = trace_of(rude)
    assert trace is not None
    assert (len(trace.states), len(trace.steps), trace.loop) == (3, 2, None)
    polite = answers(toy(ASK, {"told": Kind.RESPONSE}))["told"]
    assert isinstance(polite, Holds)


def test_an_answer_on_the_way_counts() -> None:
    """The unanswered run is the long one: four steps to the void and one that stays there."""
    trace = trace_of(answers(toy(SHORTCUT, {"told": Kind.RESPONSE}))["told"])
    assert trace is not None
    assert (len(trace.steps), trace.loop) == (5, 4)


def test_a_player_orders() -> None:
    """One owner of both springs decides which goes first."""
    answer = answers(game("order", "owner((left; right), alice)."))["fair"]
    assert answer == Holds("order-dependent, ordered by alice: release(left), release(right)")


@pytest.mark.parametrize(
    "owners", ["owner((left; right), game).", "owner(left, alice). owner(right, bob)."], ids=["game", "two"]
)
def test_nobody_orders(owners: str) -> None:
    """The game, or two players, leave the order open: a fault, with both orders told apart."""
    answer = answers(game("order", owners))["fair"]
    assert isinstance(answer, Violated)
    assert (length(answer), answer.culprits) == (1, ("release(left)", "release(right)"))
    assert "ends with ball = left" in answer.note
    assert "ends with ball = right" in answer.note


def test_the_nearest_fault_within_a_resolution() -> None:
    """Pit 2 is two steps away through a resolution, though pit 1 is nearer without one."""
    answer = answers(toy(ROADS, {"fair": Kind.DETERMINISM}))["fair"]
    assert isinstance(answer, Violated)
    assert length(answer) == 2
    assert "ends with at = low(2,left)" in answer.note


def test_an_order_without_consequence_is_functional() -> None:
    """Both cards are taken in any order, with one result."""
    answer = answers(toy(DEAL + "taker(game).", {"fair": Kind.DETERMINISM}))
    assert answer["fair"] == Holds("functional")


def test_a_choice_between_alternatives() -> None:
    """Taking one card excludes the other: a choice of the taker, and a fault if the taker is the game."""
    chosen = answers(toy(DEAL + "taker(bob). exclusive.", {"fair": Kind.DETERMINISM}))["fair"]
    assert chosen == Holds("functional given choices: take(left) (bob), take(right) (bob)")
    silent = answers(toy(DEAL + "taker(game). exclusive.", {"fair": Kind.DETERMINISM}))["fair"]
    assert isinstance(silent, Violated)
    assert length(silent) == 1


def test_an_open_outcome_is_a_fault() -> None:
    """A coin that may fall either way in the step that begins the resolution."""
    answer = answers(toy(DEAL + "taker(bob). exclusive. coin.", {"fair": Kind.DETERMINISM}))["fair"]
    assert isinstance(answer, Violated)
    assert answer.culprits == ("set(coin,heads)", "set(coin,tails)")
    trace = trace_of(answer)
    assert trace is not None
    assert (len(trace.states), len(trace.steps)) == (1, 1)


def test_the_state_graph() -> None:
    """Each board has its level and its steps in order; both ways of walking an edge agree."""
    system = game("lamps")
    rules = compile_system(system, ())
    graph = state_graph(rules, explore(rules, (), Budget(Limits()), lambda _: None), Budget(Limits()))
    assert graph.boards.levels.tolist() == [0, 1, 1, 2, 3, 3]
    assert np.diff(graph.offsets).tolist() == [2, 1, 1, 2, 0, 0]
    edges = zip(graph.edges.sources.tolist(), graph.edges.targets.tolist(), strict=True)
    assert sorted(edges) == [(0, 1), (0, 2), (1, 3), (2, 3), (3, 4), (3, 5)]
    assert sorted(graph.edges.sources[graph.leading_to(np.array([3]))].tolist()) == [1, 2]
    assert len(graph.edges.steps) == 4
