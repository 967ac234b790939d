"""Choosing a form, and writing reports into a folder."""

import json
from pathlib import Path

import pytest

from checker.commands.options import FORMATS
from checker.errors import InputError
from checker.report.files import write
from checker.report.render import FORMS, announce, render, select, write_as
from checker.run import run_report
from tests.report.hats import document


def test_every_form_renders() -> None:
    assert render(document(), "text").startswith("Hats & heads 2 (2026-01-02)\n")
    assert render(document(), "markdown").startswith("# Hats & heads 2\n")
    assert json.loads(render(document(), "json"))["format"] == 1
    assert render(document(), "html").startswith('<!DOCTYPE html>\n<html lang="en">\n')
    assert json.loads(render(document(), "sarif"))["version"] == "2.1.0"
    assert render(document(), "junit").startswith('<?xml version="1.0" encoding="UTF-8"?>\n<testsuites ')
    assert render(document(), "github").startswith("::error file=")


def test_the_command_line_offers_every_form() -> None:
    assert set(FORMATS) == set(FORMS)


@pytest.mark.parametrize("form", sorted(set(FORMS) - {"itf", "text"}))
def test_a_result_is_rendered_again_from_its_json(form: str, tmp_path: Path) -> None:
    file, out = tmp_path / "result.json", tmp_path / "out" / "report"
    file.write_text(render(document(), "json"), encoding="utf-8")
    assert run_report(file, form, (), (), out) == 0
    assert out.read_text(encoding="utf-8") == render(document(), form)


def test_itf_writes_a_file_for_each_game(tmp_path: Path) -> None:
    written = write_as(document(), "itf", tmp_path / "traces")
    assert [path.name for path in written] == [
        "kennel.one_head.itf.json",
        "kennel.in_the_box.itf.json",
        "kennel.worn.itf.json",
    ]
    assert len(json.loads(written[0].read_text(encoding="utf-8"))["states"]) == 4


def test_a_part_of_a_result_is_selected() -> None:
    (book,) = select(document(), ["kennel"], ["worn", "ends"]).rulebooks
    assert [[wanted.name for wanted in board.properties] for board in book.boards] == [["worn", "ends"]]
    with pytest.raises(InputError, match='the result has no board "kenel"; did you mean "kennel"'):
        select(document(), ["kenel"], [])
    with pytest.raises(InputError, match='the result has no property "warn"; did you mean "worn"'):
        select(document(), [], ["warn"])


def test_the_job_summary_is_written_where_github_says(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(tmp_path / "summary.md"))
    announce(document(), "sarif")
    assert not (tmp_path / "summary.md").exists()
    announce(document(), "github")
    assert (tmp_path / "summary.md").read_text(encoding="utf-8").startswith("# Hats & heads 2\n")


def test_a_file_that_cannot_be_written_is_an_input_error(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot write"):
        write_as(document(), "html", tmp_path)


def test_reports_are_written_by_rulebook(tmp_path: Path) -> None:
    written = write(document(), tmp_path / "new")
    assert [str(path.relative_to(tmp_path)) for path in written] == [
        "new/hats/README.md",
        "new/hats/kennel.md",
        "new/hats/report.html",
        "new/hats/result.json",
    ]
    assert "[kennel](kennel.md)" in written[0].read_text(encoding="utf-8")
    assert written[1].read_text(encoding="utf-8").startswith("# Hats & heads 2: kennel\n")
    assert json.loads(written[3].read_text(encoding="utf-8"))["rulebooks"][0]["name"] == "hats"


def test_a_folder_that_cannot_be_written_is_an_input_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    with pytest.raises(InputError, match="cannot write the report"):
        write(document(), tmp_path / "file")
