"""Riftbound's rules and its first-order encoding take the same steps."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from clingo.symbol import parse_term

from checker.equivalence.shared import load_shared, match
from checker.errors import InputError
from tests.equivalence.sides import compared, folder_of, rules, shipped

SMT = folder_of("riftbound")
GAME = "riftbound@1.3"


@pytest.mark.parametrize(("board", "player"), [("two_sides", "bob"), ("two_fields", "alice")])
def test_both_take_the_same_steps(board: str, player: str) -> None:
    """On every board that is compared, each step of the rules and each action here but that of the other reading."""
    found = compared(rules(GAME, board), shipped("riftbound"), folder=SMT)
    assert [c.differs for c in found if c.differs is not None] == []
    assert len(found) == 84
    assert [c.action for c in found if not c.happens] == []
    named = {action.name for action in shipped("riftbound").actions}
    assert named - {like for c in found for like in c.likes} == {"equip_at_once"}
    likes = {c.action: c.likes for c in found}
    assert likes["cleanup(recall)"] == ("cleanup_gear", "cleanup_foreign")
    two = f"play(poro,base({player})), then weaponmaster(poro,sword,1,plain)"
    assert likes[two] == ("play_weaponmaster",)


@pytest.mark.parametrize(("board", "steps"), [("two_sides", 6), ("two_fields", 3)])
def test_both_equip_at_once_under_that_reading(board: str, steps: int) -> None:
    system = rules(GAME, board, reading="equip_attach_at=pay")
    found = compared(system, shipped("riftbound"), "equip(", folder=SMT)
    assert [c.differs for c in found if c.differs is not None] == []
    assert [(c.likes, c.happens) for c in found] == [(("equip_at_once",), True)] * steps


def test_weaponmaster_is_paid_for_on_resolution_in_1_4() -> None:
    system = rules("riftbound@1.4", "two_fields")
    found = compared(system, shipped("riftbound"), "play(poro", "weaponmaster", "resolve(", folder=SMT)
    assert [c.differs for c in found if c.differs is not None] == []
    likes = {c.action.partition("(")[0]: c.likes for c in found if c.likes}
    assert likes["weaponmaster_pay"] == ("resolve_weaponmaster", "fizzle")
    assert likes["weaponmaster_refuse"] == ("fizzle",)


def test_what_is_apart_stays_apart_when_it_is_attached_again() -> None:
    """With the reading that parts a recalled bearer from its gear, attaching to the same card moves nothing."""
    theory = replace(shipped("riftbound"), claims=tuple(c for c in shipped("riftbound").claims if c.name != "apart"))
    system = rules(GAME, "two_sides", reading="bearer_recall_carries=no")
    found = compared(system, theory, "attach(sword", "resolve(equip(sword,grunt", folder=SMT)
    assert [c.differs for c in found if c.differs is not None] == []
    assert len(found) == 5


def test_actions_match_by_their_parameters() -> None:
    attach, *_ = load_shared(SMT).actions
    (pattern,) = attach.rules
    assert match(pattern, parse_term("attach(sword,grunt)"), {}) == {"g": parse_term("sword"), "t": parse_term("grunt")}
    assert match(pattern, parse_term("attach(sword,grunt)"), {"t": parse_term("sword")}) is None
    assert match(pattern, parse_term("attach(sword)"), {}) is None
    assert match(pattern, parse_term("equip(sword,grunt)"), {}) is None


def test_a_game_without_the_file(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"shared\.toml does not say what the encodings share"):
        load_shared(tmp_path)
