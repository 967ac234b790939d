"""Boards told before: an edit that changes nothing is answered without grounding a rule, any other is checked."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from checker import run
from checker.engines.protocol import Limits
from checker.report.json_ import to_plain
from checker.report.model import Document
from checker.run import Request, check_all
from tests.toybook import BOARD, CLAUSES, RULEBOOK, RULES, write_toy

MORE = """
[[properties]]
name = "every_rule"
kind = "rules_fire"
title = { en = "Every rule fires." }
"""
NEVER = "%@ model: nobody puts it out\nset(lit(O), no) :- occurs(light(O)), now(lit(O), yes).\n"
HEAD, *REST = (RULES + NEVER).splitlines(keepends=True)
SAME_RULES = "% A remark.\n% Another.\n" + "".join(REST).replace("O", "Lamp") + HEAD
"""The rules in another order, with another name for the variable, and each on another line."""


@pytest.fixture
def store(tmp_path: Path) -> Path:
    return tmp_path / "verdicts.sqlite"


def write(folder: Path, **changed: str) -> Path:
    place = write_toy(folder, **{"rules": RULES + NEVER, "rulebook": RULEBOOK + MORE} | changed)
    (place / "boards" / "two.toml").write_text(BOARD + "[objects.torch]\n", encoding="utf-8")
    return place


def check(folder: Path, store: Path | None, **how: Any) -> Document:
    asked: dict[str, Any] = {"engine": "explicit", "readings": {}, "limits": Limits(), "jobs": 1, "store": store} | how
    return check_all(Request(str(folder), asked.pop("boards", ()), asked.pop("properties", ()), **asked))


def told(document: Document) -> object:
    """Return a result without what differs from run to run."""
    plain = to_plain(document)
    del plain["run"]
    return plain


@pytest.fixture
def rechecked(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The boards that are checked, as they are."""
    names: list[str] = []
    check_one = run.check_one

    def noticed(request: Request, board: str) -> Any:
        names.append(board)
        return check_one(request, board)

    monkeypatch.setattr(run, "check_one", noticed)
    return names


def test_an_edit_that_changes_nothing_is_told_as_if_it_were_checked(
    tmp_path: Path, store: Path, rechecked: list[str]
) -> None:
    """With every rule where it stands now: in the steps of games, in assumptions, and where rules never fire."""
    folder = write(tmp_path / "toy")
    check(folder, store)
    write(folder, rules=SAME_RULES)
    del rechecked[:]
    again = check(folder, store)

    assert rechecked == []
    assert {board.details for board in again.rulebooks[0].boards} == {(("from_store", "2"),)}
    assert told(again) == told(check(folder, None))


def test_places_do_move(tmp_path: Path, store: Path) -> None:
    """The test above would show little if they did not."""
    folder = write(tmp_path / "toy")
    before = check(folder, store)
    write(folder, rules=SAME_RULES)

    assert told(before) != told(check(folder, store))


EDITS: dict[str, dict[str, str]] = {
    "a rule": {"rules": RULES + NEVER.replace("yes", "no")},
    "a word of the rulebook": {"rulebook": (RULEBOOK + MORE).replace("Toy", "Toys")},
    "a title": {"rulebook": (RULEBOOK + MORE).replace("Every rule", "Each rule")},
    "a clause": {"clauses": CLAUSES.replace("may be", "can be")},
    "what is assumed": {"rules": (RULES + NEVER).replace("nobody", "no one")},
    "the value of a reading": {"rulebook": (RULEBOOK + MORE).replace('default = "slow"', 'default = "fast"')},
}


@pytest.mark.parametrize("edit", EDITS)
def test_any_other_edit_is_checked(tmp_path: Path, store: Path, edit: str, rechecked: list[str]) -> None:
    folder = write(tmp_path / "toy")
    check(folder, store)
    write(folder, **EDITS[edit])
    del rechecked[:]
    again = check(folder, store)

    assert sorted(rechecked) == ["one", "two"]
    assert told(again) == told(check(folder, None))


def test_only_the_board_that_was_edited_is_checked(tmp_path: Path, store: Path, rechecked: list[str]) -> None:
    folder = write(tmp_path / "toy")
    check(folder, store)
    (folder / "boards" / "one.toml").write_text(BOARD.replace("One", "A"), encoding="utf-8")
    del rechecked[:]
    check(folder, store)

    assert rechecked == ["one"]


HOW: dict[str, dict[str, Any]] = {
    "engine": {"engine": "symbolic"},
    "limits": {"limits": Limits(seconds=100)},
    "reading": {"readings": {"speed": "fast"}},
    "one board": {"boards": ("one",)},
    "one property": {"properties": ("never_on",)},
}


@pytest.mark.parametrize("what", HOW)
def test_another_question_is_another_answer(tmp_path: Path, store: Path, what: str, rechecked: list[str]) -> None:
    folder = write(tmp_path / "toy")
    check(folder, store)
    del rechecked[:]
    check(folder, store, **HOW[what])

    assert "one" in rechecked


def test_what_is_undecided_is_not_kept(tmp_path: Path, store: Path, rechecked: list[str]) -> None:
    folder = write(tmp_path / "toy")
    for _ in range(2):
        check(folder, store, limits=Limits(depth=0), engine="asp", properties=("never_on",))

    assert sorted(rechecked) == ["one", "one", "two", "two"]


def test_a_board_that_was_altered_is_checked_again(tmp_path: Path, store: Path, rechecked: list[str]) -> None:
    folder = write(tmp_path / "toy")
    first = check(folder, store)
    with closing(sqlite3.connect(store)) as database, database:
        changed = database.execute("UPDATE told SET payload = replace(payload, 'violated', 'holds')").rowcount
    del rechecked[:]

    assert changed == 2
    assert told(check(folder, store)) == told(first)
    assert sorted(rechecked) == ["one", "two"]
