"""Every collected case is played as a ruling, or is listed with the reason why it is not."""

from __future__ import annotations

import re
import tomllib

import pytest

from checker.paths import models
from checker.rulebook.load import load_rulebook
from checker.rulings.load import load_rulings

RIFTBOUND = (
    "C02 C03 C05 C06 C07 C08 C09 C10 C11 C12 C16 C18 C20 C21 C22 C23 C25 C26 C27 C28 C29 C30 C31 C32 C33 C34 C35 C36 "
    "C38 C40 C41 C45 C46 C47 C49 C50 C51 C53 C54 C55 C56 C57 C58 C59 C62 C63 C64 C67 C69 C71 C72 C73 C75 C77 C78 C79 "
    "C80 C81 C82 C83 C84 C85 C86 C87 C88 C89 C90 C91 C92 C93 C95 C96 C97 C98 C99 C100 C101 C102 C103 C104 C107 C108 "
    "C109 C114 C117 C118 C119 C120 C121 C122 C123 C125 C127 C128 C129 C130 C132 C133 C136 C138 C139 C140 C141 C142 "
    "C144 C147 C149 C150 C151 C152 C154 C155 C156 C157 C158 C159 C160 C161 C163 C164 C165 C166"
)
"""The numbers of the cases collected for Riftbound."""

MAGIC = (
    "C01 C03 C04 C05 C08 C09 C10 C12 C13 C15 C16 C19 C21 C22 C23 C25 C26 C28 C29 C30 C31 C32 C36 C37 C40 C41 C42 C43 "
    "C44 C45 C46 C48 C49 C50 C53 C54 C56 C57 C58 C59 C64 C65 C66 C69 C75 C76 C77 C78 C79 C81 C82 C84 C85 C87 C88 C90 "
    "C91 C92 C95 C96 C97 C98 C99 C100 C101 C102 C104 C105 C106 C108 C109 C110 C112 C113 C114 C118 C120 C121 C122 C125 "
    "C127 C129 C130 C132 C134 C135 C136 D01 D03 D04 D07 D08 D10 D11 D12 D13 D14 D16 D17 D18 D19 D21"
)
"""The numbers of the cases collected for Magic."""

SUFFIX = re.compile(r"_1[234]$")
"""What marks a version's own game on a case."""


@pytest.mark.parametrize(("game", "collected"), [("riftbound", RIFTBOUND), ("magic", MAGIC)])
def test_every_case_is_played_or_has_a_reason(game: str, collected: str) -> None:
    """A case is a ruling, or out of scope for a reason in both languages, and never both."""
    cases = set(collected.split())
    played = {ruling.id.partition("_")[0].upper() for ruling in load_rulings(load_rulebook(game))} & cases
    reasons = tomllib.loads((models() / game / "out_of_scope.toml").read_text(encoding="utf-8"))

    assert played | set(reasons) == cases
    assert played & set(reasons) == set()
    assert all(set(reason["why"]) == {"en", "fr"} for reason in reasons.values())


IN_SOME_VERSIONS = {
    "c64": {"1.4"},  # only there is something paid as an item resolves
    "g05": {"1.3", "1.4"},  # 1.2 knows no XP
    "r135_2_e_6_b": {"1.2", "1.3"},  # 1.4 has another clause on [C] of several domains
    "t01": {"1.3"},  # only its French text was compared
}
"""Riftbound's cases that are not played under every version."""


def test_every_case_is_answered_in_every_version() -> None:
    """A case has a game in each version: the same, or one of its own with that version's suffix."""
    book = load_rulebook("riftbound")
    versions: dict[str, set[str]] = {}
    for ruling in load_rulings(book):
        versions.setdefault(SUFFIX.sub("", ruling.id), set()).update(ruling.versions)
    some = {case: named for case, named in versions.items() if named != set(book.versions)}

    assert some == {**IN_SOME_VERSIONS, "c87_owner": {"1.2", "1.3"}, "c87_controller": {"1.4"}}
