"""`prove --equivalence`, and what `prove` says of it."""

from __future__ import annotations

from pathlib import Path
from shutil import copyfile, copytree

import pytest

from checker.equivalence.coverage import coverage
from checker.paths import encodings, models
from tests.equivalence.sides import shipped
from tests.test_cli import run

SMT = encodings() / "smt" / "magic"


def test_both_encodings_of_magic_take_the_same_steps(capsys: pytest.CaptureFixture[str]) -> None:
    """On every board that is compared, each step of the rules and each action of the first-order encoding."""
    assert run("prove", "magic", "--equivalence") == 0
    *lines, seconds = capsys.readouterr().out.splitlines()
    assert lines == [
        "mana: 71 of 71 ways to act are the same in both encodings; 12 actions of the first-order one",
        "two_sides: 71 of 71 ways to act are the same in both encodings; 12 actions of the first-order one",
        "12 of 12 actions of the encoding are steps of the rules",
    ]
    assert seconds.startswith("magic 2026-09-25: ")


def test_a_difference_is_shown(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A rulebook with its own encoding, in which whatever is tapped comes off in the check."""
    copytree(models() / "magic", tmp_path / "magic")
    copytree(SMT, tmp_path / "magic" / "smt")
    (tmp_path / "magic" / "smt" / "boards" / "mana.toml").unlink()
    path = tmp_path / "magic" / "smt" / "02_actions.smt2"
    old = "(and clause.704.5p (or (not (equipment e))"
    text = path.read_text()
    assert text.count(old) == 1
    path.write_text(text.replace(old, "(and clause.704.5p (or (tapped e) (not (equipment e))"))
    assert run("prove", str(tmp_path / "magic"), "--equivalence") == 1
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("two_sides: 70 of 72 ways to act")
    assert [line for line in lines if line.endswith(": outcome")] == ["check_state: outcome", "check: outcome"]
    assert sum("the first-order encoding" in line and "attached(" in line for line in lines) == 2


def test_an_action_that_contradicts_itself_is_the_encodings_fault(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    copytree(models() / "magic", tmp_path / "magic")
    copytree(SMT, tmp_path / "magic" / "smt")
    (tmp_path / "magic" / "smt" / "boards" / "mana.toml").unlink()
    path = tmp_path / "magic" / "smt" / "02_actions.smt2"
    ends = "(not priority.next))\n  :action attach)"
    path.write_text(path.read_text().replace(ends, f"priority.next {ends}"))
    assert run("prove", str(tmp_path / "magic"), "--equivalence") == 2
    assert "attach has no outcome where it is allowed" in capsys.readouterr().err


def test_what_is_not_compared_is_said(tmp_path: Path) -> None:
    theory = shipped("magic")
    assert coverage(theory, SMT) == "prove --equivalence, not done here, compares 12 of 12 actions with the rules"
    assert coverage(theory, tmp_path).startswith("nothing compares 12 actions with the rules: no shared.toml ")
    copyfile(SMT / "shared.toml", tmp_path / "shared.toml")
    with (tmp_path / "shared.toml").open("a") as file:
        file.write('\n[left_out]\ntap = "of no interest"\n')
    assert coverage(theory, tmp_path) == (
        "prove --equivalence, not done here, compares 11 of 12 actions with the rules\n  not tap: of no interest"
    )


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("riftbound", "--equivalence", "-p", "two_cards"), "--equivalence compares whole encodings"),
        (("riftbound", "--equivalence", "-r", "wm_pay_at=late"), 'has no value "late"'),
        (("bench/equip_bench", "--equivalence"), "has no first-order encoding"),
        (("riftbound@1.2", "--equivalence"), "version 1.2 of riftbound has no first-order encoding"),
    ],
)
def test_what_is_wrong_is_said(arguments: tuple[str, ...], message: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("prove", *arguments) == 2
    assert message in capsys.readouterr().err
