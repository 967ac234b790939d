"""A clause that the clause file calls encoded, but that no rule means any more, is named in every report."""

import json
from pathlib import Path

import pytest

from checker.engines.protocol import Limits
from checker.report.html import to_html
from checker.report.json_ import to_json
from checker.report.markdown import to_markdown
from checker.report.model import Document
from checker.report.read import from_plain
from checker.report.terminal import to_text
from checker.run import Request, check_all
from tests.toybook import CLAUSES, write_toy

LOST = '["2.a"]\ntext = { en = "Lost.", fr = "Perdue." }\nstatus = "encoded"\n'
SAID = "Clauses that should be encoded, but no rule is tagged with them"


def checked(folder: Path, clauses: str) -> Document:
    return check_all(
        Request(
            str(write_toy(folder, clauses=clauses)), (), (), engine="explicit", readings={}, limits=Limits(), jobs=1
        )
    )


@pytest.fixture
def lost(tmp_path: Path) -> Document:
    return checked(tmp_path, CLAUSES + LOST)


def test_a_check_notices_it_and_json_carries_it(lost: Document) -> None:
    assert lost.rulebooks[0].untagged == ("2.a",)
    assert from_plain(json.loads(to_json(lost))) == lost


def test_every_report_names_it(lost: Document) -> None:
    assert f"{SAID}: 2.a\n" in to_text(lost)
    assert f"- {SAID}: 2.a\n" in to_markdown(lost)
    assert f'<li>{SAID}: <b class="clause">2.a</b></li>' in to_html(lost)


def test_without_one_nothing_is_said(tmp_path: Path) -> None:
    result = checked(tmp_path, CLAUSES)
    assert [form for form in (to_text, to_markdown, to_html) if SAID in form(result)] == []
