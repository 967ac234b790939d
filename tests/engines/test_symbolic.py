"""The symbolic engine: exact counts, shortest games for every kind of property, and budgets."""

from __future__ import annotations

import pytest

from checker.engines.agree import require_agreement
from checker.engines.explicit import ExplicitEngine
from checker.engines.protocol import Answer, Counts, Holds, Limits, Progress, Result, Unknown, Violated
from checker.engines.symbolic import SymbolicEngine
from checker.pipeline import load_system
from checker.system.model import Kind, Trace, TransitionSystem
from checker.traces import confirm
from tests.traces.toys import GAMES, game, toy

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
smoke :- now(fire, yes).
violated(smoke) :- smoke.
"""

DICE = """
% Three dice start on any of three sides; a nudge turns one to the next side, but none past the last.
die(1..3).    fluent(side(D), 1..5) :- die(D).    initially(side(D), 1..3) :- die(D).
%@ 1
action(nudge(D)) :- die(D).
%@ 1
by(nudge(D), alice) :- die(D).
%@ 1
possible(nudge(D)) :- die(D), not now(side(D), 5).
%@ 1
set(side(D), N+1) :- occurs(nudge(D)), now(side(D), N), N < 5.
violated(high) :- 3 { now(side(D), 5) : die(D) }.
violated(jump, D) :- occurs(nudge(D)), now(side(D), 4), next(side(D), 5), now(side(1), 1), D != 3.
"""
"""125 boards of five sides each, 27 of them initial; 300 steps."""

FORK = """
% Two coins, flipped at once: each may fall either way, and what is chosen reaches the next board.
coin(1..2).    fluent(side(C), (edge; heads; tails)) :- coin(C).    initially(side(C), edge) :- coin(C).
action(flip). by(flip, game).
%@ 1
possible(flip) :- now(side(1), edge).
%@ 2
{ set(side(C), (heads; tails)) } = 1 :- occurs(flip), coin(C).
reached(twice) :- now(side(1), tails), now(side(2), tails).
"""
"""5 boards: on edge, and four ways to fall."""

BENCH = {
    "u1_g1_b1_e1": (Counts(108, 234, 16, 16, True), (4, 38), (4, 38)),
    "u2_g1_b1_e1": (Counts(648, 1752, 19, 97, True), (4, 228), (4, 228)),
    "u2_g2_b1_e1": (Counts(5632, 16968, 26, 580, True), (4, 3232), (9, 672)),
    "u1_g3_b2_e1": (Counts(3936, 12404, 27, 426, True), (4, 3008), None),
    "u2_g2_b2_e2": (Counts(23048, 82340, 24, 2292, True), (4, 17344), (9, 5760)),
    "u3_g2_b1_e1": (Counts(43792, 155320, 28, 5043, True), (4, 23852), (9, 4516)),
    "u3_g3_b1_e2": (Counts(676272, 2432560, 30, 75365, True), (4, 459440), (11, 20528)),
}
"""Published counts of the common benchmark, and length and breaking boards of its two broken invariants."""


def check(system: TransitionSystem, limits: Limits | None = None, width: int = 20_000) -> Result:
    """Check every goal; every trace is confirmed by replay."""
    result = SymbolicEngine(width).check(system, system.goals, limits or Limits(), lambda _: None)
    for verdict in result.verdicts:
        trace = trace_of(verdict.answer)
        if trace is not None:
            confirm(system, verdict.goal, trace)
    return result


def answers(system: TransitionSystem, limits: Limits | None = None, width: int = 20_000) -> dict[str, Answer]:
    """Return the answer to every goal by its name."""
    return {v.goal.name: v.answer for v in check(system, limits, width).verdicts}


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


def explicit(system: TransitionSystem) -> Result:
    """Return what the other engine says."""
    return ExplicitEngine().check(system, system.goals, Limits(), lambda _: None)


def shown(answer: Answer) -> tuple[int, int | None] | None:
    """Return the length of the game and the number of breaking boards, None if the property holds."""
    return (length(answer), answer.breaking) if isinstance(answer, Violated) else None


@pytest.mark.parametrize("name", BENCH)
def test_counts_of_the_benchmark(name: str) -> None:
    """Boards, steps, levels and breaking boards are exactly the published ones."""
    result = check(load_system("bench/equip_bench", name))
    found = {v.goal.name: shown(v.answer) for v in result.verdicts}
    counts, loose, all_loose = BENCH[name]
    assert result.counts == counts
    assert found == {
        "located_with_bearer": None,
        "same_controller": None,
        "no_loose_gear": loose,
        "not_all_loose": all_loose,
        "home_base": None,
    }


def test_half_a_billion_boards() -> None:
    """So are those of a board no enumeration here could visit; saturation and layers find the same."""
    system = load_system("bench/equip_bench", "u4_g4_b2_e2")
    result = check(system, width=2_000)
    found = {v.goal.name: shown(v.answer) for v in result.verdicts}
    assert result.counts == Counts(581_507_232, 2_939_169_472, None, None, True)
    assert (found["no_loose_gear"], found["not_all_loose"]) == ((4, 522_188_928), (13, 19_319_296))


@pytest.mark.parametrize("width", [0, 20_000], ids=["saturation", "layers"])
@pytest.mark.parametrize("name", GAMES)
def test_toys_agree_with_the_explicit_engine(name: str, width: int) -> None:
    """Both engines give the same counts, verdicts and lengths of games; so do both ways to search."""
    system = game(name, "owner((left; right), game)." if name == "order" else "")
    require_agreement(system, check(system, width=width), explicit(system))


@pytest.mark.parametrize("width", [0, 100], ids=["saturation", "mixed"])
@pytest.mark.parametrize("name", ["theft", "detach_order", "weaponmaster", "guardian_angel", "gear_units"])
def test_shipped_boards_agree_with_the_explicit_engine(name: str, width: int) -> None:
    """On shipped boards too, with the search going on backwards where the layers stop."""
    system = load_system("riftbound", name)
    require_agreement(system, check(system, width=width), explicit(system))


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
    assert found["torn"] == Holds("all 6 reachable boards")
    assert found["lost"] == Violated(None, ("lost",), note="not on all 6 reachable boards")


@pytest.mark.parametrize("width", [0, 20_000], ids=["saturation", "layers"])
def test_many_initial_boards(width: int) -> None:
    """Several initial boards, a weight rule, and a step that is worth more than a board."""
    result = check(toy(DICE, {"high": Kind.INVARIANT, "jump": Kind.STEP}), width=width)
    found = {v.goal.name: v.answer for v in result.verdicts}
    assert (result.counts.states, result.counts.transitions) == (125, 300)
    assert shown(found["high"]) == (6, 1)
    jump = found["jump"]
    assert isinstance(jump, Violated)
    assert (length(jump), jump.culprits) == (2, ("2",))


def test_every_outcome_is_a_transition() -> None:
    """Two open outcomes in one step give four transitions; a witness carries what was chosen."""
    result = check(toy(FORK, {"twice": Kind.SOMETIMES, "open": Kind.OPEN_OUTCOME}))
    found = {v.goal.name: v.answer for v in result.verdicts}
    assert result.counts == Counts(5, 4, 2, 4, True)
    witness = trace_of(found["twice"])
    assert witness is not None
    assert len(witness.steps[0].chosen) == 2
    opened = found["open"]
    assert isinstance(opened, Violated)
    assert (length(opened), len(opened.culprits)) == (1, 4)


def test_clash_and_stuck_steps_have_no_next_board() -> None:
    """A conflict names the variable and its values; an outcome without options is open, and names those closed."""
    result = check(game("clash"))
    found = {v.goal.name: v.answer for v in result.verdicts}
    torn, opened = found["torn"], found["open"]
    assert isinstance(torn, Violated)
    assert (length(torn), torn.culprits) == (1, ("coin", "heads", "tails"))
    assert isinstance(opened, Violated)
    assert (length(opened), opened.culprits) == (1, ("set(coin,heads)", "set(coin,tails)"))
    assert result.counts == Counts(3, 5, 3, 1, True)


@pytest.mark.parametrize(("bound", "boards"), [(1, 7), (2, 6), (3, 5), (4, 3), (5, 2), (6, 1), (7, 0)])
def test_weights_add_up(bound: int, boards: int) -> None:
    """Of the 8 subsets of the weights 1, 2 and 3 exactly `boards` add up to the bound."""
    rules = f"violated(heavy) :- #sum {{ K-1, K : now(tied(K), yes), K > 1 }} >= {bound}."
    answer = answers(game("chain", rules, heavy=Kind.INVARIANT))["heavy"]
    assert (answer.breaking if isinstance(answer, Violated) else 0) == boards


def test_weights_of_what_does_not_hold() -> None:
    """A sum over negated literals can make the one action possible."""
    rules = """
    fluent(lit(N), (no; yes)) :- N = 1..2.    initially(lit(N), no) :- N = 1..2.
    action(dark). by(dark, game).
    %@ 1
    possible(dark) :- 2 { not now(lit(N), yes) : N = 1..2 }.
    %@ 1
    set(lit(1), yes) :- occurs(dark).
    """
    assert check(toy(rules, {})).counts == Counts(2, 1, 2, 1, True)


def test_every_action_and_every_rule() -> None:
    """Dead actions and rules are named; those alive are not."""
    system = toy(SOURCES, {"acts": Kind.ACTIONS_REACHABLE, "fires": Kind.RULES_FIRE, "smoke": Kind.INVARIANT})
    found = answers(system)
    assert found["acts"] == Violated(None, ("burn",))
    dead = found["fires"]
    assert isinstance(dead, Violated)
    assert [culprit.split(":", 1)[1] for culprit in dead.culprits] == ["8 2", "12 4, 4.1"]
    assert shown(found["smoke"]) == (1, 1)
    lamps = game("lamps", acts=Kind.ACTIONS_REACHABLE, fires=Kind.RULES_FIRE)
    assert answers(lamps)["acts"] == Holds("every action is taken on a reachable board")
    assert answers(lamps)["fires"] == Holds("every rule fires on a reachable board")


def test_a_rule_that_fires_in_a_step_without_a_next_board() -> None:
    """Both rules of a conflict fire."""
    assert answers(game("clash", fires=Kind.RULES_FIRE))["fires"] == Holds("every rule fires on a reachable board")


def test_depth_limit() -> None:
    """What lies beyond the depth is unknown; what was found before stays."""
    system = load_system("bench/equip_bench", "u2_g2_b1_e1")
    result = check(system, Limits(depth=4))
    found = {v.goal.name: v.answer for v in result.verdicts}
    assert (result.counts.levels, result.counts.complete) == (5, False)
    assert shown(found["no_loose_gear"]) == (4, None)
    assert found["not_all_loose"] == Unknown("depth limit of 4 steps reached", 4)
    assert found["home_base"] == Unknown("depth limit of 4 steps reached", 4)


def test_a_step_beyond_the_depth_is_not_shown() -> None:
    """A step from the last layer counts as well: it would be one too many."""
    system = game("lamps")
    assert isinstance(answers(system, Limits(depth=1))["overload"], Unknown)
    assert length(answers(system, Limits(depth=2))["overload"]) == 2


def test_time_limit() -> None:
    """Time that runs out leaves properties undecided, and nothing is said to hold."""
    result = check(load_system("bench/equip_bench", "u6_g6_b3_e3"), Limits(seconds=0.5))
    assert not result.counts.complete
    assert result.seconds < 10
    assert not any(isinstance(v.answer, Holds) for v in result.verdicts)
    assert Unknown("time limit of 0.5 s reached", result.counts.levels and result.counts.levels - 1) in [
        v.answer for v in result.verdicts
    ]


def test_memory_limit() -> None:
    """Where not even the rules fit, every property is undecided."""
    result = check(load_system("bench/equip_bench", "u4_g4_b2_e2"), Limits(memory=1 << 20))
    assert not result.counts.complete
    assert {type(v.answer) for v in result.verdicts} == {Unknown}
    reasons = {v.answer.reason for v in result.verdicts if isinstance(v.answer, Unknown)}
    assert all("memory" in reason for reason in reasons)


def test_progress_is_reported() -> None:
    """Each layer is told, with the boards found up to it."""
    told: list[Progress] = []
    system = game("lamps")
    SymbolicEngine().check(system, system.goals, Limits(), told.append)
    assert [(p.level, p.distinct) for p in told] == [(1, 1), (2, 3), (3, 4), (4, 6)]


def test_the_same_answers_every_time() -> None:
    """Two runs give the very same games."""
    system = load_system("riftbound", "theft")
    assert check(system).verdicts == check(system).verdicts
