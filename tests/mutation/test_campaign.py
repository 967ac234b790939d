"""A run of mutants from files to scores: what each becomes, and what is told of it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from checker.cli import cli
from checker.errors import InputError
from checker.mutation.campaign import Plan, Tried, run
from checker.mutation.record import Recorded, read_record, record_path
from checker.mutation.score import by_clause, score, to_json, to_text
from checker.mutation.workbench import opened
from checker.report.heat import heat
from tests.mutation.lamps import RULES, RULING, write_lamps

AGAIN = RULING.replace("illegal", "do = 'fix'\nchoose = ['set(fuse, whole)']\n[[r1.steps]]\nillegal")


def plan(folder: Path, **changed: object) -> Plan:
    values = {"files": (), "rulings": True, "sample": 1, "jobs": 1} | changed
    return Plan(str(folder), ("one",), **values)  # type: ignore[arg-type]  # each test names fields of Plan


def found(tried: list[Tried], rule: int, change: str) -> Tried:
    return next(t for t in tried if t.source.id == rule and t.change == change)


@pytest.fixture(scope="module")
def lamps(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_lamps(tmp_path_factory.mktemp("lamps"))


@pytest.fixture(scope="module")
def all_tried(lamps: Path) -> list[Tried]:
    return list(run(plan(lamps)))


def test_every_mutant_meets_its_fate(all_tried: list[Tried]) -> None:
    tried = all_tried
    total = score(tried)
    assert (total.killed, total.survived, total.same, total.refused, total.open) == (26, 4, 10, 2, 0)
    assert total.by == (("verdict", 19), ("length", 4), ("count", 3))
    assert total.said == "86.6 %"
    assert {clause: score(group).said for clause, group in by_clause(tried).items()} == {
        "1": "87.5 %",
        "2": "100.0 %",
        "3": "75.0 %",
    }


def test_a_survivor_comes_with_the_shortest_game_that_shows_it(all_tried: list[Tried]) -> None:
    """That a lit lamp can be lit again shows once the fuse is no longer blown."""
    survivor = found(all_tried, 1, "without `now(lit(O),no)`")
    assert survivor.survival is not None
    assert survivor.survival.actions == ("light(lamp)", "fix")
    assert "possible(light(lamp))" in survivor.survival.differing


def test_a_ruling_kills_what_no_board_notices(tmp_path: Path, all_tried: list[Tried]) -> None:
    tried = list(run(plan(write_lamps(tmp_path, ruling=AGAIN))))
    kill = found(tried, 1, "without `now(lit(O),no)`").kill

    assert kill is not None
    assert (kill.by, kill.board) == ("ruling", "r1")
    assert kill.what == "step 3: expected light(lamp) is illegal; it is legal"
    assert found(all_tried, 1, "without `now(lit(O),no)`").fate == "survived"


def test_a_mutant_without_a_difference_is_said_to_be_so(lamps: Path, all_tried: list[Tried]) -> None:
    same = found(all_tried, 4, "left out")

    assert (same.fate, same.boards) == ("same", ("one",))
    text = to_text(opened(str(lamps))[0], plan(lamps), all_tried, every=True)
    assert "same steps from every reachable board of one" in text
    assert "score 86.6 %: 26 of 30" in text


def test_two_processes_find_what_one_does(lamps: Path, all_tried: list[Tried]) -> None:
    def order(tried: Tried) -> tuple[int, str]:
        return tried.source.id, tried.change

    assert sorted(run(plan(lamps, jobs=2)), key=order) == sorted(all_tried, key=order)


def test_a_chapter_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"no tagged rule stands in other\.lp"):
        list(run(plan(write_lamps(tmp_path), files=("other.lp",))))


def test_a_recorded_run_fills_the_heat_map(
    lamps: Path, all_tried: list[Tried], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Clause 3 has a rule whose loss the loader notices, and two whose loss a property does."""
    monkeypatch.chdir(tmp_path)
    book, encoding = opened(str(lamps))
    record = tmp_path / record_path(book)
    record.parent.mkdir(parents=True)
    record.write_text(to_json(book, encoding, plan(lamps), all_tried), encoding="utf-8")

    assert read_record(book) == {
        "1": Recorded(("never_on",), True),
        "2": Recorded(("never_on",), True),
        "3": Recorded(("never_on",), True),
    }
    assert [(c.needed, c.killed) for c in heat(book, (), "en")] == [(("never_on",), True)] * 3


@pytest.mark.parametrize("spoil", ["other rules", "no JSON", "other version"])
def test_a_record_of_something_else_counts_as_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, spoil: str) -> None:
    folder = write_lamps(tmp_path)
    monkeypatch.chdir(tmp_path)
    book, encoding = opened(str(folder))
    text = to_json(book, encoding, plan(folder), list(run(plan(folder, sample=9))))
    if spoil == "other rules":
        write_lamps(tmp_path, RULES.replace("now(fuse, whole)", "now(fuse, mended)"))
    elif spoil == "no JSON":
        text = text[:100]
    else:
        text = json.dumps(json.loads(text) | {"version": "0"})
    record = tmp_path / record_path(book)
    record.parent.mkdir(parents=True)
    record.write_text(text, encoding="utf-8")

    assert read_record(book) == {}


@pytest.mark.parametrize(("least", "code"), [("86", 0), ("87", 1)])
def test_the_score_is_a_gate(tmp_path: Path, least: str, code: int) -> None:
    folder = write_lamps(tmp_path)
    arguments = ["mutate", str(folder), "-j", "1", "--at-least", least, "-o", str(tmp_path / "new" / "m.json")]

    result = CliRunner().invoke(cli, arguments, standalone_mode=False)

    assert result.return_value == code
    assert json.loads((tmp_path / "new" / "m.json").read_text(encoding="utf-8"))["score"]["killed"] == 26
