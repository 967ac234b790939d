"""Different games for one property: exact, shortest first, and the same from both engines that look for them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest
from clingo.symbol import Function

from checker.engines.agree import require_agreement
from checker.engines.different import KINDS, End, Ends
from checker.engines.protocol import Answer, Further, Limits, Result, Shown, Verdict, Violated
from checker.engines.registry import engine
from checker.errors import InternalError
from checker.system.model import Atom, Goal, Kind, RuleSource, State, TransitionSystem
from checker.traces.confirm import confirm
from checker.traces.evaluate import Evaluator, evaluator
from tests.engines.random_systems import random_system
from tests.traces.toys import toy

MANY = Limits(games=99)

DESKS = """
desk(D) :- object(D).
fluent(on(D), (no; yes)) :- desk(D).   initially(on(D), no) :- desk(D).
fluent(power, (no; yes)).  initially(power, no).
action(plug; light(D); spark(D)) :- desk(D).  by(plug, alice).  by(light(D), alice; spark(D), alice) :- desk(D).
%@ 1
possible(plug) :- now(power, no).
%@ 1
set(power, yes) :- occurs(plug).
%@ 2
possible(light(D)) :- desk(D), now(power, yes).
%@ 2
set(on(D), yes) :- occurs(light(D)).
%@ 3
possible(spark(D)) :- desk(D).
%@ 3
set(on(D), yes) :- occurs(spark(D)).
%@ 4
set(power, no) :- occurs(spark(D)), now(power, yes).
violated(dark, D) :- now(on(D), yes).
violated(quiet, D) :- occurs(spark(D)).
"""
BOARD = ("object(a)", "object(b)", "object(c)", "object(c,card,large)")
"""Two desks that nothing tells apart, and a larger one; each may be lit in two ways."""


SPRINGS = """
% A push sets springs free, which the game releases in any order; the first one catches the ball.
spring(S) :- object(S).
fluent(pushed, (no; yes)).  initially(pushed, no).
fluent(spring(S), (tense; gone)) :- spring(S).  initially(spring(S), tense) :- spring(S).
fluent(ball, none).  fluent(ball, S) :- spring(S).  initially(ball, none).
fluent(coin, (heads; tails)) :- coin.  initially(coin, heads) :- coin.
action(push).  by(push, alice).
action(release(S)) :- spring(S).  by(release(S), game) :- spring(S).
%@ 1
possible(push) :- now(pushed, no).
%@ 1
possible(release(S)) :- now(pushed, yes), now(spring(S), tense).
%@ 1
forced(release(S)) :- spring(S).
%@ 2
set(pushed, yes) :- occurs(push).
%@ 2
set(spring(S), gone) :- occurs(release(S)).
%@ 2
set(ball, S) :- occurs(release(S)), now(ball, none).
%@ 3
{ set(coin, V) : side(V) } = 1 :- occurs(push), coin.
side(heads).  side(tails).
resolution(fair) :- occurs(push).
#defined coin/0.
"""

DEAF = """
% Whoever asks or shouts is never answered, but has to wait for ever; a knock is heard.
fluent(talk, (idle; open; heard)).  initially(talk, idle).
action((ask; shout; knock; wait)).  by((ask; shout; knock), alice).  by(wait, game).
%@ 1
possible((ask; shout; knock)) :- now(talk, idle).
%@ 1
possible(wait) :- now(talk, open).
%@ 1
forced(wait).
%@ 2
set(talk, open) :- occurs(ask).
%@ 3
set(talk, open) :- occurs(shout).
%@ 4
set(talk, heard) :- occurs(knock).
pending(told) :- now(talk, (open; heard)).
answered(told) :- now(talk, heard).
"""


def asked(system: TransitionSystem, name: str, limits: Limits = MANY) -> dict[str, Answer]:
    """Return the answer of each engine to each property, having held them against each other."""
    results = [engine(name).check(system, system.goals, limits, lambda _: None) for name in (name, "explicit")]
    require_agreement(system, *results)
    return {verdict.goal.name: verdict.answer for verdict in results[0].verdicts}


def told(answer: Answer) -> tuple[list[tuple[int, tuple[str, ...]]], bool]:
    """Return the lengths and culprits of all games of an answer, and whether there are no others."""
    assert isinstance(answer, Violated)
    assert answer.trace is not None
    assert answer.further is not None
    games = [Shown(answer.trace, answer.culprits), *answer.further.games]
    return [(len(shown.trace.steps), shown.culprits) for shown in games], answer.further.complete


@pytest.mark.parametrize("name", ["symbolic", "explicit"])
def test_desks_that_nothing_tells_apart_count_once_and_clauses_make_a_difference(name: str) -> None:
    system = toy(DESKS, {"dark": Kind.INVARIANT, "quiet": Kind.STEP}, BOARD)
    found = asked(system, name)
    games, complete = told(found["dark"])
    assert complete
    assert [length for length, _ in games] == [1, 1, 2, 2, 2, 2]  # spark, light, and spark that cuts the power
    assert sorted(culprits == ("c",) for _, culprits in games) == [False] * 3 + [True] * 3
    games, complete = told(found["quiet"])
    assert [length for length, _ in games] == [1, 1, 2, 2]
    assert complete


@pytest.mark.parametrize("name", ["symbolic", "explicit"])
def test_orders_that_nobody_decides_differ_in_their_actions(name: str) -> None:
    """Of three springs two are alike, so two pairs differ; the coin that the push leaves open comes on top."""
    pairs = [{"release(a)", "release(b)"}, {"release(a)", "release(c)"}]
    for rules, opened in ((SPRINGS, []), (f"{SPRINGS}coin.", [{"set(coin,heads)", "set(coin,tails)"}])):
        system = toy(rules, {"fair": Kind.DETERMINISM}, BOARD)
        answer = asked(system, name)["fair"]
        games, complete = told(answer)
        assert complete
        assert [length for length, _ in games] == [1] * (2 + len(opened))
        named = [{culprit.replace("release(b)", "release(a)") if "release(c)" in said else culprit for culprit in said}
                 for _, said in games]  # fmt: skip
        assert sorted(map(sorted, named)) == sorted(map(sorted, (*pairs, *opened)))
        assert isinstance(answer, Violated)
        assert answer.further is not None
        for shown in answer.further.games:
            assert shown.culprits[0] in shown.note
            confirm(system, system.goals[0], shown.trace)
        games, complete = told(asked(system, name, Limits(games=2))["fair"])
        assert (len(games), complete) == (2, False)


def test_runs_without_an_end_differ_in_the_step_that_leads_there() -> None:
    system = toy(DEAF, {"told": Kind.RESPONSE, "ends": Kind.TERMINATION})
    found = asked(system, "symbolic")
    for goal in system.goals:
        answer = found[goal.name]
        games, complete = told(answer)
        assert ([length for length, _ in games], complete) == ([2, 2], True)
        assert isinstance(answer, Violated)
        assert answer.trace is not None
        assert answer.further is not None
        traces = [answer.trace, *(shown.trace for shown in answer.further.games)]
        first = {str(system.actions[trace.steps[0].action].name) for trace in traces}
        assert (first, {trace.loop for trace in traces}) == ({"ask", "shout"}, {1})
        for trace in traces:
            confirm(system, goal, trace)


def test_both_engines_find_the_same_orders_in_random_systems() -> None:
    """Games of the same lengths, as two searches that share nothing find them; several in some of the systems."""
    most = []
    for seed in range(120):
        system = _named(random_system(seed))
        game = ((Function("game"), None),)
        actions = tuple(replace(action, by=game, forced=action.possible) for action in system.actions)
        resolution = (*(atom for atom, _ in system.goals[1].violated), system.goals[2].reached[1])
        goals = (Goal("fair", Kind.DETERMINISM, resolution=resolution),)
        system = replace(system, actions=actions, goals=goals)
        results = [engine(name).check(system, goals, MANY, lambda _: None) for name in ("symbolic", "explicit")]
        answers = [result.verdicts[0].answer for result in results]
        if isinstance(answers[0], Violated):
            (ours, complete), (theirs, other) = map(told, answers)
            assert (complete, other) == (True, True)
            assert [length for length, _ in ours] == [length for length, _ in theirs]
            most.append(len(ours))
    assert len(most) > 8
    assert max(most) > 1


@pytest.mark.parametrize("name", ["symbolic", "explicit", "auto"])
def test_no_more_games_than_asked_for(name: str) -> None:
    system = toy(DESKS, {"dark": Kind.INVARIANT}, BOARD)
    games, complete = told(asked(system, name, Limits(games=3))["dark"])
    assert [length for length, _ in games] == [1, 1, 2]
    assert not complete
    one = engine(name).check(system, system.goals, Limits(), lambda _: None).verdicts[0].answer
    assert isinstance(one, Violated)
    assert one.further is None


@pytest.mark.parametrize("name", ["asp", "smt"])
def test_other_engines_say_that_they_look_for_one(name: str) -> None:
    system = toy(DESKS, {"dark": Kind.INVARIANT}, BOARD)
    (verdict,) = engine(name).check(system, system.goals, Limits(depth=3, games=3), lambda _: None).verdicts
    assert isinstance(verdict.answer, Violated)
    assert verdict.answer.further is None


def test_an_engine_that_misses_a_game_is_found_out() -> None:
    system = toy(DESKS, {"dark": Kind.INVARIANT}, BOARD)
    right = engine("symbolic").check(system, system.goals, MANY, lambda _: None)
    answer = right.verdicts[0].answer
    assert isinstance(answer, Violated)
    assert answer.further is not None
    short = replace(answer, further=Further(answer.further.games[:-1], complete=True))
    wrong = Result((Verdict(system.goals[0], short, "other"),), right.counts, 0.0)
    with pytest.raises(InternalError, match="then 1, then 2, then 2, then 2, then 2"):
        require_agreement(system, right, wrong)


@pytest.mark.parametrize("seed", range(30))
def test_random_systems(seed: int) -> None:
    system = _named(random_system(seed))
    found = asked(system, "symbolic")
    for goal in system.goals:
        answer = found[goal.name]
        if goal.kind not in KINDS or not isinstance(answer, Violated) or answer.trace is None:
            continue
        games, complete = told(answer)
        assert complete
        assert [length for length, _ in games] == sorted(_brute(system, goal).values())
        assert answer.further is not None
        for shown in answer.further.games:
            confirm(system, goal, shown.trace)


def _named(system: TransitionSystem) -> TransitionSystem:
    """Name every atom, and tie the atoms of the step to three clauses."""
    derived = evaluator(system).step_atoms - {action.occurs for action in system.actions}
    heads = {rule.head for rule in system.rules()} & derived
    atoms = (None, *(Function(f"atom{number}") for number in range(1, len(system.atoms))))
    sources = tuple(RuleSource(i, "rules", i, 1, "", (f"clause {i}",), None) for i in range(3))
    return replace(system, atoms=atoms, fired={atom: atom % 3 for atom in sorted(heads)}, sources=sources)


def _brute(system: TransitionSystem, goal: Goal) -> dict[End, int]:
    """Return every end with the steps of a shortest game, by the plain evaluator."""
    rules, ends = evaluator(system), Ends(system, goal)
    found: dict[End, int] = {}
    level, seen, depth = set(system.initial_states()), set[State](), 0
    for state in sorted(level):
        if broken := _broken(rules, goal, rules.evaluate(state), step=False):
            found.setdefault(ends.end(broken, None, lands=True), 0)
    while level:
        seen |= level
        for state in sorted(level):
            for end in _ends(rules, ends, goal, state):
                found.setdefault(end, depth + 1)
        level = {after for state in level for _, after in rules.successors(state)} - seen
        depth += 1
    return found


def _ends(rules: Evaluator, ends: Ends, goal: Goal, state: State) -> Iterator[End]:
    fine = not _broken(rules, goal, rules.evaluate(state), step=False)
    for action in rules.enabled(state):
        for way in rules.resolve(state, action):
            fired = [atom for atom in way.true if atom in rules.system.fired]
            opened = [o for o in rules.system.outcomes if o.fired in way.true]
            undecided = any(sum(option.enabled in way.true for option in o.options) != 1 for o in opened)
            shows = {Kind.CONFLICT: bool(way.conflicts), Kind.OPEN_OUTCOME: undecided}
            broken = _broken(rules, goal, way.true, step=True)
            if shows.get(goal.kind, bool(broken)):
                yield ends.end(broken, fired, lands=False)
            if fine and way.next is not None:
                entered = _broken(rules, goal, rules.evaluate(way.next), step=False)
                if entered:
                    yield ends.end(entered, fired, lands=True)


def _broken(rules: Evaluator, goal: Goal, true: frozenset[Atom], step: bool) -> list[Atom]:
    return [atom for atom, _ in goal.violated if atom in true and (atom in rules.step_atoms) == step]
