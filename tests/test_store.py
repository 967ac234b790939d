"""Verdicts kept between runs: found again only if everything they depend on is the same and untouched."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from hashlib import sha256
from pathlib import Path

import pytest

from checker.check import BoardResult, check_board
from checker.engines.protocol import Holds, Limits, Violated
from checker.pipeline import read_rules
from checker.rulebook.load import load_board, load_rulebook
from checker.store import VerdictStore, _package_digest
from checker.traces.replay import ReplayedStep
from tests.toybook import BOARD, RULEBOOK, RULES, write_toy


@pytest.fixture
def store(tmp_path: Path) -> VerdictStore:
    return VerdictStore(tmp_path / "store" / "verdicts.sqlite")


def check(folder: Path, store: VerdictStore | None, limits: Limits = Limits()) -> BoardResult:  # noqa: B008  # frozen
    """Check the toy in `folder` on its board."""
    book = load_rulebook(str(folder))
    board = load_board(book, "one")
    return check_board(
        book, read_rules(book), board, {}, book.properties, "explicit", limits, lambda _: None, store=store
    )


def from_store(result: BoardResult) -> int:
    """Return how many verdicts were known."""
    return int(result.details.get("from_store", 0))


def test_a_second_run_knows_the_verdict_and_tells_the_same_game(tmp_path: Path, store: VerdictStore) -> None:
    folder = write_toy(tmp_path / "toy")
    first, second = check(folder, store), check(folder, store)

    assert (from_store(first), from_store(second)) == (0, 1)
    assert second.judged == first.judged
    assert second.counts == first.counts


PUT_OUT = """\
%@ 1
set(lit(O), no) :- occurs(put_out(O)).
action(put_out(O)) :- lamp(O).
by(put_out(O), bob) :- lamp(O).
%@ 1
possible(put_out(O)) :- now(lit(O), yes).
"""

CHANGES = {
    "a rule": {"rules": RULES + PUT_OUT},
    "the board": {"board": BOARD + "[objects.lantern]\n"},
    "the property": {"rules": RULES.replace("now(lit(O), yes).", "now(lit(O), no).")},
}


@pytest.mark.parametrize("change", CHANGES)
def test_what_a_verdict_depends_on_is_in_its_key(tmp_path: Path, store: VerdictStore, change: str) -> None:
    check(write_toy(tmp_path / "toy"), store)

    assert from_store(check(write_toy(tmp_path / "toy", **CHANGES[change]), store)) == 0


def test_a_line_moved_changes_nothing(tmp_path: Path, store: VerdictStore) -> None:
    check(write_toy(tmp_path / "toy"), store)

    assert from_store(check(write_toy(tmp_path / "toy", rules="% a remark\n" + RULES), store)) == 1


def test_other_limits_are_another_question(tmp_path: Path, store: VerdictStore) -> None:
    folder = write_toy(tmp_path / "toy")
    check(folder, store)

    assert from_store(check(folder, store, Limits(seconds=60))) == 0


def test_another_version_of_a_library_may_answer_otherwise(
    tmp_path: Path, store: VerdictStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = write_toy(tmp_path / "toy")
    check(folder, store)
    _package_digest.cache_clear()
    monkeypatch.setattr("checker.store.version", lambda library: "1.0" if library == "clingo" else "0")
    other = check(folder, store)
    _package_digest.cache_clear()

    assert from_store(other) == 0


def test_an_undecided_verdict_is_not_kept(tmp_path: Path, store: VerdictStore) -> None:
    folder = write_toy(tmp_path / "toy", rules=RULES.replace("now(lit(O), yes).", "now(lit(O), yes), now(lit(O), no)."))
    check(folder, store, Limits(depth=0))

    assert from_store(check(folder, store, Limits(depth=0))) == 0


def alter(store: VerdictStore, sql: str, *values: str) -> None:
    """Change rows behind the store's back."""
    with closing(sqlite3.connect(store.path)) as database, database:
        assert database.execute(sql, values).rowcount == 1


def test_a_row_that_was_altered_counts_as_absent(tmp_path: Path, store: VerdictStore) -> None:
    folder = write_toy(tmp_path / "toy")
    check(folder, store)
    alter(store, "UPDATE verdict SET payload = replace(payload, '\"shortest\": true', '\"shortest\": false')")
    again = check(folder, store)

    assert from_store(again) == 0
    assert isinstance(again.judged[0].answer, Violated)
    assert again.judged[0].answer.shortest


def test_a_game_that_does_not_replay_is_not_believed(tmp_path: Path, store: VerdictStore) -> None:
    """Even with a matching digest: the stored game takes no step, and never lights the lamp."""
    folder = write_toy(tmp_path / "toy")
    check(folder, store)
    with closing(sqlite3.connect(store.path)) as database:
        key, payload = database.execute("SELECT key, payload FROM verdict").fetchone()
    data = json.loads(payload)
    data["answer"]["trace"] = [data["answer"]["trace"][0][:1], [], None]
    forged = json.dumps(data)
    alter(store, "UPDATE verdict SET payload = ?, digest = ?", forged, sha256(f"{key} {forged}".encode()).hexdigest())
    again = check(folder, store)

    assert from_store(again) == 0
    assert again.judged[0].trace is not None
    assert len(again.judged[0].trace.steps) == 1


