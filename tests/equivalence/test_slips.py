"""A slip in the rules, or in the first-order encoding, is found and shown where it is."""

from __future__ import annotations

import tomllib
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from checker.equivalence.compare import Compared
from tests.equivalence.sides import changed, compared, folder_of, rules, shipped

GAMES = {"riftbound": "riftbound@1.3", "magic": "magic"}
CASES = {game: tomllib.loads((Path(__file__).parent / f"{game}.toml").read_text()) for game in GAMES}


def cases(side: str) -> list[Any]:
    """Return the slips of one side, each with its game."""
    return [pytest.param(game, c, id=f"{game}: {c['slip']}") for game in GAMES for c in CASES[game][side]]


def together(game: str, side: str, case: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the slips that are made together with this one: each is in a step of its own."""
    if case.get("alone") or case.get("reading"):
        return [case]
    return [c for c in CASES[game][side] if not c.get("alone") and not c.get("reading")]


@cache
def differences(game: str, side: str, first: str) -> list[Compared]:
    """Compare what the slips made together with the one named `first` are in, all at once."""
    case = next(c for c in CASES[game][side] if c["slip"] == first)
    slips = together(game, side, case)
    text = "".join(f"%@ model: slip\n{c['text']}\n" for c in slips) if side == "rules" else ""
    changes = [(c["old"], c["new"]) for c in slips] if side == "encoding" else []
    system = rules(GAMES[game], CASES[game]["board"], text, case.get("reading", ""))
    theory = changed(game, *changes) if changes else shipped(game)
    return compared(system, theory, *(c["action"] for c in slips), folder=folder_of(game))


@pytest.mark.parametrize(("game", "case"), cases("rules"))
def test_a_slip_in_the_rules_is_found(game: str, case: dict[str, Any]) -> None:
    check(differences(game, "rules", together(game, "rules", case)[0]["slip"]), case)


@pytest.mark.parametrize(("game", "case"), cases("encoding"))
def test_a_slip_in_the_first_order_encoding_is_found(game: str, case: dict[str, Any]) -> None:
    check(differences(game, "encoding", together(game, "encoding", case)[0]["slip"]), case)


def check(found: list[Compared], case: dict[str, Any]) -> None:
    """Assert that the action differs as expected, on a whole board, with clauses of the sides that allow it."""
    shown = [c.differs for c in found if c.action == case["action"] and c.differs is not None]
    (differs,) = [d for d in shown if d.what == case["what"]]
    allowed = {"rules": differs.rules, "theory": differs.theory}
    if differs.what == "guard":
        assert set(allowed.values()) == {("allowed",), ("not allowed",)}
    for side in ("rules", "theory"):
        assert tuple(case.get(side, allowed[side])) == allowed[side]
    assert all("=" in fluent for fluent in differs.board)
    taken = differs.rules != ("not allowed",) and not case.get("idle")
    assert bool(differs.fired) == taken
    assert differs.lines()[0] == f"{case['action']}: {case['what']}"


def test_a_step_to_a_board_that_is_not_compared_is_found() -> None:
    slip = "%@ model: slip\nset(status(stunned, poro), yes) :- occurs(pass).\n"
    found = compared(
        rules("riftbound@1.3", "two_sides", slip), shipped("riftbound"), "pass", folder=folder_of("riftbound")
    )
    (board,) = [c.differs for c in found if c.differs is not None and c.differs.what == "board"]
    assert board.rules == ("never(awake(poro))",)


def test_what_only_the_first_order_encoding_allows_is_found() -> None:
    """The rules have no action by which an Equipment is attached to itself."""
    theory = changed("riftbound", ("(unit t) (on_board t) (not (= g t))\n    (or", "(on_board t)\n    (or"))
    found = compared(rules("riftbound@1.3", "two_sides"), theory, "attach(sword,poro", folder=folder_of("riftbound"))
    assert {c.differs.action for c in found if c.differs is not None} >= {"attach(g,t): g=sword, t=sword"}
