"""Cutting the rules per action changes no step."""

from __future__ import annotations

import pytest

from checker.system.model import Atom, Rule, State, Stratum, TransitionSystem
from checker.system.specialise import specialise
from checker.traces import evaluator
from tests.traces.toys import GAMES, game


def derive(strata: tuple[Stratum, ...], true: set[Atom]) -> set[Atom]:
    """Evaluate strata on top of the atoms that are true already."""
    for stratum in strata:
        grown = True
        while grown:
            grown = False
            for rule in stratum.rules:
                if rule.head not in true and body_holds(rule, true):
                    true.add(rule.head)
                    grown = stratum.recursive
    return true


def body_holds(rule: Rule, true: set[Atom]) -> bool:
    """Whether the body of a rule holds."""
    holding = [(abs(lit) in true) == (lit > 0) for lit in rule.body]
    if rule.weights:
        return sum(w for w, ok in zip(rule.weights, holding, strict=True) if ok) >= rule.bound
    return all(holding)


def reachable(system: TransitionSystem) -> list[State]:
    """Every reachable board, by the plain evaluator."""
    seen = dict.fromkeys(system.initial_states())
    for state in (waiting := list(seen)):
        for _, after in evaluator(system).successors(state):
            if after not in seen:
                seen[after] = None
                waiting.append(after)
    return list(seen)


@pytest.mark.parametrize("name", GAMES)
def test_every_step_has_the_same_effects_and_goals(name: str) -> None:
    """On each reachable board and action, cut rules and raw rules derive the same set and goal atoms."""
    system = game(name, "owner(left, game). owner(right, game)." if name == "order" else "")
    goals = [a for g in system.goals for a, _ in g.violated] + [a for g in system.goals for a in g.resolution]
    cut = specialise(system, goals)
    compared = 0
    for state in reachable(system):
        now = {v.atoms[i] for v, i in zip(system.variables, state, strict=True)}
        board = derive(cut.board, set(now))
        for step in cut.steps:
            raw = evaluator(system).evaluate(state, step.action)
            true = derive(step.strata, set(board))
            assert {e for e in system.effects if e.atom in raw} == {e for e in step.effects if e.atom in true}
            assert {g for g in goals if g in raw} == {g for g in goals if g in true}
            compared += 1

    assert compared >= 6


def test_an_action_keeps_only_its_own_rules() -> None:
    """The step rules of lighting one lamp say nothing of the other lamp, nor of mending."""
    system = game("lamps")
    step = next(s for s in specialise(system).steps if str(system.actions[s.action].name) == "light(red)")

    assert {str(system.atoms[e.atom]) for e in step.effects} == {"set(lit(red),yes)", "set(fuse,blown)"}
    assert step.outcomes == ()
