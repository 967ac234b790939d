"""Riftbound's rules and its first-order encoding take the same steps, and a slip in either is found."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest
from clingo.symbol import parse_term

from checker.equivalence.compare import Compared, compare
from checker.equivalence.shared import load_shared
from checker.errors import InputError
from checker.firstorder.examine import switches
from checker.firstorder.prove import AnySize, Prover
from checker.firstorder.theory import Theory, load_theory, theory_of
from checker.paths import encodings
from checker.pipeline import read_rules, system_of
from checker.rulebook.load import load_board, load_rulebook

SMT = encodings() / "smt" / "riftbound"
HERE = Path(__file__).parent
LIKE = {
    "attach", "detach", "leave", "take_control", "recall", "move", "become_unit", "stop_unit", "exhaust", "stun",
    "end_turn", "play_unit", "play_gear",
}  # fmt: skip


def compared(
    board: str, theory: Theory, actions: str = "", *, more: Path | None = None, folder: Path = SMT
) -> list[Compared]:
    """Compare the shared actions of a board whose name begins with `actions`, with more rules if given."""
    book = load_rulebook("riftbound@1.3")
    layout = load_board(book, str(HERE / f"{board}.toml"))
    readings = book.choose(layout, {})
    overlays = [more] if more is not None else []
    system = system_of(book, read_rules(book, overlays), layout, readings, (), strict=False)
    shared = load_shared(folder)
    kept = tuple(action for action in shared.actions if str(action.rules).startswith(actions))
    chosen = switches(theory, "1.3", readings)
    return list(compare(system, theory, replace(shared, actions=kept), chosen, theory.claims))


@cache
def shipped() -> Theory:
    """Load the encoding once."""
    return load_theory(SMT)


def test_the_boards_compared_are_all_that_the_claims_allow() -> None:
    """Every claim that is assumed of a board is proved under the readings of both boards."""
    book = load_rulebook("riftbound@1.3")
    for name in ("two_sides", "two_fields"):
        readings = book.choose(load_board(book, str(HERE / f"{name}.toml")), {})
        found = Prover(shipped(), switches(shipped(), "1.3", readings)).prove()
        assert all(isinstance(answer, AnySize) for answer in found)


@pytest.mark.parametrize(("board", "actions"), [("two_sides", 57), ("two_fields", 61)])
def test_both_take_the_same_steps(board: str, actions: int) -> None:
    found = compared(board, shipped())
    assert [c for c in found if c.differs is not None] == []
    assert len(found) == actions
    assert {c.like for c in found} == LIKE
    assert [c.action for c in found if not c.happens] == []


SLIPS = {
    "attached cards come ready": (
        "attach(",
        "%@ model: slip\nset(status(exhausted, G), no) :- event(attached(G, T)), has_status(exhausted, G).\n",
        ("attach(sword,grunt)", "outcome", ("exhausted(sword) = False",), ("exhausted(sword) = True",)),
    ),
    "detaching passes the turn": (
        "detach(",
        "%@ model: slip\nset(turn, bob) :- occurs(detach(G)), now(turn, alice).\n",
        ("detach(sword)", "outcome", ("turn() = bob",), ("turn() = alice",)),
    ),
    "anyone walks": (
        "move(",
        "%@ model: slip\npossible(move(U, L)) :- action(move(U, L)), main(_), can_move(U), unit_now(U), "
        "now(status(exhausted, U), no), now(at(U), base(P)), walks(base(P), L).\n",
        ("move(grunt,bf(1))", "guard", ("allowed",), ("not allowed",)),
    ),
}


@pytest.mark.parametrize("slip", SLIPS)
def test_a_slip_in_the_rules_is_found(slip: str, tmp_path: Path) -> None:
    actions, text, expected = SLIPS[slip]
    path = tmp_path / "slip.lp"
    path.write_text(text)
    differ = {c.action: c.differs for c in compared("two_sides", shipped(), actions, more=path)}
    found = differ[expected[0]]
    assert found is not None
    assert (found.action, found.what, found.rules, found.theory) == expected
    assert "434.1" in found.fired or actions != "attach("


CHANGES = {
    "a detached card stays asleep": (
        "detach(",
        "(forall ((x Card)) (= (asleep.next x) (and (asleep x) (not (= x g)))))\n    ; 435.1.e",
        "(forall ((x Card)) (= (asleep.next x) (asleep x)))\n    ; 435.1.e",
        ("detach(sword)", "outcome", ("asleep(sword) = False",), ("asleep(sword) = True",), ("435.2", "435.1.a.1")),
    ),
    "what was on a dead unit stays on it": (
        "kill(",
        "(not (and clause.719.5 (= y c))))))\n    (forall ((x Card) (y Card)) (= (hangs.next",
        "true)))\n    (forall ((x Card) (y Card)) (= (hangs.next",
        ("kill(grunt)", "outcome", None, None, None),
    ),
    "an attached card is recalled": (
        "recall(",
        "(on_board c) (free c)\n    (relocates",
        "(on_board c)\n    (relocates",
        ("recall(sword)", "guard", ("not allowed",), ("allowed",), None),
    ),
}


@pytest.mark.parametrize("change", CHANGES)
def test_a_slip_in_the_first_order_encoding_is_found(change: str) -> None:
    actions, old, new, (action, what, rules, theory, clauses) = CHANGES[change]
    text = "\n".join(path.read_text(encoding="utf-8") for path in sorted(SMT.glob("*.smt2")))
    assert text.count(old) == 1
    differ = {c.action: c.differs for c in compared("two_sides", theory_of(text.replace(old, new)), actions)}
    found = differ[action]
    assert found is not None
    assert (found.action, found.what) == (action, what)
    assert len(found.board) == 29  # fluents
    for expected, said in ((rules, found.rules), (theory, found.theory), (clauses, found.clauses)):
        assert expected in (None, said)


def test_actions_match_by_their_parameters() -> None:
    attach, *_ = load_shared(SMT).actions
    assert attach.match(parse_term("attach(sword,grunt)")) == {"g": parse_term("sword"), "t": parse_term("grunt")}
    assert attach.match(parse_term("attach(sword)")) is None
    assert attach.match(parse_term("equip(sword,grunt)")) is None


def test_a_game_without_the_file(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"shared\.toml does not say what the encodings share"):
        load_shared(tmp_path)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("asleep = {", "asleap = {", "the encoding has no function asleap"),
        ("lost = { any = [] }", "", "does not say how lost reads a board"),
        ('here = ["stun", "u"]', 'here = ["stum", "u"]', "there is no action stum"),
        ("(not (stunned u))", "(not (stunned u)", "shared.toml: "),
    ],
)
def test_what_is_wrong_in_the_file_is_said(tmp_path: Path, old: str, new: str, message: str) -> None:
    text = (SMT / "shared.toml").read_text()
    assert text.count(old) == 1
    (tmp_path / "shared.toml").write_text(text.replace(old, new))
    with pytest.raises(InputError, match=message):
        compared("two_sides", shipped(), "give(stunned", folder=tmp_path)
