"""Magic's rules and its first-order encoding: what the same steps are; that they are is in test_command.py."""

from __future__ import annotations

from pathlib import Path

import pytest

from checker.errors import InputError
from tests.equivalence.sides import compared, folder_of, rules, shipped


def test_an_ability_that_lost_a_card_resolves_to_nothing() -> None:
    found = compared(rules("magic", "two_sides"), shipped("magic"), "resolve(", folder=folder_of("magic"))
    likes = {c.action: c.likes for c in found}
    assert likes["resolve(nothing(alice))"] == ("fizzle",)
    assert likes["resolve(equip(scimitar,bear,1,alice))"] == ("resolve", "fizzle")
    assert likes["resolve(spell(bear,alice))"] == ("enter",)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("tapped = {", "topped = {", "the encoding has no function topped"),
        ('on_stack = { any = ["occupied({0})"] }', "", "does not say how on_stack reads a board"),
        ('here = ["tap", "c"]', 'here = ["tip", "c"]', "there is no action tip"),
        ('here = ["tap", "c"]', 'here = ["tap", "c", "c"]', "tap has 1 arguments"),
        ('here = ["tap", "c"]', 'here = ["leave", "c"]', "says nothing of the action tap"),
        ("(not (tapped c))", "(not (tapped c)", r"shared\.toml: \(not \(tapped c\): "),
        ('unseen = ["pass", ', "unseen = [", "says nothing of pass, an action of the rules"),
        ('slot({0})"', 'slits({0})"', "has nothing of the sort Ability"),
        ('["now(turn,{v})"]', '["player({v})"]', "two values are seen of one function"),
        ('"(not (= p turn))"', '"(and (= p turn) (not (= p turn)))"', "`where` of end_turn leaves out boards; on "),
        ('never = ["never"]', 'never = ["is_here"]', "a board that games start with is not compared; on "),
        ('["new", "c", "true"]', '["on_battlefield", "c", "false"]', "what is `unseen` of .* is seen; on "),
        ('["new", "c", "true"]', '["knew", "c", "true"]', "the encoding has no function knew"),
        ('sorts = { p = "Player" }\nwhen', 'sorts = { p = "Prayer" }\nwhen', "p of equip.* is of no sort Prayer"),
    ],
)
def test_what_is_wrong_in_the_file_is_said(tmp_path: Path, old: str, new: str, message: str) -> None:
    text = (folder_of("magic") / "shared.toml").read_text()
    assert text.count(old) == 1
    (tmp_path / "shared.toml").write_text(text.replace(old, new))
    with pytest.raises(InputError, match=message):
        compared(
            rules("magic", "two_sides"),
            shipped("magic"),
            "resolve(spell",
            "equip",
            "end_turn",
            "effect(tap",
            folder=tmp_path,
        )
