"""A run of mutants from files to scores: what each becomes, and what is told of it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from checker.cli import cli
from checker.errors import InputError
from checker.mutation.campaign import Plan, Ran, Tried, run
from checker.mutation.page import to_markdown
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
def ran(lamps: Path) -> Ran:
    return run(plan(lamps))


@pytest.fixture(scope="module")
def all_tried(ran: Ran) -> list[Tried]:
    return list(ran.tried)


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
    tried = list(run(plan(write_lamps(tmp_path, ruling=AGAIN))).tried)
    kill = found(tried, 1, "without `now(lit(O),no)`").kill

    assert kill is not None
    assert (kill.by, kill.board) == ("ruling", "r1")
    assert kill.what == "step 3: expected light(lamp) is illegal; it is legal"
    assert found(all_tried, 1, "without `now(lit(O),no)`").fate == "survived"


def test_a_mutant_without_a_difference_is_said_to_be_so(lamps: Path, ran: Ran) -> None:
    same = found(list(ran.tried), 4, "left out")

    assert (same.fate, same.boards) == ("same", ())
    text = to_text(opened(str(lamps))[0], plan(lamps), ran, every=True)
    assert "its rule says the same on every reachable board and step" in text
    assert "score 86.6 %: 26 of 30" in text
    assert "by properties and rulings alone 63.3 %: 19 of 30" in text


def test_a_difference_that_does_not_spread_is_none(all_tried: list[Tried]) -> None:
    """That the game decides `fix` on every board changes nothing, since it is possible on some only."""
    same = [t for t in all_tried if t.fate == "same" and t.boards]

    assert [(t.source.line, t.change) for t in same] == [(10, "without `now(fuse,blown)`")]


def test_two_processes_find_what_one_does(lamps: Path, all_tried: list[Tried]) -> None:
    def order(tried: Tried) -> tuple[int, str]:
        return tried.source.id, tried.change

    assert sorted(run(plan(lamps, jobs=2)).tried, key=order) == sorted(all_tried, key=order)


def test_a_chapter_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"no tagged rule stands in other\.lp"):
        run(plan(write_lamps(tmp_path), files=("other.lp",)))


def test_a_recorded_run_fills_the_heat_map(
    lamps: Path, ran: Ran, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Clause 3 has a rule whose loss the loader notices, and two whose loss a property does."""
    monkeypatch.chdir(tmp_path)
    book, encoding = opened(str(lamps))
    record = tmp_path / record_path(book)
    record.parent.mkdir(parents=True)
    record.write_text(to_json(book, encoding, plan(lamps), ran), encoding="utf-8")

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
    text = to_json(book, encoding, plan(folder), run(plan(folder, sample=9)))
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


def test_an_interrupt_leaves_what_is_known_marked_as_partial(
    lamps: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It comes after the boards: what they notice is known, the rest counts as open, and no report uses it."""

    def stop(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("checker.mutation.campaign._rule", stop)
    arguments = ["mutate", str(lamps), "-j", "1", "-o", str(tmp_path / "m.json"), "-o", str(tmp_path / "m.md")]

    result = CliRunner().invoke(cli, arguments, standalone_mode=False)

    assert result.return_value == 130
    said = "PARTIAL: interrupted, with 14 of 42 mutants not tried to the end; they count as open"
    assert said in result.output
    assert said in (tmp_path / "m.md").read_text(encoding="utf-8")
    document = json.loads((tmp_path / "m.json").read_text(encoding="utf-8"))
    assert (document["whole"], document["score"]["killed"], document["score"]["open"]) == (False, 26, 14)
    monkeypatch.chdir(tmp_path)
    book = opened(str(lamps))[0]
    record_path(book).parent.mkdir(parents=True)
    record_path(book).write_text(json.dumps(document), encoding="utf-8")
    assert read_record(book) == {}


def test_the_page_lists_survivors_and_what_only_a_record_noticed(lamps: Path, ran: Ran) -> None:
    page = to_markdown(opened(str(lamps))[0], plan(lamps), ran)

    assert "- score 86.6 %: 26 of 30" in page
    assert page.count("- differs on one after: ") == 4
    assert page.count(" reachable boards became ") == 3
    assert page.count(": shortest game ") == 4
    assert "| 1 | 7 | 7 | 1 | 3 | 1 | 0 | 87.5 % |" in page
    assert "10 mutants; of 9 the rule never says anything else." in page


@pytest.mark.parametrize(("least", "code"), [("86", 0), ("87", 1)])
def test_the_score_is_a_gate(tmp_path: Path, least: str, code: int) -> None:
    folder = write_lamps(tmp_path)
    arguments = ["mutate", str(folder), "-j", "1", "--at-least", least, "-o", str(tmp_path / "new" / "m.json")]

    result = CliRunner().invoke(cli, arguments, standalone_mode=False)

    assert result.return_value == code
    assert json.loads((tmp_path / "new" / "m.json").read_text(encoding="utf-8"))["score"]["killed"] == 26


@pytest.mark.parametrize("command", ["mutate", "generate"])
def test_a_place_that_cannot_be_written_is_refused_before_anything_is_tried(
    lamps: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: str
) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    monkeypatch.setattr("checker.mutation.command.run", None)
    monkeypatch.setattr("checker.mutation.command.generate", None)

    with pytest.raises(InputError, match=r"file/in(/x)?: cannot write the result: Not a directory"):
        cli([command, str(lamps), "-o", str(tmp_path / "file" / "in" / "x")], standalone_mode=False)
