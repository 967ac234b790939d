"""Which rules a proof leans on: switches mean what leaving a rule out means, and cores suffice."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest

from checker.certificates.invariant import Invariant
from checker.certificates.reached import reachable
from checker.engines.protocol import Holds, Limits
from checker.engines.registry import engine
from checker.errors import InternalError
from checker.mutation.leaning import Leaning, leaning, leans_on, shrink, switchable
from checker.mutation.shown import switched_off
from checker.mutation.why import needs
from checker.pipeline import load_system
from checker.system.model import Kind, Rule, TransitionSystem
from checker.traces import evaluator
from tests.engines.test_smt import LIFT, LIFT_GOALS
from tests.mutation.lamps import write_lamps
from tests.mutation.test_why import SAFE
from tests.traces.toys import game, toy


def boards(system: TransitionSystem) -> int:
    """Count the reachable boards."""
    states = engine("explicit").check(system, (), Limits(), lambda _: None).counts.states
    assert states is not None
    return states


@pytest.mark.parametrize("name", ["lamps", "chain", "wheel", "traps"])
def test_a_switch_that_is_off_is_a_rule_left_out(name: str) -> None:
    system = game(name)
    rules = switchable(system)
    assert boards(rules.system) == boards(system)
    compared = 0
    for rule, variable in rules.switches.items():
        without = switched_off(system, frozenset({rule}))
        if without is None:
            continue
        variables = list(rules.system.variables)
        variables[variable] = replace(variables[variable], initial=(0,))
        assert boards(replace(rules.system, variables=tuple(variables))) == boards(without)
        compared += 1
    assert compared >= 2


def test_a_weighted_rule_can_be_switched() -> None:
    """Two of three, if it is in force."""
    system = toy("""
        fluent(on(1..3), (yes; no)). initially(on(1..3), (yes; no)).
        action(wait). by(wait, alice).
        %@ 1
        possible(wait) :- 2 #sum { 1, N : now(on(N), yes) }.
        violated(many) :- possible(wait).
        """, {"many": Kind.INVARIANT})  # fmt: skip
    heads = [rule for rule in system.rules() if rule.head in system.fired]
    assert heads
    rule = Rule(9, (1, 2, 3), (1, 1, 1), 2)
    weighted = replace(system, fired={9: 0}, strata=(replace(system.strata[0], rules=(rule,)),))
    (switched,) = switchable(weighted).system.rules()
    assert (switched.weights, switched.bound) == ((1, 1, 1, 4), 6)
    assert switched.body[:3] == rule.body


def test_a_lift_that_stands_still_falls_nowhere() -> None:
    """Whichever rule is left out, fewer floors are reached."""
    system = toy(LIFT, LIFT_GOALS)
    floors = reachable(system, Limits())
    assert floors is not None
    assert leans_on(system, system.goal["no_deep"], floors, Limits()) == frozenset()


@cache
def azir() -> TransitionSystem:
    """Load a board once."""
    return load_system("riftbound@1.3", "azir")


def test_a_proof_of_one_host_leans_on_detaching_from_the_old_one() -> None:
    system = azir()
    found = leaning(system, system.goal["two_cards"], minimal=True)
    assert found is not None
    assert found.how == "induction"
    clauses = {c for source in system.sources if source.id in found.rules for c in source.clauses}
    assert clauses == {"434.1.f", "435.1.b", "718.5.d"}


def test_without_all_rules_outside_a_core_the_proof_still_goes_through() -> None:
    """All reachable boards lean on many more rules; the goal is then out of reach without the others."""
    system = azir()
    goal = system.goal["two_cards"]
    invariant = reachable(system, Limits())
    assert invariant is not None
    core = leans_on(system, goal, invariant, Limits(), minimal=True)
    assert len(core) > 20
    spared = {r for r in set(system.fired.values()) - core if switched_off(system, frozenset({r})) is not None}
    assert len(spared) > 20
    without = switched_off(system, frozenset(spared))
    assert without is not None
    (verdict,) = engine("explicit").check(without, [goal], Limits(), lambda _: None).verdicts
    assert isinstance(verdict.answer, Holds)
    left = leans_on(without, goal, invariant, Limits())
    assert left <= core


def test_of_two_rules_that_do_the_same_a_minimal_core_has_one(tmp_path: Path) -> None:
    """Neither is load-bearing, the proof leans on one of them."""
    line = "set(fuse, blown) :- occurs(light(O)), now(fuse, whole).\n"
    twice = SAFE.replace(
        line, f"{line}%@ 2\nset(fuse, blown) :- occurs(light(O)), now(lit(O), no), now(fuse, whole).\n"
    )
    folder = str(write_lamps(tmp_path, twice))
    system = load_system(folder, "one")
    found = leaning(system, system.goal["never_on"], minimal=True)
    assert found is not None
    (rule,) = found.rules
    source = next(source for source in system.sources if source.id == rule)
    assert source.text.startswith("set(fuse, blown)")
    assert needs(folder, "never_on", ["one"], (), "en", 1).changes == ()


def test_a_core_is_shrunk_to_one_no_part_of_which_suffices() -> None:
    """What suffices here is any set with 3, and 1 or 2; a solver need not find the smallest."""

    def among(rules: Sequence[int]) -> frozenset[int] | None:
        return frozenset(rules) if 3 in rules and {1, 2} & set(rules) else None

    assert shrink(frozenset({1, 2, 3, 4}), among) == {2, 3}
    assert shrink(frozenset({1, 3}), among) == {1, 3}
    assert shrink(frozenset({1, 2}), lambda _: frozenset()) == frozenset()


def test_what_is_not_proved_has_no_core() -> None:
    system = game("lamps")
    assert leaning(system, system.goal["bright"], minimal=False) is None
    assert leaning(system, system.goal["dead"], minimal=False) is None
    with pytest.raises(InternalError, match="the invariant does not prove bright of toy"):
        leans_on(system, system.goal["bright"], Invariant((), (), ()), Limits())


def test_a_proof_that_needs_no_rule() -> None:
    system = game("lamps", "violated(torn_fuse) :- now(fuse, whole), now(fuse, dead).", torn_fuse=Kind.INVARIANT)
    assert leaning(system, system.goal["torn_fuse"], minimal=False) == Leaning(frozenset(), "induction")
    assert evaluator(system).enabled(next(system.initial_states()))
