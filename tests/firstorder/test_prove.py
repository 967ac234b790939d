"""Claims for any number of cards: proved as shipped, refuted with a small board where a rule is dropped."""

from __future__ import annotations

import time
from dataclasses import replace
from functools import cache

import pytest
import z3

from checker.firstorder.boards import Universe
from checker.firstorder.examine import examine, switches
from checker.firstorder.prove import AnySize, Open, Prover, idle
from checker.firstorder.refute import SmallGame, shortest_game, step_from_any_board
from checker.firstorder.theory import Claim, Theory, load_theory, theory_of
from checker.paths import encodings
from checker.rulebook.load import load_rulebook
from tests.firstorder.test_theory import LAMP


@cache
def shipped(name: str) -> Theory:
    """Load a shipped encoding once."""
    return load_theory(encodings() / "smt" / name)


def readings(theory: Theory, **changed: bool) -> dict[str, bool]:
    """Return the default readings with some switches changed; versions stay open. `__` stands for a dot."""
    chosen = {name: False for name in theory.switches if name.startswith("reading.")}
    return chosen | {name.replace("__", "."): value for name, value in changed.items()}


def outcome(theory: Theory, switches: dict[str, bool]) -> tuple[dict[str, AnySize], dict[str, Open]]:
    """Return the proofs and what stays open, by claim."""
    found = Prover(theory, switches).prove()
    proved = {p.claim.name: p for p in found if isinstance(p, AnySize)}
    return proved, {p.claim.name: p for p in found if isinstance(p, Open)}


NAMED = {
    "two_cards",
    "attached_off_board",
    "apart",
    "rules_text",
    "wakes_up",
    "equipped_if",
    "equipped_only_if",
    "cycle",
    "unit_attached",
    "control_follows",
    "attach_changes",
    "moved_apart",
}


def test_riftbound_holds_for_any_number_of_cards_in_both_versions() -> None:
    """The version switch stays open, so one proof serves 1.3 and 1.4."""
    began = time.process_time()
    proved, open_ = outcome(shipped("riftbound"), readings(shipped("riftbound")))
    assert open_ == {}
    assert proved.keys() >= NAMED
    assert time.process_time() - began < 10


def test_what_lies_outside_the_decidable_fragment_is_said() -> None:
    proved, _ = outcome(shipped("riftbound"), readings(shipped("riftbound")))
    outside = {name: p.undecided for name, p in proved.items() if p.undecided}
    assert outside.keys() == {"wakes_up", "equipped_if", "equipped_only_if", "hung_up"}
    assert outside["wakes_up"] == ("for every Card there is some Card (attach)",)


def test_magic_holds_for_any_number_of_objects() -> None:
    proved, open_ = outcome(shipped("magic"), {})
    assert (len(proved), open_) == (10, {})
    assert not any(proof.undecided for proof in proved.values())


@pytest.mark.parametrize(
    ("game", "switch", "value", "broken", "actions"),
    [
        ("riftbound", "clause__719__5", False, "attached_off_board", ["attach", "leave"]),
        ("riftbound", "clause__434__1__f", False, "two_cards", ["attach", "attach"]),
        ("riftbound", "clause__434__4", False, "apart", None),
        ("riftbound", "clause__719__3__a", False, "apart", None),
        ("riftbound", "clause__434__1__e", False, "rules_text", ["attach"]),
        ("riftbound", "clause__124__1", False, "attached_off_board", ["attach", "leave"]),
        ("riftbound", "clause__434__5", False, "attach_changes", None),
        ("riftbound", "reading__gear_becomes_unit__stay", True, "unit_attached", ["attach", "become_unit"]),
        ("riftbound", "reading__units_attachable__yes", True, "unit_attached", ["become_unit", "attach"]),
        (
            "riftbound",
            "reading__units_attachable__yes",
            True,
            "cycle",
            ["become_unit", "become_unit", "attach", "attach"],
        ),
        ("riftbound", "reading__recall_foreign_attached__yes", True, "apart", ["attach", "cleanup_foreign"]),
        ("riftbound", "reading__bearer_recall_carries__no", True, "apart", None),
        ("riftbound", "reading__cleanup_recalls__all_gear", True, "apart", None),
        ("magic", "clause__301__5c", False, "one_host", ["attach", "check_state", "attach"]),
        ("magic", "clause__701__3b", False, "not_to_itself", ["attach"]),
        ("magic", "clause__701__3d", False, "attached_on_battlefield", ["attach", "check_state", "leave"]),
        (
            "magic",
            "clause__704__5p",
            False,
            "legal_at_priority",
            ["attach", "check_state", "change_types", "check_state"],
        ),
        ("magic", "clause__704__5n", False, "legal_at_priority", None),
    ],
)
def test_each_fault_is_refuted_by_a_small_game(
    game: str, switch: str, value: bool, broken: str, actions: list[str] | None
) -> None:
    """Without a clause, or under a literal reading, a claim falls, with a shortest game of few cards."""
    theory = shipped(game)
    switches = readings(theory, **{switch: value})
    claim = next(c for c in theory.claims if c.name == broken)
    assert isinstance(_attempt(theory, claim, switches), Open)
    found = shortest_game(theory, claim, switches)
    assert found is not None
    assert found.from_start
    assert max(len(names) for names in found.boards[-1].elements.values()) <= 3
    if actions is not None:
        assert [said.partition("(")[0] for said in found.actions] == actions


