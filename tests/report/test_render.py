"""Choosing a form, and writing reports into a folder."""

import json
from pathlib import Path

import pytest

from checker.errors import InputError
from checker.report.files import write
from checker.report.render import render
from tests.report.hats import document


def test_every_form_renders() -> None:
    assert render(document(), "text").startswith("Hats & heads 2 (2026-01-02)\n")
    assert render(document(), "markdown").startswith("# Hats & heads 2\n")
    assert json.loads(render(document(), "json"))["format"] == 1


def test_reports_are_written_by_rulebook(tmp_path: Path) -> None:
    written = write(document(), tmp_path / "new")
    assert [str(path.relative_to(tmp_path)) for path in written] == [
        "new/hats/README.md", "new/hats/kennel.md", "new/hats/result.json",
    ]
    assert "[kennel](kennel.md)" in written[0].read_text(encoding="utf-8")
    assert written[1].read_text(encoding="utf-8").startswith("# Hats & heads 2: kennel\n")
    assert json.loads(written[2].read_text(encoding="utf-8"))["rulebooks"][0]["name"] == "hats"


def test_a_folder_that_cannot_be_written_is_an_input_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    with pytest.raises(InputError, match="cannot write the report"):
        write(document(), tmp_path / "file")
