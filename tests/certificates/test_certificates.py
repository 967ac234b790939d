"""Certificates: accepted by another solver, and refused once anything in them is changed."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest

from checker.certificates import (
    CertificateError,
    Gates,
    Input,
    Invariant,
    certify,
    digest,
    invariant_of,
    write_certificate,
)
from checker.certificates.folder import signed
from checker.certificates.invariant import from_json, to_json
from checker.certificates.recheck import recheck
from checker.engines.protocol import Limits
from checker.engines.smt.circuit import Circuit
from checker.engines.smt.engine import Proved, SmtEngine
from checker.firstorder.certificate import certify_any_size, closure, write_any_size
from checker.firstorder.prove import AnySize, Prover
from checker.firstorder.theory import load_theory
from checker.paths import encodings
from checker.pipeline import load_system
from checker.system.model import TransitionSystem
from checker.traces import evaluator
from tests.engines.test_smt import LIFT, LIFT_GOALS, value
from tests.traces.toys import toy

INPUTS = {"main.lp": b"rules", "board.toml": b"board"}


@cache
def bench(board: str) -> TransitionSystem:
    """Load a benchmark board once."""
    return load_system("bench/equip_bench", board)


@cache
def proved(board: str) -> Proved:
    """Prove what holds on a benchmark board."""
    system = bench(board)
    names = ("located_with_bearer", "same_controller", "home_base")
    return SmtEngine().prove(system, [system.goal[name] for name in names], Limits(), lambda _: None)


def write(folder: Path, goal: str = "home_base", board: str = "u3_g3_b1_e2") -> TransitionSystem:
    """Write the certificate of a goal of the benchmark."""
    found = proved(board)
    proof = next(p for p in found.proofs if p.goal == goal)
    invariant = invariant_of(found.rules.circuit, proof.lemmas)
    system = bench(board)
    write_certificate(folder, system, system.goal[goal], invariant, tool="test 1", inputs=INPUTS)
    return system


@pytest.mark.parametrize("goal", ["located_with_bearer", "same_controller", "home_base"])
@pytest.mark.parametrize("board", ["u3_g3_b1_e2", "u4_g4_b2_e2"])
def test_certificates_of_the_benchmark_are_accepted(tmp_path: Path, board: str, goal: str) -> None:
    system = write(tmp_path, goal, board)
    checked = certify(tmp_path, system, INPUTS)
    assert [c.name for c in checked] == ["initial", "preserved", "implies"]
    manifest = json.loads((tmp_path / "manifest.json").read_text())
    assert (manifest["goal"], manifest["tool"]) == (goal, "test 1")
    assert manifest["inputs"].keys() == INPUTS.keys()


def test_a_changed_byte_is_noticed_in_every_file(tmp_path: Path) -> None:
    write(tmp_path)
    for path in sorted(tmp_path.iterdir()):
        content = path.read_bytes()
        for place in {0, len(content) // 2, len(content) - 1}:
            changed = bytearray(content)
            changed[place] ^= 1
            path.write_bytes(changed)
            with pytest.raises(CertificateError, match=path.name):
                certify(tmp_path)
        path.write_bytes(content)
    certify(tmp_path)


def test_a_missing_or_a_strange_file_is_noticed(tmp_path: Path) -> None:
    write(tmp_path)
    (tmp_path / "more.smt2").write_text("(check-sat)\n")
    with pytest.raises(CertificateError, match=r"more\.smt2 is no part of the certificate"):
        certify(tmp_path)
    (tmp_path / "more.smt2").unlink()
    (tmp_path / "initial.smt2").unlink()
    with pytest.raises(CertificateError, match=r"initial\.smt2 is missing"):
        certify(tmp_path)


def test_other_inputs_are_noticed(tmp_path: Path) -> None:
    system = write(tmp_path)
    with pytest.raises(CertificateError, match=r"board\.toml is not what it was"):
        certify(tmp_path, system, INPUTS | {"board.toml": b"other"})
    with pytest.raises(CertificateError, match=r"the certificate is about home_base of"):
        certify(tmp_path, bench("u1_g1_b1_e1"))


def forge(folder: Path, change: Callable[[dict[str, str]], None]) -> None:
    """Change the texts of a certificate and make its manifest fit."""
    manifest = json.loads((folder / "manifest.json").read_text())
    texts = {name: (folder / name).read_text() for name in manifest["files"]}
    change(texts)
    for name, text in texts.items():
        (folder / name).write_text(text)
        manifest["files"][name] = digest(text.encode())
    (folder / "manifest.json").write_text(json.dumps(signed(manifest), indent=2) + "\n")


def test_a_weakened_obligation_does_not_follow_from_the_rulebook(tmp_path: Path) -> None:
    system = write(tmp_path)
    forge(tmp_path, lambda texts: texts.update({"preserved.smt2": "(assert false)\n(check-sat)\n"}))
    assert certify(tmp_path)
    with pytest.raises(CertificateError, match=r"preserved\.smt2 does not follow from the rulebook"):
        certify(tmp_path, system)


def test_one_literal_changed_fails_and_the_sentence_says_where(tmp_path: Path) -> None:
    """The lemma says of one value what is true of another; all files are written to match."""
    system = bench("u3_g3_b1_e2")
    found = proved("u3_g3_b1_e2")
    proof = next(p for p in found.proofs if p.goal == "home_base")
    right = invariant_of(found.rules.circuit, proof.lemmas)
    goal = system.goal["home_base"]
    failed = set()
    for index, lemma in enumerate(right.lemmas):
        lemmas = (*right.lemmas[:index], -lemma, *right.lemmas[index + 1 :])
        wrong = Invariant(right.inputs, right.gates, lemmas)
        write_certificate(tmp_path, system, goal, wrong, tool="test 1", inputs=INPUTS)
        with pytest.raises(CertificateError, match=r'^obligation "(initial|preserved|implies)" has a counter') as e:
            certify(tmp_path, system)
        failed.add(str(e.value))
    assert any("initial board satisfies the invariant" in sentence for sentence in failed)


def test_a_false_goal_cannot_be_certified(tmp_path: Path) -> None:
    system = bench("u1_g1_b1_e1")
    nothing = Invariant((), (), ())
    write_certificate(tmp_path, system, system.goal["no_loose_gear"], nothing, tool="t", inputs={})
    with pytest.raises(CertificateError, match=r'"implies" has a counterexample; it should show that no board'):
        certify(tmp_path, system)


def reachable(system: TransitionSystem) -> set[tuple[int, ...]]:
    """Every reachable board, by the plain evaluator."""
    seen = set(system.initial_states())
    waiting = list(seen)
    while waiting:
        new = {after for _, after in evaluator(system).successors(waiting.pop())} - seen
        seen |= new
        waiting.extend(new)
    return seen


def test_the_set_of_reachable_boards_is_an_invariant_over_bits(tmp_path: Path) -> None:
    """A set found by any engine, given as gates over bits, proves what holds; one board less does not."""
    system = bench("u1_g1_b1_e1")
    boards = sorted(reachable(system))
    assert len(boards) == 108

    bits = [(v, k) for v, variable in enumerate(system.variables) for k in range(variable.bits)]

    def of(states: list[tuple[int, ...]]) -> Invariant:
        """Build the decision diagram of a set of boards."""
        gates = Gates([Input("bit", variable, place) for variable, place in bits])

        def node(number: int, left: list[tuple[int, ...]]) -> int:
            if not left or number == len(bits):
                return gates.all() if left else -gates.all()
            variable, place = bits[number]
            on = [state for state in left if state[variable] >> place & 1]
            off = [state for state in left if not state[variable] >> place & 1]
            return gates.ite(number + 1, node(number + 1, on), node(number + 1, off))

        return gates.invariant(node(0, states))

    goal = system.goal["located_with_bearer"]
    write_certificate(tmp_path, system, goal, of(boards), tool="t", inputs={})
    assert len(certify(tmp_path, system)) == 3
    write_certificate(tmp_path, system, goal, of(boards[:50] + boards[51:]), tool="t", inputs={})
    with pytest.raises(CertificateError, match=r'"(initial|preserved)" has a counterexample'):
        certify(tmp_path, system)


def test_steps_and_two_step_proofs_are_certified(tmp_path: Path) -> None:
    system = toy(LIFT, LIFT_GOALS)
    nothing = Invariant((), (), ())
    write_certificate(tmp_path / "1", system, system.goal["no_deep"], nothing, tool="t", inputs={}, length=2)
    names = [c.name for c in certify(tmp_path / "1", system)]
    assert names == ["initial", "preserved", "base", "base_next", "after_two"]
    write_certificate(tmp_path / "2", system, system.goal["no_fall"], nothing, tool="t", inputs={}, length=2)
    names = [c.name for c in certify(tmp_path / "2", system)]
    assert names == ["initial", "preserved", "base_step", "base_next_step", "after_two_step"]
    write_certificate(tmp_path / "3", system, system.goal["no_fall"], nothing, tool="t", inputs={})
    with pytest.raises(CertificateError, match='"implies_step" has a counterexample'):
        certify(tmp_path / "3", system)


def test_a_two_step_proof_may_need_that_no_step_before_was_faulty(tmp_path: Path) -> None:
    """Who falls in the pit stays in it and falls again; without a fall before there is none."""
    text = LIFT.replace("set(floor, deep) :- occurs(fall)", "set(floor, pit) :- occurs(fall)")
    system = toy(text, LIFT_GOALS)
    nothing = Invariant((), (), ())
    write_certificate(tmp_path, system, system.goal["no_fall"], nothing, tool="t", inputs={}, length=2)
    assert "after_two_step" in [c.name for c in certify(tmp_path, system)]


def test_an_invariant_survives_being_written() -> None:
    found = proved("u3_g3_b1_e2")
    system = bench("u3_g3_b1_e2")
    proof = next(p for p in found.proofs if p.goal == "home_base")
    invariant = invariant_of(found.rules.circuit, proof.lemmas)
    again = from_json(json.loads(json.dumps(to_json(invariant, system))), system)
    assert again == invariant
    circuit = Circuit(found.rules.circuit.sizes)
    nets = again.nets(circuit)
    for state in (*system.initial_states(), tuple(len(v.domain) - 1 for v in system.variables)):
        before = [value(found.rules.circuit, net, state) for net in proof.lemmas]
        assert [value(circuit, net, state) for net in nets] == before


@pytest.mark.parametrize(
    ("gates", "lemmas", "message"),
    [(((2,),), (2,), "literal 2"), (((),), (0,), "literal 0"), (((),), (7,), "literal 7")],
)
def test_a_malformed_invariant_is_refused(
    gates: tuple[tuple[int, ...], ...], lemmas: tuple[int, ...], message: str
) -> None:
    with pytest.raises(CertificateError, match=message):
        Invariant((Input("bit", 0, 0),), gates, lemmas).nets(Circuit([2]))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("(declare-const a Bool)\n(assert a)\n(check-sat)\n", "has a counterexample"),
        ("(assert false)\n", "nothing is asked"),
        ("(assert false)\n(check-sat)\n(exit)\n", "exit has no place"),
        ("(assert b)\n(check-sat)\n", "cvc5 says"),
        ("(push 1)\n(assert false)\n(check-sat)\n(pop 1)\n(check-sat)\n", "has a counterexample"),
    ],
)
def test_scripts_that_prove_nothing_are_refused(text: str, message: str) -> None:
    with pytest.raises(CertificateError, match=message):
        recheck("x", "something", "(set-logic QF_BV)\n" + text, 5.0)


def test_claims_for_any_number_of_cards_are_certified(tmp_path: Path) -> None:
    folder = encodings() / "smt" / "riftbound"
    theory = load_theory(folder)
    prover = Prover(theory, {name: False for name in theory.switches if name.startswith("reading.")})
    proofs = [found for found in prover.prove() if isinstance(found, AnySize)]
    inputs = {path.name: path.read_bytes() for path in folder.glob("*.smt2")}
    chosen = closure(proofs, ["two_cards", "unit_attached"])
    write_any_size(tmp_path, "riftbound", chosen, tool="t", inputs=inputs)
    checked = certify_any_size(tmp_path, prover, inputs)
    assert {"two_cards", "unit_attached"} <= {c.name for c in checked}

    def without_the_goal(texts: dict[str, str]) -> None:
        lines = texts["two_cards.smt2"].split("(check-sat)")
        texts["two_cards.smt2"] = "(check-sat)".join([lines[0] + "(assert false)\n", *lines[1:]])

    forge(tmp_path, without_the_goal)
    with pytest.raises(CertificateError, match=r'"two_cards", initial, does not follow from the theory'):
        certify_any_size(tmp_path, prover, inputs)

    write_any_size(tmp_path, "riftbound", chosen, tool="t", inputs=inputs)

    def without_the_question(texts: dict[str, str]) -> None:
        block = texts["two_cards.smt2"].split("(push 1)")[2]
        last = block.rindex("(assert")
        asked = block.index("(check-sat)")
        texts["two_cards.smt2"] = texts["two_cards.smt2"].replace(block, block[:last] + block[asked:])

    forge(tmp_path, without_the_question)
    with pytest.raises(CertificateError, match=r'^obligation "two_cards" '):
        certify_any_size(tmp_path, prover, inputs)


def test_checking_needs_nothing_of_the_solver_that_proved() -> None:
    code = "import sys, checker.certificates; assert 'cvc5' in sys.modules; assert 'z3' not in sys.modules"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