def _attempt(theory: Theory, claim: Claim, switches: dict[str, bool]) -> AnySize | Open:
    """Try to prove one claim with the auxiliary ones."""
    few = replace(theory, claims=tuple(c for c in theory.claims if c.auxiliary or c is claim))
    return next(p for p in Prover(few, switches).prove() if p.claim is claim)


def test_a_version_may_decide() -> None:
    """That a recalled bearer leaves its gear behind is a reading of 1.3 only (G15)."""
    theory = shipped("riftbound")
    literal = readings(theory, reading__bearer_recall_carries__no=True)
    _, new = outcome(theory, literal | {"version.1.4": True})
    assert new == {}
    _, old = outcome(theory, literal | {"version.1.4": False})
    assert old.keys() == {"apart"}


def test_a_small_game_is_shown_as_boards() -> None:
    theory = shipped("riftbound")
    claim = next(c for c in theory.claims if c.name == "attached_off_board")
    found = shortest_game(theory, claim, readings(theory, clause__719__5=False))
    assert found is not None
    start, middle, end = found.boards
    gear, unit = next(pair for pair, value in end.values["attached"].items() if value == "true")
    assert not start.holds("attached", gear, unit)
    assert middle.holds("attached", gear, unit)
    assert (middle.holds("on_board", unit), end.holds("on_board", unit)) == (True, False)
    assert found.actions == (f"attach({gear}, {unit})", f"leave({unit})")
    assert any(line.startswith(f"{gear}: ") and f"attached {unit}" in line for line in end.lines())


def test_no_game_refutes_what_is_proved() -> None:
    theory = shipped("magic")
    for claim in theory.claims:
        assert shortest_game(theory, claim, {}, depth=3) is None


def test_a_board_one_step_before_a_fault() -> None:
    """Alone, that units are never attached is inductive; that hanging has no cycle is not."""
    theory = shipped("riftbound")
    claims = {c.name: c for c in theory.claims}
    assert step_from_any_board(theory, claims["two_cards"], [], readings(theory)) is None
    found = step_from_any_board(theory, claims["cycle"], [], readings(theory))
    assert isinstance(found, SmallGame)
    assert not found.from_start
    assert len(found.actions) == 1


@pytest.mark.parametrize("name", ["riftbound", "magic"])
def test_every_auxiliary_claim_is_needed(name: str) -> None:
    assert idle(shipped(name), readings(shipped(name))) == []


@pytest.mark.parametrize("name", ["riftbound", "magic"])
def test_every_action_may_happen(name: str) -> None:
    """Proofs would be hollow if an action were never possible on a board that satisfies all claims."""
    theory = shipped(name)
    at_once = {"equip_at_once": {"reading.equip_attach_at.pay": True}}
    for action in theory.actions:
        universe = Universe([(sort, 3) for sort in theory.sorts.values()])
        solver = z3.Solver(ctx=theory.context)
        chosen = theory.chosen(readings(theory) | at_once.get(action.name, {}))
        held = [claim.formula for claim in theory.claims if not claim.of_step]
        facts = [*theory.axioms, *chosen, *held, *action.conjuncts]
        solver.add(*map(universe.ground, facts))
        functions = [f.now for f in theory.state] + [f.next for f in theory.state] + [f for _, f in theory.rigid]
        solver.add(*universe.closed([*functions, *(param.decl() for param in action.params)]))
        assert solver.check() == z3.sat, action.name


def test_a_claim_that_fails_takes_what_rests_on_it_along() -> None:
    text = (
        LAMP
        + """
        (define-fun bright () Bool (! (forall ((x Lamp)) (lit x)) :invar-property 2))
        (define-fun none () Bool (! (forall ((x Lamp)) (=> (lit x) false)) :invar-property 3))
        (define-fun steady () Bool (! (forall ((x Lamp)) (=> clause.2 (= (lit x) (lit x)))) :invar-property 4))"""
    )
    proved, open_ = outcome(theory_of(text), {})
    assert proved.keys() == {"stays", "steady"}
    assert {name: o.what for name, o in open_.items()} == {
        "bright": "initial",
        "dark": "light",
        "none": "light",
    }


def test_examining_gives_proofs_and_games() -> None:
    theory = shipped("magic")
    found = {e.claim.name: e.answer for e in examine(Prover(theory, {"clause.701.3b": False}))}
    assert {name for name, answer in found.items() if isinstance(answer, SmallGame)} == {
        "not_to_itself",
        "attached_illegally",
    }
    assert all(isinstance(answer, AnySize | SmallGame) for answer in found.values())


def test_versions_and_readings_set_switches() -> None:
    theory = shipped("riftbound")
    chosen = switches(theory, "1.4", {"equip_attach_at": "pay", "gear_becomes_unit": "detach"})
    assert chosen == {
        "version.1.4": True,
        "reading.equip_attach_at.pay": True,
        "reading.gear_becomes_unit.stay": False,
    }
    assert switches(theory, "1.3", {})["version.1.4"] is False
    assert switches(theory, None, {}) == {}


def test_readings_are_named_as_in_the_rulebook() -> None:
    known = load_rulebook("riftbound").readings
    for name in shipped("riftbound").switches:
        kind, _, rest = name.partition(".")
        if kind == "reading":
            reading, _, value = rest.partition(".")
            assert value in known[reading].values
            assert value != known[reading].default


def test_claims_are_named_as_properties_of_the_rulebook() -> None:
    """What has the same name in both encodings is the same property; the rest is listed."""
    known = {prop.name for prop in load_rulebook("riftbound").properties}
    own = {claim.name for claim in shipped("riftbound").claims if not claim.auxiliary} - known
    assert own == {"wakes_up", "equipped_if", "equipped_only_if"}
