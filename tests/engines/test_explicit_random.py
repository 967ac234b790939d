"""The explicit engine against the plain evaluator, on random systems with every feature of ground rules."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from checker.engines.protocol import Answer, Holds, Violated
from checker.system.model import State, TransitionSystem
from checker.traces.evaluate import Evaluator, Resolved, evaluator
from tests.engines.random_systems import random_system
from tests.engines.test_explicit import answers, check, counted_by_replay, trace_of


def levels_of(rules: Evaluator) -> dict[State, int]:
    """Return the level of every reachable board."""
    level = list(rules.system.initial_states())
    found = dict.fromkeys(level, 0)
    for board in level:
        for _, after in rules.successors(board):
            if after not in found:
                found[after] = found[board] + 1
                level.append(after)
    return found


def seen(system: TransitionSystem) -> Iterator[tuple[str, int]]:
    """Yield each property that is seen broken or reached, with the steps it takes, wherever it is.

    Atoms that depend on the step count in steps alone, though negation may make them true on a board.
    """
    rules = evaluator(system)
    atoms = {name: {a for a, _ in goal.violated} | {*goal.reached} for name, goal in system.goal.items()}
    for board, level in levels_of(rules).items():
        true = rules.evaluate(board) - rules.step_atoms
        yield from ((name, level) for name, wanted in atoms.items() if true & wanted)
        for action in rules.enabled(board):
            for way in rules.resolve(board, action):
                yield from ((n, level + 1) for n, wanted in atoms.items() if way.true & wanted & rules.step_atoms)
                if way.conflicts:
                    yield "torn", level + 1
                if is_open(system, way):
                    yield "open", level + 1


def is_open(system: TransitionSystem, way: Resolved) -> bool:
    """Tell whether an outcome had none or several options."""
    fired = [outcome for outcome in system.outcomes if outcome.fired in way.true]
    return any(sum(o.enabled in way.true for o in outcome.options) != 1 for outcome in fired)


def shown(answer: Answer) -> int | None:
    """Return the length of the trace of what was seen, None if nothing was."""
    trace = trace_of(answer)
    return None if trace is None else len(trace.steps)


@pytest.mark.parametrize("seed", range(80))
def test_random_systems(seed: int) -> None:
    """Counts, verdicts and the lengths of games are those of a search with plain sets."""
    system = random_system(seed)
    assert check(system).counts == counted_by_replay(system)
    shortest: dict[str, int] = {}
    for name, steps in seen(system):
        shortest[name] = min(steps, shortest.get(name, steps))
    found = answers(system)
    acts = found.pop("acts")
    assert {name: shown(answer) for name, answer in found.items()} == {n: shortest.get(n) for n in found}
    rules = evaluator(system)
    alive = {action for board in levels_of(rules) for action in rules.enabled(board)}
    dead = [str(a.name) for index, a in enumerate(system.actions) if index not in alive]
    assert list(acts.culprits if isinstance(acts, Violated) else ()) == dead
    assert isinstance(acts, Holds) == (not dead)
