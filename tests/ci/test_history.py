"""`equipoise history`: what moved from one check to the next, and nothing else."""

from __future__ import annotations

import re
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from tests.ci.game import CLAUSE, DETACH, OUT_OF_SCOPE, break_it, edit, run, start

TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+00:00")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return start(tmp_path / "swords")


def history(capsys: pytest.CaptureFixture[str], *arguments: object) -> list[str]:
    """Return the lines of the history, with times replaced by T."""
    capsys.readouterr()
    assert run("history", *arguments) == 0
    return TIME.sub("T", capsys.readouterr().out).splitlines()


def mend(folder: Path) -> None:
    with (folder / "rules" / "attach.lp").open("a", encoding="utf-8") as rules:
        rules.write(DETACH)
    edit(folder / "clauses" / "1.toml", OUT_OF_SCOPE, CLAUSE)


def test_a_fault_that_comes_and_goes(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run("check", folder)
    run("check", folder)
    run("check", break_it(folder))
    mend(folder)
    run("check", folder)

    assert history(capsys, folder) == [
        "T  1: 4 holds, 1 not on this board; first run",
        "T  1: 3 holds, 1 not on this board, 1 violated",
        "    two_units: on_one_unit: holds -> violated, 2 steps",
        "    two_units: reachable boards: 16 -> 18",
        "T  1: 4 holds, 1 not on this board",
        "    two_units: on_one_unit: violated, 2 steps -> holds",
        "    two_units: reachable boards: 18 -> 16",
        "4 runs, 1 in which nothing moved; the last on T: 4 holds, 1 not on this board",
    ]


def test_one_property_or_board_alone_and_every_run(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run("check", folder)
    run("check", break_it(folder))

    assert history(capsys, folder, "-p", "on_one_unit")[2:-1] == [
        "    two_units: on_one_unit: holds -> violated, 2 steps"
    ]
    assert history(capsys, folder, "-b", "elsewhere") == [
        "2 runs, 0 in which nothing moved; the last on T: 3 holds, 1 not on this board, 1 violated"
    ]
    assert history(capsys, folder, "-p", "worn", "--all")[:-1] == [
        "T  1: 4 holds, 1 not on this board; first run",
        "T  1: 3 holds, 1 not on this board, 1 violated; nothing moved",
    ]


def test_what_is_new_and_what_is_gone(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run("check", folder)
    (folder / "boards" / "two_units.toml").rename(folder / "boards" / "renamed.toml")
    run("check", folder, "-p", "worn")
    run("check", folder)
    lines = history(capsys, folder)

    assert lines[1:5] == [
        "T  1: 1 holds",
        "    renamed: new, 1 holds",
        "    renamed: reachable boards: new, 16",
        "T  1: 4 holds, 1 not on this board",
    ], "a run of one property says nothing of what it did not ask"
    assert "    two_units: worn: holds -> gone" in lines
    assert sum(line.endswith("-> gone") for line in lines) == 6


def test_a_run_of_other_readings_or_of_another_rulebook_is_another_story(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    edit(
        folder / "rulebook.toml",
        '[[properties]]\nname = "worn"',
        '[readings.speed]\nvalues = ["slow", "fast"]\ndefault = "slow"\nquestion = { en = "How fast?" }\n\n'
        '[[properties]]\nname = "worn"',
    )
    run("check", folder)
    run("check", folder, "-r", "speed=fast")
    run("check", break_it(start(tmp_path / "other")))

    assert history(capsys, folder) == [
        "T  1: 4 holds, 1 not on this board; first run",
        "T  1 with speed=fast: 4 holds, 1 not on this board; first run",
        "2 runs, 0 in which nothing moved; the last on T: 4 holds, 1 not on this board",
    ]
    assert len(history(capsys, f"{folder}@1")) == 3


def test_without_a_run_there_is_none(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run("check", folder, "--fresh")

    assert run("history", folder) == 2
    assert f"has no run of {folder}; run: equipoise check {folder}" in capsys.readouterr().err


def test_a_store_that_is_no_database_is_named_and_the_verdict_stands(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    store = tmp_path / "store"
    store.write_text("not a database, and long enough to be taken for one" * 20, encoding="utf-8")

    assert run("check", break_it(folder), "--store", store) == 1
    assert f"not everything is kept in {store}: file is not a database" in capsys.readouterr().err
    assert run("history", folder, "--store", store) == 2
    assert f"cannot read the history in {store}: file is not a database" in capsys.readouterr().err


def test_a_run_that_was_killed_while_writing_leaves_the_log_sound(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """What a killed process has not committed was never there."""
    store = tmp_path / "store"
    run("check", folder, "--store", store)
    with closing(sqlite3.connect(store)) as database:
        database.execute("BEGIN IMMEDIATE")
        database.execute("DELETE FROM moved")

    assert history(capsys, folder, "--store", store)[0] == "T  1: 4 holds, 1 not on this board; first run"
    assert run("check", folder, "--store", store) == 0
    assert history(capsys, folder, "--store", store)[-1].startswith("2 runs, 1 in which nothing moved")


def test_a_new_board_is_counted_and_only_what_is_wrong_on_it_is_named(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run("check", folder)
    boards = folder / "boards"
    (boards / "copied.toml").write_text((boards / "two_units.toml").read_text(encoding="utf-8"), encoding="utf-8")
    run("check", break_it(folder))

    assert history(capsys, folder)[1:-1] == [
        "T  1: 6 holds, 2 not on this board, 2 violated",
        "    copied: new, 3 holds, 1 not on this board",
        "    copied: on_one_unit: new, violated, 2 steps",
        "    copied: reachable boards: new, 18",
        "    two_units: on_one_unit: holds -> violated, 2 steps",
        "    two_units: reachable boards: 16 -> 18",
    ]
    assert "    copied: worn: new, holds" in history(capsys, folder, "-p", "worn")
