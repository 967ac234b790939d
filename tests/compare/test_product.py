from __future__ import annotations

import random
import re

import pytest

from checker.compare.behaviour import project
from checker.compare.product import product
from checker.engines.protocol import Limits, Progress, Violated
from checker.engines.registry import engine
from checker.system.model import TransitionSystem
from checker.traces.confirm import confirm
from checker.traces.replay import replay
from tests.compare.lockstep import Lockstep
from tests.traces.toys import GAMES, toy

OWNERS = "owner(left, alice). owner(right, bob).\n"
EXTRA = {"order": OWNERS}


def quiet(_: Progress) -> None:
    """Say nothing."""


def built(name: str, edit: tuple[str, str] | None = None) -> TransitionSystem:
    text, goals = GAMES[name]
    text += EXTRA.get(name, "")
    if edit is not None:
        assert edit[0] in text, f"{edit[0]} is nothing to edit in {name}"
        text = text.replace(*edit)
    return toy(text, goals)


def found(left: TransitionSystem, right: TransitionSystem, engine_name: str) -> dict[str, int]:
    """Return the length of the shortest game for each kind of difference, every game replayed on both sides."""
    both = product(left, right)
    result = engine(engine_name).check(both.system, both.system.goals, Limits(), quiet)
    lengths = {}
    for verdict in result.verdicts:
        if isinstance(verdict.answer, Violated):
            trace = verdict.answer.trace
            assert trace is not None
            confirm(both.system, verdict.goal, trace)
            for side in (both.left, both.right):
                replay(side.system, project(side, trace))
            lengths[verdict.goal.name] = len(trace.steps)
    return lengths


EDITS = {
    "another limit": ("lamps", ("load(N), N >= 2, now(fuse, whole)", "load(N), N >= 4, now(fuse, whole)")),
    "one outcome fewer": ("lamps", ("outcome(whole). outcome(dead).", "outcome(whole).")),
    "no longer forced": ("traps", ("%@ 2\nforced(left) :- now(lamp, red).\n", "")),
    "another decider": ("lamps", ("by(light(C), alice)", "by(light(C), bob)")),
    "an outcome settled": ("lamps", ("{ set(fuse, V) : outcome(V) } = 1", "set(fuse, whole)")),
    "another event": (
        "lamps",
        ("occurs(light(C)).\n%@ 1.a", "occurs(light(C)).\n%@ 1\nevent(dim) :- occurs(light(red)).\n%@ 1.a"),
    ),
    "no effect": ("chain", ("set(tied(K), yes) :- occurs(tie(K))", "set(tied(K), yes) :- occurs(tie(K)), K != 3")),
    "a guard": ("chain", ("possible(tie(K)) :- knot(K),", "possible(tie(K)) :- knot(K), reach(1), K < 4,")),
    "no conflict": ("clash", ("%@ 2\nset(coin, tails) :- occurs(flip).\n", "")),
    "one turn fewer": ("wheel", ("(N + 1) \\ 3", "(N + 1) \\ 2")),
    "always greased": ("wheel", ("possible(grease) :- now(wheel, still), now(grease, no)", "possible(grease)")),
    "the last spring": ("order", ("now(ball, none)", "now(ball, _)")),
    "who releases": ("order", ("owner(left, alice)", "owner(left, bob)")),
}


@pytest.mark.parametrize("engine_name", ["symbolic", "explicit"])
@pytest.mark.parametrize("edit", EDITS)
def test_shortest_differences_are_those_of_the_plain_lockstep(edit: str, engine_name: str) -> None:
    name, change = EDITS[edit]
    left, right = built(name), built(name, change)
    lengths = found(left, right, engine_name)
    expected = Lockstep(left, right).lengths
    assert {kind: n for kind, n in lengths.items() if " " not in kind} == expected
    assert expected, f"{edit} shows nothing"


@pytest.mark.parametrize("edit", ["another limit", "no longer forced", "another decider", "one turn fewer"])
def test_swapped_sides_swap_what_is_added_and_removed(edit: str) -> None:
    name, change = EDITS[edit]
    left, right = built(name), built(name, change)
    forth, back = found(left, right, "symbolic"), found(right, left, "symbolic")
    swap = {"added": "removed", "removed": "added"}
    kinds = {k: n for k, n in forth.items() if " " not in k}
    assert {swap.get(k, k): n for k, n in kinds.items()} == {k: n for k, n in back.items() if " " not in k}


