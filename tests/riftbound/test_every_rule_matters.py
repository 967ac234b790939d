"""Switching off any single rule of attach, detach, equip or weaponmaster is noticed on some small board."""

from __future__ import annotations

import pytest

from checker.errors import InputError
from tests.riftbound.boards import Seen, grounded, recorded, rulebook, see

CHAPTERS = (
    "attach.lp",
    "detach.lp",
    "attachment.lp",
    "equip.lp",
    "weaponmaster.lp",
    "weaponmaster_late.lp",
    "weaponmaster_resolves.lp",
    "weaponmaster_optional.lp",
)


def chapter_rules() -> list[int]:
    """Return the ids of the tagged rules of the chapters."""
    _, encoding = rulebook()
    return [s.id for s in encoding.sources if s.file.rsplit("/", 1)[-1] in CHAPTERS]


def label(rule: int) -> str:
    """Name a rule by its chapter and line."""
    source = rulebook()[1].sources[rule]
    return f"{source.file.rsplit('/', 1)[-1]}:{source.line}"


def by_size() -> list[tuple[str, Seen]]:
    """Return the recorded boards, smallest first."""
    return sorted(recorded().items(), key=lambda entry: entry[1].states or 0)


def noticed_on(rule: int) -> str | None:
    """Return the smallest board that shows something else without the rule."""
    for board, expected in by_size():
        if rule not in grounded(board):
            continue
        try:
            if see(board, "explicit", frozenset({rule})) != expected:
                return board
        except InputError:
            return board
    return None


@pytest.mark.parametrize("rule", chapter_rules(), ids=label)
def test_a_rule_switched_off_is_noticed(rule: int) -> None:
    """A verdict, a shortest game, a count or a wanted situation changes on some board."""
    assert noticed_on(rule) is not None


def test_no_rule_switched_off_is_not_noticed() -> None:
    """The comparison itself is quiet when nothing is switched off."""
    board, expected = by_size()[0]

    assert see(board, "explicit") == expected
