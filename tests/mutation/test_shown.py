"""What a board shows, how a fault in it is noticed, and rules switched off without grounding again."""

from __future__ import annotations

from pathlib import Path

import pytest

from checker.engines.protocol import Limits
from checker.mutation.shown import Kill, Said, Shown, noticed, show, switched_off
from checker.mutation.workbench import as_written, ground_on, opened
from checker.system.model import Kind
from tests.mutation.lamps import write_lamps
from tests.traces.toys import LAMPS, toy

GOALS = {"bright": Kind.INVARIANT, "dead": Kind.SOMETIMES, "lost": Kind.SOMETIMES, "all": Kind.RULES_FIRE}


def shown(states: int = 6, complete: bool = True, **said: Said) -> Shown:
    return Shown("b", states, complete, 0.0, said, frozenset({1}))


def test_a_board_shows_verdicts_lengths_and_counts() -> None:
    """Two lamps must be lit to blow the fuse, and mended it may be dead after three steps."""
    seen = show("b", toy(LAMPS, GOALS), Limits())

    assert (seen.states, seen.complete) == (6, True)
    assert seen.said == {
        "bright": Said("violated", 2),
        "dead": Said("holds", 3),
        "lost": Said("violated", None, ("lost",)),
    }


@pytest.mark.parametrize(
    ("before", "after", "by", "what"),
    [
        (Said("holds", None), Said("violated", 4), "verdict", "p: holds became violated"),
        (Said("holds", 3), Said("violated", None, ("p",)), "verdict", "p: holds became violated (p)"),
        (Said("violated", None, ("p",)), Said("holds", 3), "happens", "p: violated (p) became holds"),
        (Said("violated", 4), Said("violated", 2), "length", "p: shortest game 4 became 2 steps"),
    ],
)
def test_a_change_is_noticed_by_the_strongest_evidence(before: Said, after: Said, by: str, what: str) -> None:
    assert noticed(shown(p=before), shown(p=after, states=9)) == Kill(by, "b", what, "p")


def test_a_count_is_noticed_last_and_only_as_far_as_it_is_known() -> None:
    plain = shown(p=Said("holds", None))

    assert noticed(plain, shown(9, p=Said("holds", None))) == Kill("count", "b", "6 reachable boards became 9")
    over = noticed(plain, shown(9, False, p=Said("unknown", None)))
    assert over == Kill("count", "b", "6 reachable boards became over 9")
    assert noticed(plain, shown(5, False, p=Said("unknown", None))) is None
    assert noticed(plain, plain) is None


def test_a_rule_switched_off_is_as_if_it_were_not_written(tmp_path: Path) -> None:
    """The rules that set, allow, and leave open, each against grounding without it."""
    where = str(write_lamps(tmp_path))
    encoding = opened(where)[1]
    first = as_written(where, "one")
    seen = {}
    for rule in (1, 2, 3, 4, 5, 6):
        off = switched_off(first, frozenset({rule}))
        assert off is not None
        seen[rule] = show("one", off, Limits())
        other = show("one", ground_on(where, encoding.without({rule}), "one"), Limits())
        assert (seen[rule].states, seen[rule].said) == (other.states, other.said)

    assert [seen[rule].states for rule in seen] == [1, 3, 2, 4, 2, 2]


def test_who_decides_and_what_is_always_so_takes_grounding(tmp_path: Path) -> None:
    where = str(write_lamps(tmp_path))
    assert switched_off(as_written(where, "one"), frozenset({0})) is None

    static = toy("fluent(a, b). initially(a, b). action(go). by(go, ann).\n%@ 1\npossible(go).\n", {})
    assert switched_off(static, frozenset({0})) is None
