"""`prove`: claims for any number of cards on the command line."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.firstorder.test_prove import NAMED
from tests.test_cli import run
from tests.toybook import write_toy


def test_the_shipped_claims_are_proved_and_certified(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "proofs"
    assert run("prove", "riftbound", "--certificate", str(folder)) == 0
    lines = capsys.readouterr().out.splitlines()
    assert {line.split()[0] for line in lines if " proved for any number of cards;" in line} == NAMED
    assert sum("outside the decidable fragment" in line for line in lines) == 3
    assert run("certify", str(folder)) == 0
    assert capsys.readouterr().out.startswith("holds    riftbound@1.3, any number of cards: two_cards, ")
    for path in [p for p in folder.rglob("*") if p.is_file()]:
        content = path.read_bytes()
        path.write_bytes(content[:-9] + bytes([content[-9] ^ 1]) + content[-8:])
        assert run("certify", str(folder)) == 4, path
        path.write_bytes(content)


def test_one_claim_takes_along_what_it_rests_on(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "proofs"
    assert run("prove", "magic", "-p", "one_host", "--certificate", str(folder)) == 0
    assert capsys.readouterr().out.splitlines()[0].startswith("one_host  proved")
    assert run("certify", str(folder)) == 0
    assert capsys.readouterr().out.startswith("holds    magic@2026-09-25, any number of cards: one_host (")


def test_a_refuted_claim_is_shown_as_boards(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("prove", "riftbound", "-p", "unit_attached", "-r", "gear_becomes_unit=stay") == 1
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "unit_attached  refuted by a game of 2 actions"
    actions = [line.strip().partition("(")[0] for line in lines if line.startswith("  ") and line[2] != " "]
    assert actions == ["the board", "attach", "become_unit"]


def test_choices_the_encoding_does_not_know_are_said(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("prove", "riftbound", "-p", "two_cards", "-r", "same_attach=reattach") == 0
    assert "of no account in the encoding: same_attach=reattach" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["-p", "two_card"], 'has no claim "two_card"; did you mean "two_cards"?'),
        (["-r", "gear_exits=silent"], 'there is no reading "gear_exits"'),
        (["-r", "gear_exit=loud"], 'reading "gear_exit" has no value "loud"'),
    ],
)
def test_wrong_arguments(options: list[str], message: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("prove", "riftbound", *options) == 2
    assert message in capsys.readouterr().err


def test_a_rulebook_without_an_encoding(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("prove", str(write_toy(tmp_path))) == 2
    assert "toy has no first-order encoding" in capsys.readouterr().err
