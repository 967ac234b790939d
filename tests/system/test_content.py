"""What a verdict can depend on: digests change with it, and with nothing else."""

from __future__ import annotations

from pathlib import Path

import pytest

from checker.pipeline import load_system
from checker.system.content import Content
from checker.system.model import TransitionSystem
from tests.toybook import BOARD, RULEBOOK, RULES, write_toy

MORE = """
[[properties]]
name = "every_rule"
kind = "rules_fire"
title = { en = "Every rule fires." }

[[properties]]
name = "joined"
kind = "invariant"
title = { en = "No lamp is joined to itself." }
"""
LOOP = """\
wire(O, O') :- object(O), object(O'), now(lit(O), yes).
joined(O, O') :- wire(O, O').
joined(O, O'') :- joined(O, O'), wire(O', O'').
violated(joined, O) :- joined(O, O).
ring(1) :- ring(2), now(lit(lamp), yes).
ring(2) :- ring(3), now(lit(lamp), yes).
ring(3) :- ring(1), now(lit(lamp), yes).
ring(3) :- ring(2), now(lit(lamp), no).
ring(2) :- now(lit(torch), yes).
violated(joined, ring) :- ring(1).
"""
OPEN = "%@ 1\n{ set(lit(O), V) : value(V) } = 1 :- occurs(light(O)), now(lit(O), no).\nvalue(yes; no).\n"
BASE = RULES + LOOP + OPEN


def system(folder: Path, rules: str) -> TransitionSystem:
    place = write_toy(folder, rules=rules, rulebook=RULEBOOK + MORE, board=BOARD + "[objects.torch]\n")
    return load_system(str(place), "one")


def digests(found: TransitionSystem) -> dict[str, bytes]:
    content = Content(found)
    return {goal.name: content.of(goal) for goal in found.goals}


def changed(tmp_path: Path, rules: str) -> set[str]:
    """Return the properties that may be answered otherwise than under `BASE`."""
    before, after = digests(system(tmp_path / "a", BASE)), digests(system(tmp_path / "b", rules))
    return {name for name in before if before[name] != after[name]}


ALL = {"never_on", "every_rule", "joined"}
UNSEEN = "%@ 1\nset(lit(O), no) :- occurs(light(O)), object(O, broken, true).\n"

EDITS = {
    "another order": (OPEN + LOOP + RULES, set()),
    "a loop the other way": (BASE.replace("joined(O, O'), wire(O', O'')", "wire(O', O''), joined(O, O')"), set()),
    "what one property asks": (BASE.replace("violated(joined, O) :- joined(O, O)", "violated(joined) :- joined(O, O)"),
                               {"joined"}),
    "what a loop says": (BASE.replace("joined(O, O') :- wire(O, O')", "joined(O, O') :- wire(O', O)"), {"joined"}),
    "what a loop reads of itself": (BASE.replace("ring(1) :- ring(2)", "ring(1) :- ring(3)"), {"joined"}),
    "what a loop rests on": (BASE.replace("now(lit(O), yes).\njoined", "now(lit(O'), yes).\njoined"), {"joined"}),
    "a rule with instances": (BASE.replace("set(lit(O), yes) :- occurs(light(O))",
                                           "set(lit(O), yes) :- occurs(light(O)), now(lit(O), no)"), ALL),
    "what may be chosen": (BASE.replace("value(yes; no)", "value(yes)"), ALL),
    "a guard": (BASE.replace("lamp(O), now(lit(O), no).", "lamp(O)."), ALL),
    "who decides": (BASE.replace("by(light(O), alice)", "by(light(O), bob)"), ALL),
    "a start": (BASE.replace("initially(lit(O), no)", "initially(lit(O), yes)"), ALL),
    "a tag": (BASE.replace("%@ 1\npossible", "%@ model: so\npossible"), {"every_rule"}),
    "a rule without instances": (UNSEEN + BASE, {"every_rule"}),
}  # fmt: skip
"""Edits, and what has to be decided again after them."""


@pytest.mark.parametrize("edit", EDITS)
def test_what_an_edit_can_affect(tmp_path: Path, edit: str) -> None:
    rules, affected = EDITS[edit]
    assert changed(tmp_path, rules) == affected


def test_a_further_rule_without_instances_affects_nothing(tmp_path: Path) -> None:
    """Whether there is one counts for `rules_fire`, not which: those never fire."""
    one = digests(system(tmp_path / "a", UNSEEN + BASE))

    assert digests(system(tmp_path / "b", UNSEEN.replace("broken", "spent") + UNSEEN + BASE)) == one


def test_another_order_numbers_atoms_and_rules_otherwise(tmp_path: Path) -> None:
    """What the digests leave out does differ, or the tests above would show nothing."""
    one, other = system(tmp_path / "a", BASE), system(tmp_path / "b", OPEN + LOOP + RULES)

    assert one.strata != other.strata
    assert sorted(Content(one).chosen.values()) == sorted(Content(other).chosen.values())
    assert [o.options for o in one.outcomes] != [o.options for o in other.outcomes]
