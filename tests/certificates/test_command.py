"""`check --certificate` and `certify`: what is written is accepted, and nothing that was changed is."""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import partial
from pathlib import Path

import pytest

from checker.certificates import CertificateError, Gates, Input, certify, write_certificate
from checker.certificates.board import certify_board
from checker.certificates.folder import read_manifest
from checker.certificates.invariant import NotHeldError, UndecidedError
from checker.certificates.origin import Origin, from_manifest, to_manifest
from checker.certificates.reached import reachable
from checker.certificates.recheck import recheck
from checker.certificates.shelf import certificates_in
from checker.engines.protocol import Counts, Limits, Result
from checker.engines.smt.engine import Proved, SmtEngine
from checker.engines.smt.steps import compile_rules
from checker.pipeline import load_system
from checker.system.model import Goal, TransitionSystem
from tests.test_cli import run
from tests.toybook import RULES, write_toy

SAFE = RULES.replace("lamp(O), now(lit(O), no).", "lamp(O), now(lit(O), yes).")
"""Only a lamp that is lit may be lit, and none is at the start."""


def written(folder: Path) -> Path:
    """Check a toy in which nothing can happen, and return the folder of its certificates."""
    toy = write_toy(folder / "toy", rules=SAFE)
    assert run("check", str(toy), "--fresh", "--certificate", str(folder / "proofs")) == 0
    return folder / "proofs"


def test_what_holds_is_certified(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = written(tmp_path)
    files = {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}
    names = ("initial.smt2", "preserved.smt2", "implies.smt2", "invariant.json", "manifest.json")
    assert files == {"certificates.json", *(f"toy/one/never_on/{name}" for name in names)}
    capsys.readouterr()
    assert run("certify", str(folder)) == 0
    assert capsys.readouterr().out.startswith("holds    toy@1/one never_on: initial, preserved, implies (")
    assert run("certify", str(folder / "toy" / "one" / "never_on")) == 0


def test_the_manifest_says_what_to_build_again(tmp_path: Path) -> None:
    manifest = json.loads((written(tmp_path) / "toy/one/never_on/manifest.json").read_text())
    assert manifest["origin"] == {"rulebook": f"{tmp_path / 'toy'}@1", "board": "one", "readings": {"speed": "slow"}}
    assert manifest["inputs"].keys() == {
        "board", "rules/asp/core.lp", "rules/main.lp", "rulebook/clauses.toml", "rulebook/rulebook.toml",
    }  # fmt: skip


def test_a_changed_byte_anywhere_is_noticed(tmp_path: Path) -> None:
    folder = written(tmp_path)
    for path in [p for p in folder.rglob("*") if p.is_file()]:
        content = path.read_bytes()
        path.write_bytes(content[:40] + bytes([content[40] ^ 1]) + content[41:])
        assert run("certify", str(folder)) == 4, path
        path.write_bytes(content)
    assert run("certify", str(folder)) == 0


def test_every_byte_of_a_manifest_and_of_the_list_counts(tmp_path: Path) -> None:
    """They hold the hashes of everything else, and a hash of what they say themselves."""
    folder = written(tmp_path)
    flipped = 0
    for path in (folder / "toy/one/never_on/manifest.json", folder / "certificates.json"):
        content = path.read_bytes()
        read = partial(read_manifest, path.parent) if path.name == "manifest.json" else partial(certificates_in, folder)
        read()
        for place in range(len(content)):
            changed = bytearray(content)
            changed[place] ^= 1 << place % 8
            path.write_bytes(changed)
            with pytest.raises(CertificateError):
                read()
            flipped += 1
        path.write_bytes(content)
    assert flipped > 1000


def test_a_missing_certificate_and_a_strange_file_are_noticed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = written(tmp_path)
    (folder / "toy" / "note.txt").write_text("hello")
    assert run("certify", str(folder)) == 4
    assert capsys.readouterr().out.endswith("CHANGED  toy/note.txt is no part of the certificates\n")
    (folder / "toy" / "note.txt").unlink()
    (folder / "toy" / "one" / "never_on" / "manifest.json").unlink()
    assert run("certify", str(folder)) == 4
    assert capsys.readouterr().out == "CHANGED  toy/one/never_on/manifest.json is missing\n"


@pytest.mark.parametrize(
    ("file", "name"),
    [("main.lp", "rules/main.lp"), ("boards/one.toml", "board"), ("rulebook.toml", "rulebook/rulebook.toml")],
)
def test_rules_that_changed_since_are_noticed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], file: str, name: str
) -> None:
    folder = written(tmp_path)
    path = tmp_path / "toy" / file
    path.write_text(path.read_text() + "\n")
    capsys.readouterr()
    assert run("certify", str(folder)) == 4
    said = capsys.readouterr().out
    assert said.startswith("CHANGED  toy/one/never_on: ")
    assert f"{name} is not what it was when the certificate was written" in said


