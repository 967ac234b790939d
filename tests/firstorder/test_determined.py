"""Determinism for any number of cards: proved as shipped, and two outcomes shown as boards where a rule is loosened."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import pytest

from checker.errors import InputError
from checker.firstorder.determined import any_order, moments, statement
from checker.firstorder.examine import AnyOrder, Determined, OneOutcome, determine
from checker.firstorder.prove import AnySize, Prover, Settled, Unsettled
from checker.firstorder.refute import TwoOutcomes
from checker.firstorder.theory import Theory, theory_of
from checker.paths import encodings
from tests.firstorder.test_prove import readings, shipped
from tests.firstorder.test_theory import LAMP
from tests.test_cli import run

FUSE = LAMP.replace(
    "(define-fun init",
    """
; 201: a fuse blows, and some lamp with it
(define-fun blow ((x Lamp)) Bool (!
  (and (forall ((y Lamp)) (= (lit.next y) (and (lit y) (not (= y x))))))
  :action blow :together storm))
(define-fun init""",
).replace("(exists ((x Lamp)) (light x))", "(exists ((x Lamp)) (light x)) (exists ((x Lamp)) (blow x))")


def found(theory: Theory, **changed: bool) -> tuple[dict[str, OneOutcome], dict[tuple[str, str], Determined]]:
    """Return what is found of each action and of each pair of steps of one moment."""
    prover = Prover(theory, readings(theory, **changed))
    held = [p.claim for p in prover.prove() if isinstance(p, AnySize) and not p.claim.of_step]
    steps = list(determine(prover, held))
    one = {step.action.name: step for step in steps if isinstance(step, OneOutcome)}
    return one, {step.actions: step.answer for step in steps if isinstance(step, AnyOrder)}


@cache
def answers(name: str) -> tuple[dict[str, OneOutcome], dict[tuple[str, str], Determined]]:
    """Look at a shipped encoding once."""
    return found(shipped(name))


@pytest.mark.parametrize(("name", "actions", "pairs"), [("riftbound", 21, 8), ("magic", 12, 6)])
def test_every_step_as_shipped_is_determined(name: str, actions: int, pairs: int) -> None:
    one, order = answers(name)
    assert (len(one), len(order)) == (actions, pairs)
    assert all(isinstance(step.answer, Settled) for step in one.values())
    assert all(isinstance(answer, Settled) for answer in order.values())


def test_what_is_left_open_is_listed_and_is_no_determinism() -> None:
    one, _ = answers("magic")
    assert {name: step.open for name, step in one.items() if step.open} == {"change_types": ("creature", "equipment")}
    proof = one["change_types"].answer
    assert isinstance(proof, Settled)
    assert proof.says == "change_types has one outcome, but for creature, equipment"
    assert not {"creature", "equipment"} & {obligation.what for obligation in proof.obligations}


def test_steps_that_never_meet_need_no_order() -> None:
    _, order = answers("riftbound")
    names = {pair: answer.name.partition(".")[0] for pair, answer in order.items() if isinstance(answer, Settled)}
    assert {pair for pair, kind in names.items() if kind == "order"} == {
        ("cleanup_gear", "cleanup_gear"),
        ("cleanup_gear", "cleanup_foreign"),
        ("cleanup_foreign", "cleanup_foreign"),
        ("detach", "detach"),
        ("leave", "leave"),
    }


def test_what_lies_outside_the_decidable_fragment_is_said() -> None:
    one, order = answers("riftbound")
    outside = {name for name, step in one.items() if isinstance(step.answer, Settled) and step.answer.undecided}
    assert outside == {
        "attach", "detach", "equip_at_once", "resolve_equip", "resolve_weaponmaster", "leave", "become_unit",
    }  # fmt: skip
    inside = order["cleanup_gear", "cleanup_gear"]
    assert isinstance(inside, Settled)
    assert inside.undecided == ()
    magic_one, magic_order = answers("magic")
    proofs = [*(step.answer for step in magic_one.values()), *magic_order.values()]
    assert all(isinstance(proof, Settled) and not proof.undecided for proof in proofs)


def test_the_order_of_a_cleanup_needs_what_is_said_of_hanging() -> None:
    """The auxiliary claim hung_up is there for this alone."""
    theory = shipped("riftbound")
    prover = Prover(theory, readings(theory))
    held = [claim for claim in theory.claims if not claim.of_step]
    actions = {action.name: action for action in theory.actions}
    question = any_order(theory, actions["cleanup_gear"], actions["cleanup_foreign"])
    assert isinstance(prover.settle(question, held), Settled)
    less = [claim for claim in held if claim.name != "hung_up"]
    assert isinstance(prover.settle(question, less), Unsettled)


def changed(name: str, old: str, new: str) -> Theory:
    """Return a shipped encoding with one place changed."""
    text = "\n".join(p.read_text(encoding="utf-8") for p in sorted((encodings() / "smt" / name).glob("*.smt2")))
    assert text.count(old) == 1
    return theory_of(text.replace(old, new))


def of_action(theory: Theory, name: str) -> Determined:
    """Return what is found of one action, without assuming any claim."""
    few = replace(theory, actions=tuple(a for a in theory.actions if a.name == name), claims=())
    one, _ = found(few)
    return one[name].answer


def test_a_value_set_from_an_unordered_choice_is_two_outcomes() -> None:
    """Gear that is attached goes to some card's place, instead of that of its Top-Most Card."""
    loose = changed(
        "riftbound",
        "(forall ((x Card)) (= (at.next x)\n"
        "      (ite (and clause.434.4 (hangs x g) (not (attached g t))) (at t) (at x))))",
        "(forall ((x Card)) (ite (hangs x g) (exists ((c Card)) (= (at.next x) (at c))) (= (at.next x) (at x))))",
    )
    answer = of_action(loose, "attach")
    assert isinstance(answer, TwoOutcomes)
    assert answer.from_start
    assert answer.actions == ()
    assert answer.ways[0] == answer.ways[1]
    gear = answer.ways[0][0].removeprefix("attach(").partition(",")[0]
    left, right = (end.values["at"][gear,] for end in answer.ends)
    assert left != right
    assert [name for name in left_out(answer) if name != "at"] == []


def left_out(answer: TwoOutcomes) -> list[str]:
    """Return the functions in which the two ends differ."""
    one, other = answer.ends
    return [name for name in one.values if one.values[name] != other.values[name]]


def test_steps_of_which_the_last_one_counts_are_order_dependent() -> None:
    """Each blow puts out one lamp: any order. Each leaves only one lamp burning: the last one decides which."""
    one, order = found(theory_of(FUSE))
    assert all(isinstance(step.answer, Settled) for step in one.values())
    assert isinstance(order["blow", "blow"], Settled)
    one, order = found(theory_of(FUSE.replace("(and (lit y) (not (= y x)))", "(= y x)")))
    assert isinstance(one["blow"].answer, Settled)
    answer = order["blow", "blow"]
    assert isinstance(answer, TwoOutcomes)
    assert answer.ways == (("blow(lamp1)", "blow(lamp2)"), ("blow(lamp2)", "blow(lamp1)"))
    assert [end.holds("lit", "lamp1") for end in answer.ends] == [False, True]
    assert [end.holds("lit", "lamp2") for end in answer.ends] == [True, False]


def test_an_order_that_matters_is_shown_with_a_game_and_two_boards() -> None:
    """To the letter a Cleanup recalls attached gear from a foreign base (G13): it and its unit, in either order."""
    theory = shipped("riftbound")
    played = ("attach", "take_control", "cleanup_foreign")
    few = replace(theory, actions=tuple(action for action in theory.actions if action.name in played))
    _, order = found(few, reading__recall_foreign_attached__yes=True)
    answer = order["cleanup_foreign", "cleanup_foreign"]
    assert isinstance(answer, TwoOutcomes)
    assert answer.from_start
    assert set(answer.ways[0]) == set(answer.ways[1])
    assert answer.ways[0] == tuple(reversed(answer.ways[1]))
    assert left_out(answer) == ["at"]


def test_a_proof_holds_for_every_moment_and_says_what() -> None:
    theory = shipped("riftbound")
    assert {name: [a.name for a in actions] for name, actions in moments(theory)} == {
        "chain": ["resolve_equip", "resolve_weaponmaster"],
        "cleanup": ["cleanup_gear", "cleanup_foreign"],
        "detaching": ["detach"],
        "leaving": ["leave"],
    }
    again = statement(theory, "order.leave.leave")
    assert again is not None
    assert again.says == "leave and another leave end on the same board in either order"
    assert statement(theory, "order.leave.left") is None
    assert statement(theory, "two_cards") is None


def test_what_is_left_open_must_be_state() -> None:
    with pytest.raises(InputError, match="action blow leaves heat open, which is no state"):
        theory_of(FUSE.replace(":together storm", ":together storm :open (heat)"))


def test_a_declared_choice_that_is_none_is_not_listed() -> None:
    one, _ = found(theory_of(FUSE.replace(":together storm", ":together storm :open (lit)")))
    assert one["blow"].open == ()
    assert isinstance(one["blow"].answer, Settled)


def test_on_the_command_line_two_outcomes_are_a_refutation(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    loose = changed("magic", "(ite (= x o) p (controller x))", "(ite (= x o) (controller.next o) (controller x))")
    few = replace(loose, actions=tuple(a for a in loose.actions if a.name in ("take_control", "check_state")))
    monkeypatch.setattr("checker.firstorder.command.load_theory", lambda _: few)
    assert run("prove", "magic") == 1
    lines = capsys.readouterr().out.splitlines()
    assert any(line.startswith("take_control") and "two outcomes of one action" in line for line in lines)
    ways = [line for line in lines if line.startswith("  take_control(")]
    assert len(ways) == 2
    assert ways[0] == ways[1]
    controllers = {line.partition("controller ")[2].split(",")[0] for line in lines if line.startswith("    object")}
    assert len(controllers) > 1
