"""Several games of one property, and the game on fewer cards, in every form of a report."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree as Xml

import pytest
from jsonschema import Draft202012Validator

from checker.report.html import to_html
from checker.report.html.cases import cases_of
from checker.report.json_ import to_plain
from checker.report.junit import to_junit
from checker.report.labels import Labels
from checker.report.markdown import to_markdown
from checker.report.model import Document, OtherGame, Others, PropertyReport
from checker.report.read import from_plain
from checker.report.render import render, write_as
from checker.report.sarif import to_sarif
from checker.report.terminal import to_text
from checker.report.told import remarks
from tests.report.hats import richer
from tests.report.test_json import SCHEMA


def with_others(complete: bool | None = False, games: int = 2) -> Document:
    """Return a result whose violation has two games that differ, of three asked for."""
    document = richer()
    (book,) = document.rulebooks
    (board,) = book.boards
    first, second, *rest = board.properties
    assert second.game is not None
    others = Others(3, complete, (OtherGame(("the second hat",), second.game, "a note of its own"),)[: games - 1])
    board = replace(board, properties=(replace(first, others=others), second, *rest))
    return replace(document, rulebooks=(replace(book, boards=(board,)),))


def property_of(document: Document, place: int) -> PropertyReport:
    """Return a property of the only board."""
    return document.rulebooks[0].boards[0].properties[place]


def test_it_is_valid_and_read_back_as_it_was() -> None:
    document = with_others()
    plain = json.loads(json.dumps(to_plain(document)))
    Draft202012Validator(SCHEMA).validate(plain)
    assert from_plain(plain) == document


@pytest.mark.parametrize("form", ["text", "markdown", "html", "sarif", "junit"])
def test_the_note_of_each_game_is_told(form: str) -> None:
    assert render(with_others(), form).count("a note of its own") == 1


def test_a_result_from_before_is_still_read() -> None:
    plain = json.loads(json.dumps(to_plain(with_others())))
    for board in plain["rulebooks"][0]["boards"]:
        del board["graph"]
        for wanted in board["properties"]:
            del wanted["others"], wanted["smaller"]
    board = from_plain(plain).rulebooks[0].boards[0]
    assert board.graph is None
    assert {(wanted.others, wanted.smaller) for wanted in board.properties} == {(None, None)}


@pytest.mark.parametrize(
    ("complete", "games", "said"),
    [
        (True, 1, "3 different games were asked for, and 1 told: there are no others."),
        (False, 1, "3 different games were asked for, and 1 told; whether there are others was not found out."),
        (None, 1, "The engine symbolic looks for one game only of a property of this kind."),
    ],
)
def test_fewer_games_than_asked_for_are_explained(complete: bool | None, games: int, said: str) -> None:
    (line,) = remarks(property_of(with_others(complete, games), 0), Labels("en"))
    assert line.startswith(said)


def test_as_many_games_as_asked_for_may_not_be_all() -> None:
    wanted = property_of(with_others(), 0)
    assert wanted.others is not None
    enough = replace(wanted, others=replace(wanted.others, asked=2))
    assert remarks(enough, Labels("en")) == [
        "2 different games are told, the shortest; there may be others.",
    ]


def test_the_terminal_tells_them_one_after_the_other() -> None:
    text = to_text(with_others())
    first, second = text.split("Another way, 2 of 2:")
    assert "3. Bob puts" in first
    assert "(the second hat)" in second.split("known finding:")[0]


def test_markdown_tells_them_one_after_the_other() -> None:
    text = to_markdown(with_others())
    assert text.count("### The game, ") == 2
    assert text.count("### Another way, 2 of 2, 1 step\n") == 1
    assert "The same fault with 2 of 3 cards: without" in text


def test_each_is_a_case_of_its_own_on_the_page() -> None:
    document = with_others()
    cases = cases_of(document.rulebooks[0], Labels("en"))
    assert [(case.id, len(case.steps)) for case in cases] == [
        ("kennel/one_head", 4),
        ("kennel/one_head.2", 2),
        ("kennel/in_the_box", 2),
    ]
    page = to_html(document)
    assert '<a href="#kennel/one_head.2">Another way, 2 of 2</a>' in page
    assert page.count("The same fault with 2 of 3 cards") == 1


def test_each_is_a_code_flow() -> None:
    flows = json.loads(to_sarif(with_others()))["runs"][0]["results"][0]["codeFlows"]
    assert [len(flow["threadFlows"][0]["locations"]) for flow in flows] == [4, 2]


def test_the_failure_text_tells_them_all() -> None:
    (failure,) = Xml.fromstring(to_junit(with_others())).iter("failure")
    assert failure.text is not None
    assert "Another way, 2 of 2:\n1. Alice puts" in failure.text


def test_each_is_a_trace_file(tmp_path: Path) -> None:
    written = write_as(with_others(), "itf", tmp_path)
    states = {path.name: len(json.loads(path.read_text(encoding="utf-8"))["states"]) for path in written}
    assert states == {
        "kennel.one_head.itf.json": 4,
        "kennel.one_head.2.itf.json": 2,
        "kennel.in_the_box.itf.json": 2,
        "kennel.worn.itf.json": 2,
    }


def test_the_game_told_is_that_on_the_smaller_board(tmp_path: Path) -> None:
    write_as(richer(), "itf", tmp_path)
    states = json.loads((tmp_path / "kennel.in_the_box.itf.json").read_text(encoding="utf-8"))["states"]
    assert "fido" not in json.dumps(states)
