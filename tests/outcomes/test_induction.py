"""`prove --board --property`: where plain induction fails, the board is shown, and whether games reach it."""

from __future__ import annotations

from pathlib import Path
from shutil import copyfile

import pytest

from checker.engines.protocol import Holds, Violated
from checker.outcomes.induction import plain_failure
from checker.pipeline import load_system
from checker.system.model import Kind
from tests.engines.test_smt import LIFT, LIFT_GOALS
from tests.mutation.lamps import write_lamps
from tests.test_cli import run
from tests.traces.toys import board, game, toy


def test_the_board_before_the_fault_is_unreachable() -> None:
    """From the pit the lift falls, and no game goes there: three floors are reachable."""
    system = toy(LIFT, LIFT_GOALS)
    for goal, after in (("no_deep", board(system, floor="deep")), ("no_fall", None)):
        failure = plain_failure(system, system.goal[goal])
        assert failure is not None
        assert (failure.board, failure.after) == (board(system, floor="pit"), after)
        assert str(system.actions[failure.step.action].name) in ({"fall"} if after is None else {"fall", "down"})
        (verdict,) = failure.reached.verdicts
        assert isinstance(verdict.answer, Holds)
        assert (verdict.engine, failure.reached.counts.states) == ("explicit", 3)


def test_the_board_before_the_fault_may_be_reachable() -> None:
    system = toy(LIFT.replace("above(pit, deep).", "above(pit, deep). above(pit, roof)."), LIFT_GOALS)
    failure = plain_failure(system, system.goal["no_deep"])
    assert failure is not None
    (verdict,) = failure.reached.verdicts
    assert isinstance(verdict.answer, Violated)
    assert verdict.answer.trace is not None
    assert len(verdict.answer.trace.steps) == 3
    assert verdict.answer.trace.states[-1] == failure.board


def test_conflicts_and_open_outcomes_are_shown_by_the_step_itself() -> None:
    system = game("clash")
    for goal, action in (("torn", "flip"), ("open", "spin")):
        failure = plain_failure(system, system.goal[goal])
        assert failure is not None
        assert failure.after is None
        assert str(system.actions[failure.step.action].name) == action


def test_what_is_inductive_has_no_such_board() -> None:
    system = game("lamps", "violated(both) :- now(fuse, whole), now(fuse, dead).", both=Kind.INVARIANT)
    assert plain_failure(system, system.goal["both"]) is None
    bench = load_system("bench/equip_bench", "u1_g1_b1_e1")
    assert plain_failure(bench, bench.goal["located_with_bearer"]) is None
    assert plain_failure(bench, bench.goal["no_loose_gear"]) is not None


def test_on_the_command_line(capsys: pytest.CaptureFixture[str]) -> None:
    asked = ["-p", "home_base", "-p", "located_with_bearer"]
    assert run("prove", "bench/equip_bench", "-b", "u2_g2_b1_e1", *asked) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "u2_g2_b1_e1, home_base: No gear is at the other player's base."
    assert lines[1] == "  plain induction fails: this board may be unreachable, and shows no fault,"
    assert "  the explicit engine says: no game reaches that board; 5,632 boards are reachable" in lines
    assert lines.count("  proved: inductive, any depth") == 2
    assert any(line.startswith("  by induction, with ") and "chain != activate(g(0),u(1))" in line for line in lines)
    assert "  plain induction suffices" in lines


def test_boards_and_properties_are_asked_one_after_the_other_each_once(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """What is wrong with a later one is said before anything is proved."""
    folder = write_lamps(tmp_path)
    copyfile(folder / "boards" / "one.toml", folder / "boards" / "two.toml")
    asked = ["prove", str(folder), "-b", "one", "-b", "two", "-b", "one"]
    assert run(*asked, "-p", "never_on", "-p", "never_on") == 1
    told = [line for line in capsys.readouterr().out.splitlines() if line.startswith(("one, ", "two, "))]
    assert [line.partition(":")[0] for line in told] == ["one, never_on", "two, never_on"]
    assert run(*asked) == 0
    told = [line for line in capsys.readouterr().out.splitlines() if line.endswith(" s")]
    assert [line.partition(":")[0] for line in told] == ["toy@1/one", "toy@1/two"]
    for wrong in (["-b", "tow"], ["-b", "tow", "-p", "never_on"], ["-p", "never_on", "-p", "never_off"]):
        assert run(*asked, *wrong) == 2
        assert capsys.readouterr().out == ""


def test_what_is_violated_or_no_matter_of_induction(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = str(write_lamps(tmp_path))
    assert run("prove", folder, "-b", "one", "-p", "never_on") == 1
    assert "  violated by a game of 2 steps; see check -p never_on" in capsys.readouterr().out.splitlines()
    assert run("prove", "riftbound", "-b", "first_equip", "-p", "equip_determined") == 2
    assert '"equip_determined" is of the kind determinism' in capsys.readouterr().err
    assert run("prove", folder, "-b", "one", "-p", "never_off") == 2
    assert 'has no property "never_off"; did you mean "never_on"?' in capsys.readouterr().err
    assert run("prove", folder, "-b", "one", "-p", "never_on", "--certificate", str(tmp_path / "c")) == 2
    assert "come from check --certificate" in capsys.readouterr().err
