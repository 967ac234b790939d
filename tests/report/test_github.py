"""Annotations and the job summary of a GitHub Actions step."""

import re
from dataclasses import replace
from pathlib import Path

import pytest

from checker.errors import InputError
from checker.report.github import SUMMARY, add_summary, summary, to_github
from checker.report.markdown import index_page
from checker.report.model import Document
from tests.report.hats import document
from tests.report.hostile import NASTY, hostile

COMMAND = re.compile(r"::(error|warning|notice) file=([^,:]*),line=(\d+),title=([^,:]*)::(.*)")


def many(count: int) -> Document:
    """Return the result with its three loud verdicts on many boards."""
    result = document()
    (book,) = result.rulebooks
    boards = tuple(replace(book.boards[0], board=f"b{n}") for n in range(count))
    return replace(result, rulebooks=(replace(book, boards=boards),))


def unescaped(text: str) -> str:
    """Return what a workflow command's text means."""
    for code, char in (("%0A", "\n"), ("%0D", "\r"), ("%3A", ":"), ("%2C", ","), ("%25", "%")):
        text = text.replace(code, char)
    return text


def test_the_worst_come_first() -> None:
    lines = to_github(document()).splitlines()
    found = [COMMAND.fullmatch(line) for line in lines]
    assert [(f[1], f[2], f[3]) for f in found if f] == [
        ("error", "tests/report/hats/main.lp", "26"),
        ("warning", "tests/report/hats/rulebook.toml", "1"),
        ("notice", "tests/report/hats/main.lp", "26"),
    ]


def test_there_are_at_most_ten_and_the_rest_is_counted() -> None:
    lines = to_github(many(6)).splitlines()
    assert [line[2:7] for line in lines[:10]] == ["error"] * 6 + ["warni"] * 4
    assert lines[10:] == ["and 8 more; see the job summary and the reports."]


def test_texts_cannot_end_a_command_or_begin_another() -> None:
    lines = to_github(hostile()).splitlines()
    assert len(lines) == 3
    for line in lines:
        found = COMMAND.fullmatch(line)
        assert found is not None
        assert NASTY in unescaped(found[4]) + unescaped(found[5])


def test_the_summary_is_appended(tmp_path: Path) -> None:
    file = tmp_path / "summary.md"
    file.write_text("before\n", encoding="utf-8")
    result = document()
    add_summary(result, file)
    assert file.read_text(encoding="utf-8") == "before\n" + index_page(result, result.rulebooks[0])


def test_the_summary_keeps_within_what_github_takes() -> None:
    text = summary(many(9000))
    assert len(text.encode()) <= SUMMARY
    assert text.endswith("\n\n…\n")


def test_a_summary_that_cannot_be_written_is_an_input_error(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot write the job summary"):
        add_summary(document(), tmp_path / "missing" / "summary.md")
