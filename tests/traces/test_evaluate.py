"""The plain evaluator: what holds, what may be done, what follows."""

from dataclasses import replace

import pytest

from checker.engines.asp import enumerate_boards
from checker.system.model import Rule, State, Stratum, TransitionSystem
from checker.traces import enabled, evaluate, evaluator, options, successors
from tests.traces.toys import board, game, names, step, term


def explore(system: TransitionSystem) -> tuple[set[State], int]:
    """Return the boards reached by `successors` alone, and how many transitions lead to them."""
    seen = set(system.initial_states())
    waiting, transitions = list(seen), 0
    while waiting:
        after = [state for _, state in successors(system, waiting.pop())]
        transitions += len(after)
        waiting.extend(set(after) - seen)
        seen.update(after)
    return seen, transitions


@pytest.mark.parametrize(
    ("name", "boards", "transitions"),
    [("lamps", 6, 6), ("clash", 3, 5), ("chain", 8, 12), ("wheel", 6, 7), ("traps", 9, 12)],
)
def test_successors_give_the_boards_that_clingo_enumerates(name: str, boards: int, transitions: int) -> None:
    system = game(name)
    seen, count = explore(system)
    assert (len(seen), count) == (boards, transitions)
    assert seen == enumerate_boards(system)


def test_a_sum_and_the_events_of_a_step_hold() -> None:
    system = game("lamps")
    true = evaluate(system, board(system, lit__red="yes"), step(system, "light(blue)").action)
    assert names(system, true, "load") == {"load(2)"}
    assert names(system, true, "event") == {"event(lit(blue))"}
    assert names(system, true, "set") == {"set(lit(blue),yes)", "set(fuse,blown)"}
    assert names(system, true, "violated") == {"violated(overload,blue)"}


def test_the_board_alone_has_no_event() -> None:
    system = game("lamps")
    true = evaluate(system, board(system, lit__red="yes"))
    assert not names(system, true, "event") | names(system, true, "set")
    assert names(system, true, "now") == {"now(lit(red),yes)", "now(lit(blue),no)", "now(fuse,whole)"}


def test_forced_actions_exclude_the_others() -> None:
    system = game("lamps")
    start = [str(system.actions[a].name) for a in enabled(system, board(system))]
    assert start == ["light(blue)", "light(red)"]
    blown = board(system, fuse="blown", lit__red="yes")
    assert "possible(light(blue))" in names(system, evaluate(system, blown), "possible")
    assert [str(system.actions[a].name) for a in enabled(system, blown)] == ["mend"]


def test_an_open_outcome_goes_every_way_its_options_allow() -> None:
    system = game("clash")
    spin = step(system, "spin").action
    both = [step(system, "spin", f"set(coin,{side})").chosen for side in ("heads", "tails")]
    assert options(system, board(system, coin="heads"), spin) == both
    assert options(system, board(system), step(system, "drop").action) == [()]


def test_an_outcome_without_an_option_is_stuck() -> None:
    system = game("clash")
    (way,) = evaluator(system).resolve(board(system), step(system, "spin").action)
    assert (way.stuck, way.next) == ((0,), None)


def test_a_conflict_has_no_next_board() -> None:
    system = game("clash")
    (way,) = evaluator(system).resolve(board(system), step(system, "flip").action)
    heads, tails = (system.variables[0].domain.index(v) for v in map(term, ("heads", "tails")))
    assert (way.conflicts, way.values, way.next) == ((0,), {0: frozenset({heads, tails})}, None)


@pytest.mark.parametrize(("tied", "reached"), [("234", "1234"), ("34", "1"), ("2", "12"), ("24", "12"), ("", "1")])
def test_recursion_is_a_least_fixpoint(tied: str, reached: str) -> None:
    system = game("chain")
    state = board(system, **{f"tied__{knot}": "yes" for knot in tied})
    found = names(system, evaluate(system, state), "reach")
    assert found == {f"reach({knot})" for knot in reached}


def test_weights_count_negated_literals_too() -> None:
    base = game("clash")
    heads, edge = (base.atom_of[term(f"now(coin,{side})")] for side in ("heads", "edge"))
    new = len(base.atoms)
    rule = Rule(new, (-heads, edge), (2, 3), 5)
    system = replace(base, atoms=(*base.atoms, None), strata=(*base.strata, Stratum((rule,), False)))
    assert [new in evaluate(system, board(base, coin=side)) for side in ("edge", "heads", "tails")] == [
        True,
        False,
        False,
    ]


def test_rules_are_indexed_once_per_system() -> None:
    system = game("lamps")
    assert evaluator(system) is evaluator(system)
    assert evaluator(system) is not evaluator(game("lamps"))
