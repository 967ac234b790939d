"""Outcomes of actions on a board: proved to be one, or shown with both; in accord with what checking a board says."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest
from clingo.symbol import Symbol

from checker.certificates import CertificateError, certify
from checker.certificates.folder import write_steps
from checker.certificates.steps import Steps, from_json, step_texts
from checker.engines.protocol import Holds, Limits
from checker.engines.registry import engine
from checker.outcomes.find import ANY, REACHED, Finding, Kind, Outcomes, outcomes
from checker.pipeline import load_system
from checker.system.model import Kind as Property
from checker.system.model import TransitionSystem
from tests.mutation.lamps import RULES, write_lamps
from tests.test_cli import run
from tests.traces.toys import CLASH, game, toy

OWNERS = "owner(left, {}). owner(right, {})."


def found(system: TransitionSystem) -> dict[str, Finding]:
    """Return what is found, by the names of the actions."""
    return {", ".join(map(str, f.actions)): f for f in outcomes(system, Limits()).findings}


def kinds(system: TransitionSystem) -> dict[str, Kind]:
    """Return the kind of everything found."""
    return {name: finding.kind for name, finding in found(system).items()}


def ends(system: TransitionSystem, finding: Finding) -> list[dict[str, str]]:
    """Return what changes on the ways of a finding, in words of the rules."""
    variables = system.variables
    return [{str(variables[v].name): str(variables[v].domain[x]) for v, x in end.items()} for end in finding.ends]


def test_a_step_with_two_effects_is_found_with_both() -> None:
    system = game("clash")
    flip = found(system)["flip"]
    assert (flip.kind, flip.clauses) == (Kind.TORN, ("2",))
    assert ends(system, flip) == [{"coin": "heads"}, {"coin": "tails"}]
    assert flip.board is not None


def test_a_step_with_no_next_board_has_no_two_outcomes() -> None:
    """A spin is stuck unless heads are up, and without a drop they never are."""
    assert kinds(game("clash")) == {"flip": Kind.TORN, "spin": Kind.OPEN, "drop": Kind.FUNCTIONAL}
    still = toy(CLASH.replace("action((flip; spin; drop))", "action((flip; spin))").replace("by(drop, game).", ""), {})
    assert found(still)["spin"] == Finding(names_of(still, "spin"), Kind.FUNCTIONAL, REACHED)


def test_an_open_outcome_names_its_clause() -> None:
    system = game("lamps")
    mend = found(system)["mend"]
    assert (mend.kind, mend.clauses) == (Kind.OPEN, ("4",))
    assert sorted(ends(system, mend), key=str) == [{"fuse": "dead"}, {"fuse": "whole"}]
    assert found(system)["light(red)"] == Finding(names_of(system, "light(red)"), Kind.FUNCTIONAL, ANY)


def names_of(system: TransitionSystem, *names: str) -> tuple[Symbol, ...]:
    """Return actions by name."""
    known = {str(action.name): action.name for action in system.actions}
    return tuple(known[name] for name in names)


def test_what_only_unreachable_boards_show_is_no_fault() -> None:
    """A broken lamp would be switched on and off at once, and none breaks; boards too many to count leave it open."""
    light = toy("""
        fluent(lamp, (on; off; broken)). initially(lamp, off).
        action(switch). by(switch, alice).
        %@ 1
        possible(switch) :- action(switch).
        %@ 1
        set(lamp, on) :- occurs(switch), not now(lamp, on).
        %@ 1
        set(lamp, off) :- occurs(switch), not now(lamp, off).
        """, {})  # fmt: skip
    switch = outcomes(light, Limits()).findings[0]
    assert (switch.kind, switch.how) == (Kind.FUNCTIONAL, REACHED)
    assert outcomes(light, Limits()).invariant is not None
    given_up = outcomes(light, Limits(memory=1)).findings[0]
    assert (given_up.kind, given_up.how) == (Kind.UNKNOWN, "the budget of 1 bytes of memory is spent")


@pytest.mark.parametrize(
    ("one", "other", "kind"),
    [("game", "game", Kind.SILENT), ("alice", "bob", Kind.SILENT), ("alice", "alice", Kind.ORDERED)],
)
def test_an_order_that_matters_is_found_whoever_decides(one: str, other: str, kind: Kind) -> None:
    system = game("order", OWNERS.format(one, other))
    findings = found(system)
    assert findings["open"].kind is Kind.FUNCTIONAL
    order = next(f for f in findings.values() if f.kind is kind)
    assert [str(action) for action in order.actions] == ["release(left)", "release(right)"]
    assert {end["ball"] for end in ends(system, order)} == {"left", "right"}
    silent = [f for f in findings.values() if f.kind is Kind.SILENT]
    assert len(silent) == (kind is Kind.SILENT)


def test_orders_that_lead_to_the_same_board_commute() -> None:
    system = toy("""
        fluent(spring(S), (loose; gone)) :- spring(S).    initially(spring(S), loose) :- spring(S).
        spring(left). spring(right).
        action(release(S)) :- spring(S).    by(release(S), game) :- spring(S).
        %@ 1
        possible(release(S)) :- now(spring(S), loose).
        %@ 1
        forced(release(S)) :- now(spring(S), loose).
        %@ 1
        set(spring(S), gone) :- occurs(release(S)).
        """, {})  # fmt: skip
    assert kinds(system)["release(left), release(right)"] is Kind.COMMUTE


def test_a_step_that_is_no_longer_possible_is_left_out() -> None:
    """Whoever is first puts the fire out, and the other one, who would light it again, has nothing to do."""
    system = toy("""
        fluent(fire, (on; off)).    initially(fire, on).
        action((soak; switch)).    by(soak, game). by(switch, game).
        %@ 1
        possible((soak; switch)) :- now(fire, on).
        %@ 1
        forced(soak) :- now(fire, on).
        %@ 1
        forced(switch) :- now(fire, on).
        %@ 1
        set(fire, off) :- occurs(soak).
        %@ 1
        set(fire, off) :- occurs(switch), now(fire, on).
        %@ 1
        set(fire, on) :- occurs(switch), now(fire, off).
        """, {})  # fmt: skip
    (pair,) = (finding for finding in found(system).values() if len(finding.actions) == 2)
    assert (pair.kind, pair.how) == (Kind.COMMUTE, ANY)


def test_orders_that_meet_again_later_are_followed_to_the_end() -> None:
    """The first spring to go loses its mark until both have gone, and then all is wiped."""
    system = toy("""
        fluent(spring(S), (loose; gone)) :- spring(S).    initially(spring(S), loose) :- spring(S).
        fluent(first, (none; left; right)).    initially(first, none).
        spring(left). spring(right).
        action(release(S)) :- spring(S).    by(release(S), game) :- spring(S).
        action(wipe).    by(wipe, game).
        %@ 1
        possible(release(S)) :- now(spring(S), loose).
        %@ 1
        forced(release(S)) :- now(spring(S), loose).
        %@ 2
        possible(wipe) :- now(spring(left), gone), now(spring(right), gone), not now(first, none).
        %@ 2
        forced(wipe) :- possible(wipe).
        %@ 1
        set(spring(S), gone) :- occurs(release(S)).
        %@ 1
        set(first, S) :- occurs(release(S)), now(first, none).
        %@ 2
        set(first, none) :- occurs(wipe).
        """, {})  # fmt: skip
    pair = found(system)["release(left), release(right)"]
    assert (pair.kind, pair.how) == (Kind.MEET, f"{REACHED}; on 1 the orders differ at first, and meet again")


CHOICES = """
    % Two cards are dealt, and alice keeps or drops each: what she does counts, when she does it does not.
    fluent(dealt, 0..2).    initially(dealt, 0).
    fluent(kept, 0..2).     initially(kept, 0).
    action((deal; keep; drop)).    by(deal, bob). by(keep, alice). by(drop, alice).
    %@ 1
    possible(deal) :- now(dealt, 0), now(kept, 0).
    %@ 1
    possible((keep; drop)) :- now(dealt, N), N > 0.
    %@ 1
    forced((keep; drop)) :- now(dealt, N), N > 0.
    %@ 1
    set(dealt, 2) :- occurs(deal).
    %@ 1
    set(dealt, N - 1) :- occurs((keep; drop)), now(dealt, N), N > 0.
    %@ 1
    set(kept, N + 1) :- occurs(keep), now(kept, N), N < 2.
    resolution(fair) :- occurs(deal).
    """


@pytest.mark.parametrize("name", ["symbolic", "explicit"])
def test_what_matters_only_as_a_choice_is_no_order(name: str) -> None:
    """To keep and then drop is to drop and then keep, though to begin with the one is not to begin with the other."""
    system = toy(CHOICES, {"fair": Property.DETERMINISM})
    assert {f.kind for f in outcomes(system, Limits()).findings} == {Kind.FUNCTIONAL}
    (verdict,) = engine(name).check(system, system.goals, Limits(), lambda _: None).verdicts
    assert verdict.answer == Holds("functional given choices: drop (alice), keep (alice)")
    first = """set(kept, 1) :- occurs(keep), now(kept, 0).
    %@ 1
    set(kept, 2) :- occurs(drop), now(kept, 0)."""
    first = CHOICES.replace("set(kept, N + 1) :- occurs(keep), now(kept, N), N < 2.", first)
    system = toy(first, {"fair": Property.DETERMINISM})
    assert {f.kind for f in outcomes(system, Limits()).findings} == {Kind.FUNCTIONAL, Kind.ORDERED}
    (verdict,) = engine(name).check(system, system.goals, Limits(), lambda _: None).verdicts
    assert verdict.answer == Holds("order-dependent, ordered by alice: drop, keep")


@cache
def on_board(board: str, version: str = "1.3") -> Outcomes:
    """Look at a shipped board once."""
    return outcomes(load_system(f"riftbound@{version}", board), Limits())


ORDERED = {"weaponmaster_twice", "parting_at_once"}
"""Of the boards that the table of the README names, those on which it says that order matters."""


@pytest.mark.parametrize(
    "board", ["first_equip", "weaponmaster_twice", "quick_draw", "owner_orders", "two_angels", "parting_at_once"]
)
def test_proof_and_check_say_the_same(board: str) -> None:
    """Every action functional, no order that nobody decides; order matters where a determinism property says so."""
    result = on_board(board)
    single = [f.kind for f in result.findings if len(f.actions) == 1]
    assert set(single) == {Kind.FUNCTIONAL}
    assert len(single) >= 9
    pairs = {f.kind for f in result.findings if len(f.actions) == 2}
    assert (Kind.ORDERED in pairs) == (board in ORDERED)
    assert pairs <= {Kind.APART, Kind.COMMUTE, Kind.MEET, Kind.ORDERED}
    goals = [goal for goal in result.system.goals if goal.kind is Property.DETERMINISM]
    answers = [v.answer for v in engine("symbolic").check(result.system, goals, Limits(), lambda _: None).verdicts]
    assert all(isinstance(answer, Holds) for answer in answers)
    said = [answer.how for answer in answers if isinstance(answer, Holds)]
    assert any(how.startswith("order-dependent") for how in said) == (board in ORDERED)


def certified(folder: Path, system: TransitionSystem, steps: Steps) -> list[str]:
    """Write a certificate of some steps, check it, and return its obligations."""
    write_steps(folder, system, steps, None, tool="t", inputs={}, origin={})
    return [checked.name for checked in certify(folder, system)]


def test_certificates_are_accepted_and_false_ones_refused(tmp_path: Path) -> None:
    system = game("lamps")
    honest = Steps(("light(red)", "light(blue)"), ("mend",), (), ())
    assert certified(tmp_path / "honest", system, honest) == ["functional", "open"]
    false = Steps(("mend",), (), (), ())
    with pytest.raises(CertificateError, match='"functional" has a counterexample; it should show that each of 1'):
        certified(tmp_path / "false", system, false)
    torn = game("clash")
    with pytest.raises(CertificateError, match='obligation "open" has a counterexample'):
        certified(tmp_path / "torn", torn, Steps((), ("flip",), (), ()))
    order = game("order", OWNERS.format("game", "game"))
    pair = (("release(left)", "release(right)"),)
    with pytest.raises(CertificateError, match='obligation "commute" has a counterexample'):
        certified(tmp_path / "order", order, Steps((), (), (), pair))
    with pytest.raises(CertificateError, match='obligation "apart" has a counterexample'):
        certified(tmp_path / "apart", order, Steps((), (), pair, ()))


def test_a_certificate_must_follow_from_the_rules(tmp_path: Path) -> None:
    system = game("lamps")
    certified(tmp_path, system, Steps(("light(red)",), (), (), ()))
    with pytest.raises(CertificateError, match=r"functional\.smt2 does not follow from the rulebook"):
        certify(tmp_path, game("lamps", "%@ 1\nset(fuse, blown) :- occurs(light(red))."))
    with pytest.raises(CertificateError, match="speaks of dance, which can never be done"):
        step_texts(system, Steps(("dance",), (), (), ()), None)
    with pytest.raises(CertificateError, match="does not say which actions"):
        from_json({"functional": []})


def test_on_the_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = str(write_lamps(tmp_path / "lamps"))
    proofs = tmp_path / "proofs"
    assert run("prove", folder, "-b", "one", "--certificate", str(proofs)) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[:2] == ["fix          open outcome (3)", "light(lamp)  functional, on every board there could be"]
    assert sum(line == "  fix, and so" for line in lines) == 2
    assert {"    fuse = whole", "    fuse = mended"} <= set(lines)
    assert run("certify", str(proofs)) == 0
    assert capsys.readouterr().out.startswith("holds    toy@1/one outcomes: initial, preserved, functional, open (")
    path = proofs / "toy" / "one" / "functional.smt2"
    path.write_bytes(path.read_bytes().replace(b"assert", b"assert ", 1))
    assert run("certify", str(proofs)) == 4
    assert "functional.smt2 was changed since it was written" in capsys.readouterr().out


def test_a_seeded_fault_ends_with_code_1(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Lighting a lamp sets the fuse to two values."""
    folder = write_lamps(tmp_path, RULES + "%@ 2\nset(fuse, mended) :- occurs(light(O)), now(fuse, whole).\n", "")
    assert run("prove", str(folder), "-b", "one") == 1
    lines = capsys.readouterr().out.splitlines()
    assert "light(lamp)  two outcomes (2)" in lines
    shown = lines[lines.index("two outcomes: light(lamp)") :]
    assert [line for line in shown if line.startswith("  light(lamp)")] == ["  light(lamp), and so"] * 2
    assert "    fuse = blown" in shown
    assert "    fuse = mended" in shown
