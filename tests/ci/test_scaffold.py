"""`equipoise new`: a rulebook to start from, that passes at once."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path

import pytest
import yaml

from tests.ci.game import break_it, edit, run, start


@pytest.mark.parametrize(
    "command", [["lint"], ["rulings"], ["coverage"], ["check", "--strict"], ["check", "-e", "explicit"]]
)
def test_what_is_written_passes(tmp_path: Path, command: list[str]) -> None:
    folder = tmp_path / "my-game"

    assert run("new", folder) == 0
    assert run(*command, folder) == 0


def test_its_board_has_the_16_boards_counted_by_hand(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Two units in play or not, and the blade on none or on one that is (8 ways), times the ogre."""
    folder = start(tmp_path / "swords")
    capsys.readouterr()
    run("check", folder, "-f", "json")
    (board,) = json.loads(capsys.readouterr().out)["rulebooks"][0]["boards"]

    assert board["counts"]["states"] == 16


def test_a_rule_taken_away_is_noticed_by_the_property_and_by_the_ruling(tmp_path: Path) -> None:
    folder = break_it(start(tmp_path / "swords"))

    assert (run("lint", folder), run("check", folder), run("rulings", folder)) == (0, 1, 1)


@pytest.mark.parametrize("file", ["clauses/1.toml", "cards/starter.toml"])
def test_texts_are_asked_for_in_every_language_of_the_rulebook_and_no_other(
    tmp_path: Path, file: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = start(tmp_path / "swords")
    monkeypatch.chdir(folder)
    edit(folder / "rulebook.toml", 'languages = ["en"]', 'languages = ["en", "de"]')
    other = {"clauses/1.toml": "cards/starter.toml", "cards/starter.toml": "clauses/1.toml"}[file]
    text = (folder / other).read_text(encoding="utf-8")
    (folder / other).write_text(text.replace('text = { en = "', 'text = { de = "-", en = "'), encoding="utf-8")

    assert run("lint", ".") == 2
    first = {"clauses/1.toml": "1", "cards/starter.toml": "blade"}[file]
    message = f"{file}:5:1: {first}.text lacks de, of the rulebook's languages"
    assert capsys.readouterr().err.splitlines()[0] == message


TITLES = {
    "Swords & Squires": "swords_squires",
    'Say "what"': "say_what",
    "back\\slash 2": "back_slash_2",
    "Épées": "epees",
}


@pytest.mark.parametrize("title", TITLES)
def test_any_title_is_written_so_that_it_reads_back(tmp_path: Path, title: str) -> None:
    folder = tmp_path / "x"

    assert run("new", folder, "--game", title) == 0
    assert run("lint", folder) == 0
    rulebook = tomllib.loads((folder / "rulebook.toml").read_text(encoding="utf-8"))["rulebook"]
    assert rulebook["title"] == {"en": title}
    assert rulebook["name"] == TITLES[title]


@pytest.mark.parametrize("title", ["", "2 swords", "??", "two\nlines"])
def test_a_title_that_gives_no_name_is_refused(tmp_path: Path, title: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("new", tmp_path / "x", "--game", title) == 2
    assert "is no name for a game; expected a letter first" in capsys.readouterr().err
    assert not (tmp_path / "x").exists()


def test_nothing_is_written_over_a_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "rules").mkdir()
    mine = tmp_path / "rules" / "view.lp"
    mine.write_text("% mine\n", encoding="utf-8")

    assert run("new", tmp_path, "--game", "x") == 2
    assert capsys.readouterr().err == f"error: {mine} is in the way; nothing was written\n"
    assert mine.read_text(encoding="utf-8") == "% mine\n"
    assert not (tmp_path / "rulebook.toml").exists()


def test_a_folder_with_other_files_is_kept_as_it_is(tmp_path: Path) -> None:
    (tmp_path / "README.md").write_text("mine", encoding="utf-8")

    assert run("new", tmp_path, "--game", "x") == 0
    assert (tmp_path / "README.md").read_text(encoding="utf-8") == "mine"


def test_a_file_is_no_folder(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")

    assert run("new", tmp_path / "file" / "deeper", "--game", "x") == 2


def test_the_workflow_runs_commands_that_pass(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = start(tmp_path / "swords")
    monkeypatch.chdir(folder)
    workflow = yaml.safe_load((folder / ".github" / "workflows" / "equipoise.yml").read_text(encoding="utf-8"))
    lines = [step["run"] for step in workflow["jobs"]["rules"]["steps"] if "run" in step]
    commands = [line.replace('"$RULEBOOK"', workflow["env"]["RULEBOOK"]).split() for line in lines]

    assert [command[0] for command in commands] == ["python", "equipoise", "equipoise", "equipoise"]
    assert [run(*command[1:]) for command in commands[1:]] == [0, 0, 0]
    assert (folder / ".equipoise" / "verdicts.sqlite").is_file()
