"""`prove`: claims for any number of cards on the command line."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path
from shutil import copytree

import pytest

from checker.paths import encodings, models
from tests.firstorder.test_prove import NAMED
from tests.test_cli import run
from tests.toybook import write_toy


def test_the_shipped_claims_are_proved_and_certified(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "proofs"
    assert run("prove", "riftbound", "--certificate", str(folder)) == 0
    lines = capsys.readouterr().out.splitlines()
    claims = [line for line in lines if " proved for any number of cards;" in line]
    assert {line.split()[0] for line in claims} == NAMED
    assert sum("outside the decidable fragment" in line for line in claims) == 3
    assert all(line.endswith(" s)") for line in claims)
    leans = {claim.split()[0]: line.split("leans on ")[1] for claim, line in pairwise(lines) if claim in claims}
    assert "434.1.f" in leans["two_cards"].split(", ")
    assert "719.3.a" not in leans["two_cards"].split(", ")
    assert "719.3.a" in leans["apart"].split(", ")
    assert sum(line.count(" functional, ") for line in lines) == 21
    assert sum(" order-independent, " in line for line in lines) == 5
    assert sum(" never both possible, " in line for line in lines) == 3
    assert run("certify", str(folder)) == 0
    assert capsys.readouterr().out.startswith("holds    riftbound@1.3, any number of cards: two_cards, ")
    names = ("two_cards.smt2", "functional.attach.smt2", "order.leave.leave.smt2", "manifest.json", "certificates.json")
    for path in [p for p in folder.rglob("*") if p.name in names]:
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
    assert lines[0].startswith("unit_attached  refuted by a game of 2 actions  (")
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


def test_a_version_without_an_encoding(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("prove", "riftbound@1.2") == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert "version 1.2 of riftbound has no first-order encoding; the one there is, is of 1.3 and 1.4" in said.err


def test_a_rulebook_without_an_encoding(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("prove", str(write_toy(tmp_path))) == 2
    assert "toy has no first-order encoding" in capsys.readouterr().err


def test_what_is_proved_of_nothing_is_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Axioms without a board prove anything; an action that contradicts itself has one outcome for want of any."""
    copytree(models() / "magic", tmp_path / "magic")
    smt = tmp_path / "magic" / "smt"
    copytree(encodings() / "smt" / "magic", smt)
    actions = smt / "02_actions.smt2"
    actions.write_text(
        actions.read_text().replace(
            "(not priority.next))\n  :action attach)", "(not priority.next) priority.next)\n  :action attach)"
        )
    )
    assert run("prove", str(tmp_path / "magic"), "-p", "one_host") == 0
    said = "possible on no board of up to 3 of each sort, under these readings: attach"
    assert said in capsys.readouterr().out.splitlines()

    board = smt / "01_board.smt2"
    board.write_text(board.read_text() + "(assert false)\n")
    assert run("prove", str(tmp_path / "magic")) == 2
    told = capsys.readouterr()
    assert told.out == ""
    assert "no game starts in the encoding smt: its axioms contradict each other" in told.err