def test_every_rule_dropped_from_every_toy_agrees_with_the_plain_lockstep() -> None:
    """A rule stands on one line after its tag; dropping each in turn makes many pairs of neighbours."""
    checked = differ = 0
    for name, (text, goals) in GAMES.items():
        text += EXTRA.get(name, "")
        rules = re.findall(r"%@ [^\n]*\n(?:set|forced)\([^\n]*\n", text)
        for rule in rules:
            left, right = toy(text, goals), toy(text.replace(rule, ""), goals)
            lengths = {kind: n for kind, n in found(left, right, "symbolic").items() if " " not in kind}
            assert lengths == Lockstep(left, right).lengths, (name, rule)
            checked, differ = checked + 1, differ + bool(lengths)
    assert (checked, differ) == (23, 19)


@pytest.mark.parametrize("name", GAMES)
def test_a_no_op_edit_leaves_nothing_to_explore(name: str) -> None:
    text, goals = GAMES[name]
    text += EXTRA.get(name, "")
    head, *rules = re.split(r"(?=^%@)", text, flags=re.MULTILINE)
    random.Random(1).shuffle(rules)
    tail = [line for rule in rules for line in rule.splitlines()[2:]]
    moved = "\n".join([head, *("\n".join(rule.splitlines()[:2]) for rule in rules), *tail, "% a remark"])
    both = product(toy(text, goals), toy(re.sub(r"\bN\b", "M", moved), goals))
    assert both.same
    assert both.system.goals == ()


def test_a_property_that_asks_something_else_is_not_the_same() -> None:
    left = built("lamps")
    right = built("lamps", ("violated(bright, C) :- lamp(C), load(4)", "violated(bright, C) :- lamp(C), load(2)"))
    both = product(left, right)
    assert not both.same
    assert both.system.goals == ()


def test_a_step_that_conflicts_on_both_sides_is_no_difference() -> None:
    left = built("traps")
    right = built("traps", ("set(key, yes) :- occurs((smash; guess)).", "set(key, yes) :- occurs(guess)."))
    assert found(left, right, "symbolic") == Lockstep(left, right).lengths == {}


def test_what_is_alike_is_there_once() -> None:
    left, right = built("lamps"), built("lamps", EDITS["another decider"][1])
    rules = sum(1 for _ in left.rules())
    together = sum(1 for _ in product(left, right).system.rules())
    assert together < 2 * rules


def test_a_fluent_of_one_side_alone_is_carried_along_but_not_compared() -> None:
    extra = "fluent(dust, (yes; no)). initially(dust, no).\n%@ 9\nset(dust, yes) :- occurs(light(_)).\n"
    text, goals = GAMES["lamps"]
    both = product(toy(text, goals), toy(text + extra, goals))
    assert [str(name) for name in both.only[1]] == ["dust"]
    assert not both.same
    assert found(toy(text, goals), toy(text + extra, goals), "symbolic") == {}


def test_a_fluent_of_one_side_alone_may_make_a_difference_later() -> None:
    extra = "fluent(dust, (yes; no)). initially(dust, no).\n%@ 9\nset(dust, yes) :- occurs(light(red)).\n"
    text, goals = GAMES["lamps"]
    dusty = text.replace("possible(mend) :- now(fuse, blown).", "possible(mend) :- now(fuse, blown), now(dust, no).")
    left, right = toy(text, goals), toy(dusty + extra, goals)
    lengths = {kind: n for kind, n in found(left, right, "symbolic").items() if " " not in kind}
    assert lengths == Lockstep(left, right).lengths == {"removed": 2}


def test_another_start_is_said() -> None:
    left, right = built("lamps"), built("lamps", ("initially(fuse, whole)", "initially(fuse, (whole; dead))"))
    both = product(left, right)
    assert [str(name) for name in both.starts] == ["fuse"]
    assert not both.same


def test_clauses_behind_a_difference_are_those_that_fire_on_one_side_alone() -> None:
    left, right = built("lamps"), built("lamps", EDITS["another limit"][1])
    lengths = found(left, right, "symbolic")
    assert {name: n for name, n in lengths.items() if name.startswith("clause")} == {"clause 3": 2}


@pytest.mark.parametrize("action", ["flip", "spin", "drop"])
def test_a_rule_that_fires_always_on_one_side_and_not_always_on_the_other_is_behind_it(action: str) -> None:
    text, goals = GAMES["clash"]
    guarded = text.replace("possible(A) :- action(A).", "possible(A) :- action(A), free(A).")
    guarded += f"free(A) :- action(A), A != {action}.\n"
    left, right = (toy(f"{guarded}free({action}){body}.\n", goals) for body in (" :- free(_)", " :- now(coin, edge)"))
    assert found(left, right, "symbolic") == {"removed": 1, "clause 1": 1}
