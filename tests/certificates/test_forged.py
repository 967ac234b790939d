"""Forged certificates, every hash put right: what they say must follow from the rules, and nothing else be in them."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from shutil import copytree
from typing import Any

import pytest

from checker.certificates import Invariant, digest, write_certificate
from checker.certificates.folder import signed
from checker.certificates.origin import Origin, to_manifest
from checker.certificates.shelf import write_list
from tests.test_cli import run
from tests.toybook import RULES, write_toy

Edit = Callable[[str], str]
Said = Callable[[dict[str, Any]], object]


@pytest.fixture(scope="module")
def proofs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the certificate of a claim of Magic for any number of cards."""
    folder = tmp_path_factory.mktemp("magic") / "proofs"
    assert run("prove", "magic", "-p", "one_host", "--certificate", str(folder)) == 0
    return folder / "magic"


def forge(source: Path, target: Path, edit: Edit = str, say: Said = str) -> Path:
    """Copy a certificate with its scripts and its manifest changed, and every hash put right."""
    copytree(source, target)
    manifest = json.loads((target / "manifest.json").read_text())
    for name in manifest["files"]:
        text = edit((target / name).read_text())
        (target / name).write_text(text)
        manifest["files"][name] = digest(text.encode())
    say(manifest)
    (target / "manifest.json").write_text(json.dumps(signed(manifest), indent=2) + "\n")
    return target


def hidden_in_comment(text: str) -> str:
    """Ask of `false` instead, where a search for the text of the question does not look."""
    head, *blocks = text.split("(push 1)\n")
    asked = "; (check-sat)\n(assert false)\n(check-sat)\n(pop 1)\n"
    return "(push 1)\n".join([head, *(block.partition("(check-sat)")[0] + asked for block in blocks)])


@pytest.mark.parametrize(
    ("edit", "message"),
    [
        (lambda text: text.replace("(set-logic UF)\n", "(set-logic UF)\n(assert false)\n"), "says more than"),
        (lambda text: text.replace("(declare-sort", "(assert false)\n(declare-sort", 1), "says more than"),
        (lambda text: text.replace(" 0)\n(declare", " 0)(assert false)\n(declare", 1), "says more than"),
        (hidden_in_comment, "says more than"),
        (lambda text: text.replace("(check-sat)", "(check-sat)\n(assert false)\n(check-sat)", 1), "says more than"),
        (lambda text: text + "(push 1)\n(assert false)\n(check-sat)\n", "obligations; the theory has"),
    ],
)
def test_a_script_says_nothing_but_its_obligations(
    proofs: Path, tmp_path: Path, edit: Edit, message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run("certify", str(forge(proofs, tmp_path / "same"))) == 0
    capsys.readouterr()
    assert run("certify", str(forge(proofs, tmp_path / "forged", edit))) == 4
    said = capsys.readouterr().out
    assert said.startswith("CHANGED  ")
    assert message in said


@pytest.mark.parametrize(
    ("say", "message"),
    [
        (lambda manifest: manifest.update(system="magic@1"), "says magic@1, any number of cards, and is about magic@2"),
        (lambda manifest: manifest.update(size="this board"), "and is about magic@2026-09-25, any number of cards"),
        (lambda manifest: manifest["origin"].pop("readings"), "does not say which encoding it is about"),
        (lambda manifest: manifest.pop("inputs"), "manifest.json is not of the format"),
        (lambda manifest: manifest.update(files=["one_host.smt2"]), "manifest.json is not of the format"),
        (lambda manifest: manifest.update(says=[]), "manifest.json is not of the format"),
    ],
)
def test_a_manifest_is_about_what_it_says(
    proofs: Path, tmp_path: Path, say: Said, message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run("certify", str(forge(proofs, tmp_path / "forged", say=say))) == 4
    assert message in capsys.readouterr().out


KINDS: Mapping[str, str] = {
    "done": 'kind = "termination"',
    "lights": 'kind = "actions_reachable"',
    "fires": 'kind = "rules_fire"',
}


@cache
def properties() -> str:
    """Return properties of kinds for which there are no certificates."""
    return "".join(f'[[properties]]\nname = "{name}"\n{kind}\ntitle.en = "x"\n' for name, kind in KINDS.items())


@pytest.mark.parametrize("name", KINDS)
def test_there_are_no_certificates_of_other_kinds(
    tmp_path: Path, name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """Nothing a board or a step shows refutes them, so that every invariant would prove them."""
    toy = write_toy(tmp_path / "toy", rules=RULES)
    path = toy / "rulebook.toml"
    path.write_text(path.read_text() + properties())
    origin = Origin(str(toy), "one", (("speed", "slow"),))
    built = origin.build()
    write_certificate(
        tmp_path / "forged", built.system, built.system.goal[name], Invariant((), ((),), (1,)),
        tool="t", inputs=built.inputs, origin=to_manifest(origin),
    )  # fmt: skip
    capsys.readouterr()
    assert run("certify", str(tmp_path / "forged")) == 4
    assert "there are no certificates of" in capsys.readouterr().out


def test_a_list_of_nothing_is_no_certificate(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_list(tmp_path, [])
    assert run("certify", str(tmp_path)) == 2
    assert "holds no certificate: none is in its list" in capsys.readouterr().err


def test_a_list_that_lists_nothing_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = json.dumps(signed({"format": "equipoise-certificates-1", "certificates": ["a"]}), indent=2) + "\n"
    (tmp_path / "certificates.json").write_text(text)
    assert run("certify", str(tmp_path)) == 4
    assert capsys.readouterr().out == "CHANGED  certificates.json lists no certificates\n"