def test_a_file_that_is_no_database_is_no_obstacle(tmp_path: Path, store: VerdictStore) -> None:
    store.path.parent.mkdir()
    store.path.write_text("not a database", encoding="utf-8")

    assert from_store(check(write_toy(tmp_path / "toy"), store)) == 0
    assert store.path.read_text(encoding="utf-8") == "not a database"


CHOICE = """\
%@ 1
{ set(lit(O), V) : value(V) } = 1 :- occurs(light(O)).
value(yes; no).
"""
UNSEEN = "%@ 1\nset(lit(O), no) :- occurs(light(O)), object(O, broken, true).\n"


def test_a_choice_is_found_again_whatever_its_rule_is_numbered(tmp_path: Path, store: VerdictStore) -> None:
    """A rule without instances before it: the same ground rules, and another number for every tagged rule."""
    rules = RULES.replace("%@ 1\nset(lit(O), yes) :- occurs(light(O)).\n", CHOICE)
    first = check(write_toy(tmp_path / "a", rules=rules), store)
    again = check(write_toy(tmp_path / "b", rules=UNSEEN + rules), store)

    assert from_store(again) == 1
    assert [step.chosen for step in shown(again)] == [step.chosen for step in shown(first)]
    assert len(shown(again)) == 1


def test_further_games_are_found_again_with_their_notes(tmp_path: Path, store: VerdictStore) -> None:
    """Lighting leaves open whether either of two lamps, which are not alike, is lit."""
    folder = write_toy(
        tmp_path / "toy",
        rulebook=RULEBOOK.replace("invariant", "determinism"),
        rules=RULES.replace("%@ 1\nset(lit(O), yes) :- occurs(light(O)).\n", CHOICE)
        + "resolution(never_on) :- occurs(light(_)).\n",
        board=BOARD + '[objects.lantern]\nsize = "large"\n',
    )
    first, second = (check(folder, store, Limits(games=5)) for _ in range(2))

    assert (from_store(first), from_store(second)) == (0, 1)
    assert second.judged == first.judged
    assert [other.note.partition(":")[0] for other in second.judged[0].others] == ["light(lantern) leaves open"]


def shown(result: BoardResult) -> list[ReplayedStep]:
    """Return the steps of the first game."""
    assert result.judged[0].trace is not None
    return list(result.judged[0].trace.steps)


RULES_FIRE = """
[[properties]]
name = "every_rule"
kind = "rules_fire"
title = { en = "Every rule fires." }
"""
NEVER = "%@ 1\nset(lit(O), no) :- occurs(light(O)), now(lit(O), yes).\n"


GAMES = {
    "none": ({}, 1),
    "what tells two lamps apart": ({"board": BOARD + "[objects.torch]\ncolour = 'red'\n"}, 0),
    "the clauses of a step": ({"rules": RULES.replace("%@ 1\nset", "%@ model: as clause 1\nset")}, 0),
}


@pytest.mark.parametrize("change", GAMES)
def test_which_games_differ_depends_on_more_than_the_game(tmp_path: Path, store: VerdictStore, change: str) -> None:
    files, known = GAMES[change]
    two = {"board": BOARD + "[objects.torch]\n"}
    limits = Limits(games=3)
    check(write_toy(tmp_path / "toy", **two), store, limits)

    assert from_store(check(write_toy(tmp_path / "toy", **two | files), store, limits)) == known


def test_rules_that_never_fire_are_named_where_they_stand_now(tmp_path: Path, store: VerdictStore) -> None:
    """One has instances, which are known; the other has none, and is new."""
    book = RULEBOOK + RULES_FIRE
    check(write_toy(tmp_path / "a", rulebook=book, rules=RULES + NEVER + UNSEEN), store)
    again = check(write_toy(tmp_path / "b", rulebook=book, rules="% more\n" + UNSEEN + NEVER + RULES), store)
    answer = again.judged[1].answer

    assert from_store(again) == 2
    assert isinstance(answer, Violated)
    assert [name.rpartition("/")[2] for name in answer.culprits] == ["main.lp:3 1", "main.lp:5 1"]


def test_a_rule_without_instances_is_not_taken_to_fire(tmp_path: Path, store: VerdictStore) -> None:
    """Every rule fired before it came; that every rule does is not believed any more."""
    book = RULEBOOK + RULES_FIRE
    first = check(write_toy(tmp_path / "a", rulebook=book), store)
    again = check(write_toy(tmp_path / "b", rulebook=book, rules=RULES + UNSEEN), store)

    assert isinstance(first.judged[1].answer, Holds)
    assert from_store(again) == 1
    assert isinstance(again.judged[1].answer, Violated)