def test_one_literal_changed_fails_and_the_sentence_says_where(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Written as by someone who fixes every hash as well."""
    written(tmp_path)
    origin = Origin(str(tmp_path / "toy"), "one", (("speed", "slow"),))
    built = origin.build()
    gates = Gates([Input("value", 0, 1)])
    for lemma, code, said in ((-1, 0, "holds"), (1, 1, 'FAILED   .: obligation "initial" has a counterexample')):
        write_certificate(
            tmp_path / "one", built.system, built.system.goal["never_on"], gates.invariant(lemma),
            tool="t", inputs=built.inputs, origin=to_manifest(origin),
        )  # fmt: skip
        capsys.readouterr()
        assert run("certify", str(tmp_path / "one")) == code
        assert capsys.readouterr().out.startswith(said)


def test_folders_that_are_none(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("certify", str(tmp_path)) == 2
    assert "is no certificate" in capsys.readouterr().err
    (tmp_path / "proofs").mkdir()
    (tmp_path / "proofs" / "old.txt").write_text("old")
    toy = write_toy(tmp_path / "toy", rules=SAFE)
    assert run("check", str(toy), "--fresh", "--certificate", str(tmp_path / "proofs")) == 2
    assert [path.name for path in (tmp_path / "proofs").iterdir()] == ["old.txt"]
    assert capsys.readouterr().out == ""


def test_all_reachable_boards_are_an_invariant_that_the_other_solver_accepts(tmp_path: Path) -> None:
    system = load_system("bench/equip_bench", "u2_g2_b1_e1")
    boards = reachable(system, Limits())
    assert boards is not None
    for goal in ("located_with_bearer", "same_controller", "home_base"):
        write_certificate(tmp_path / goal, system, system.goal[goal], boards, tool="t", inputs={})
        assert [c.name for c in certify(tmp_path / goal, system)] == ["initial", "preserved", "implies"]
    assert reachable(system, Limits(depth=1)) is None


def test_without_a_proof_by_induction_the_reachable_boards_serve(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def helpless(_: SmtEngine, system: TransitionSystem, goals: Sequence[Goal], *__: object) -> Proved:
        return Proved(Result((), Counts(), 0.0), compile_rules(system, goals), (), {})

    origin = Origin("bench/equip_bench@1", "u1_g1_b1_e1", ())
    found = certify_board(tmp_path / "by_smt", origin, ["home_base"], Limits())
    assert [(item.goal, item.how) for item in found] == [("home_base", "induction")]
    monkeypatch.setattr(SmtEngine, "prove", helpless)
    found = certify_board(tmp_path / "by_bdd", origin, ["home_base"], Limits())
    assert [(item.goal, item.how) for item in found] == [("home_base", "all reachable boards")]
    assert found[0].folder is not None
    assert len(certify(found[0].folder, origin.build().system)) == 3
    found = certify_board(tmp_path / "none", origin, ["home_base"], Limits(seconds=1e-9))
    assert [(item.folder, item.how) for item in found] == [(None, "no proof within the limits")]


def test_an_origin_survives_being_written() -> None:
    origin = Origin("riftbound@1.3", "theft", (("a", "b"),))
    assert from_manifest(json.loads(json.dumps(to_manifest(origin)))) == origin


def test_a_solver_that_gives_up_shows_nothing() -> None:
    """That is no proof, and no refutation either."""
    script = (
        "(set-logic UFNIA)(declare-fun f (Int) Int)(assert (forall ((x Int)) (> (f (* x x)) (f (+ x 1)))))(check-sat)"
    )
    with pytest.raises(UndecidedError, match="was not decided"):
        recheck("x", "something", script, 0.0)
    with pytest.raises(NotHeldError, match="has a counterexample"):
        recheck("x", "something", "(set-logic QF_BV)(check-sat)", 60.0)
    assert (NotHeldError.exit_code, UndecidedError.exit_code) == (1, 3)


def test_a_fault_that_no_rule_shows_is_said_to_be_one(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Where no ground rule is about the fault there is nothing to show of it."""
    toy = write_toy(
        tmp_path / "toy", rules=SAFE.replace("violated(never_on, O) :-", "violated(never_on, O) :- O != lamp,")
    )
    assert run("check", str(toy), "--fresh", "--certificate", str(tmp_path / "proofs")) == 0
    capsys.readouterr()
    assert run("certify", str(tmp_path / "proofs")) == 0
    said = capsys.readouterr().out
    assert said.startswith(
        "holds    toy@1/one never_on: initial, preserved; no rule on this board can show the fault ("
    )


def test_readings_that_are_not_the_boards_are_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    toy = write_toy(tmp_path / "toy", rules=SAFE)
    assert run("check", str(toy), "--fresh", "-r", "speed=fast", "--certificate", str(tmp_path / "proofs")) == 0
    capsys.readouterr()
    assert run("certify", str(tmp_path / "proofs")) == 0
    assert capsys.readouterr().out.startswith("holds    toy@1/one never_on, speed=fast: initial, ")
