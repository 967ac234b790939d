"""The benchmark model: its exact counts, its broken properties, and SPIN's opinion of it."""

from __future__ import annotations

import re
import shutil

import pytest

from bench.reference import REFERENCE
from bench.run import Failed, Measured, Spent, read_spin, render, spin
from checker.engines.explicit import ExplicitEngine
from checker.engines.protocol import Counts, Holds, Limits, Violated
from checker.pipeline import load_system
from checker.rulebook.load import load_rulebook
from checker.traces import confirm

RULEBOOK = "bench/equip_bench"
SPENT = Spent(2.0, 1.5, 1 << 20)
SMALL = [size for size, reference in REFERENCE.items() if reference.states < 1_000_000]
TRUE = ["located_with_bearer", "same_controller", "home_base"]
BROKEN = ["no_loose_gear", "not_all_loose"]


@pytest.mark.parametrize("size", SMALL)
def test_counts_and_verdicts_are_those_of_other_checkers(size: str) -> None:
    """States, transitions, levels, boards that break a property and lengths of games: all exact."""
    reference = REFERENCE[size]
    system = load_system(RULEBOOK, size)
    result = ExplicitEngine().check(system, system.goals, Limits(), lambda _: None)
    assert result.counts == Counts(
        reference.states, reference.transitions, reference.levels, reference.largest_level, True
    )
    found = {verdict.goal.name: verdict.answer for verdict in result.verdicts}
    assert all(isinstance(found[name], Holds) for name in TRUE)
    for name, breaking, shortest in zip(BROKEN, reference.breaking, reference.shortest, strict=True):
        answer = found[name]
        if shortest is None:
            assert isinstance(answer, Holds)
            continue
        assert isinstance(answer, Violated)
        assert answer.trace is not None
        assert (answer.breaking, len(answer.trace.steps)) == (breaking, shortest)
        confirm(system, system.goal[name], answer.trace)


def test_every_size_of_the_reference_has_a_board() -> None:
    """The boards are those of the table, each with the facts its name says and its count in its purpose."""
    boards = load_rulebook(RULEBOOK).folder / "boards"
    assert {path.stem for path in boards.glob("*.toml")} == REFERENCE.keys()
    for name, reference in REFERENCE.items():
        text = (boards / f"{name}.toml").read_text(encoding="utf-8")
        facts = re.findall(r"^(units|gear|battlefields|energy) = (\d+)$", text, re.MULTILINE)
        assert [value for _, value in facts] == re.findall(r"\d+", name)
        assert f"{reference.states:,} reachable boards" in text


@pytest.mark.parametrize("size", ["u4_g4_b2_e2", "u5_g5_b2_e2", "u6_g6_b3_e3"])
def test_large_boards_have_the_bits_of_the_reference(size: str) -> None:
    """A packed board takes as many bits as the definition says."""
    bits = {"u4_g4_b2_e2": 46, "u5_g5_b2_e2": 55, "u6_g6_b3_e3": 77}
    assert load_system(RULEBOOK, size).bits == bits[size]


@pytest.mark.skipif(shutil.which("spin") is None or shutil.which("gcc") is None, reason="needs spin and gcc")
@pytest.mark.parametrize("size", ["u1_g1_b1_e1", "u1_g3_b2_e1", "u2_g2_b2_e2"])
def test_the_promela_model_has_the_same_graph(size: str) -> None:
    """SPIN stores exactly the model's states and takes exactly its steps."""
    result = spin(size, 1 << 30, 60)
    assert isinstance(result, Measured)
    assert (result.states, result.transitions) == (REFERENCE[size].states, REFERENCE[size].transitions)


def test_what_spin_prints_is_read() -> None:
    """The initial state is no step, a rounded count of steps is none, and a search cut short has failed."""
    said = "depth reached 25, errors: 0\n 44196272 states, stored\n{} transitions (= stored+matched)\n"
    assert read_spin(said.format("   9999"), SPENT) == Measured(44196272, 9998, SPENT)
    assert read_spin(said.format("2.2171628e+08"), SPENT) == Measured(44196272, None, SPENT)
    cut = "error: max search depth too small\n" + said.format("9999")
    assert isinstance(read_spin(cut, SPENT), Failed)


def test_a_wrong_count_is_shown() -> None:
    """The table tells exact counts, wrong ones and failures apart."""
    states, transitions = REFERENCE["u1_g1_b1_e1"].states, REFERENCE["u1_g1_b1_e1"].transitions
    rows: dict[str, Measured | Failed] = {
        "right": Measured(states, transitions, SPENT),
        "partial": Measured(states, None, SPENT),
        "wrong": Measured(states, 1, SPENT),
        "none": Failed("over 1 s"),
    }
    assert list(render("u1_g1_b1_e1", rows).columns[-1].cells) == ["exact", "exact", "WRONG", "over 1 s"]
