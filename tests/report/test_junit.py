"""JUnit XML: valid for the strictest reader, read by a common library, and with hostile texts intact."""

from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree as Xml

import pytest
from junitparser import JUnitXml
from xmlschema import XMLSchema

from checker.report.junit import to_junit
from checker.report.model import Document
from tests.report.hats import document
from tests.report.hostile import NASTY, hostile

SCHEMA = XMLSchema(Path(__file__).parent / "junit.xsd")


def retitled(title: str) -> Document:
    """Return the result with another title for its violation."""
    result = document()
    (book,) = result.rulebooks
    board = book.boards[0]
    properties = (replace(board.properties[0], title=title), *board.properties[1:])
    return replace(result, rulebooks=(replace(book, boards=(replace(board, properties=properties),)),))


@pytest.mark.parametrize("result", [document("en"), document("fr"), hostile(), retitled("\x00\x1b[31m\ud800 x")])
def test_it_is_valid(result: Document) -> None:
    text = to_junit(result)
    text.encode()
    SCHEMA.validate(Xml.fromstring(text))


def test_a_reader_counts_the_verdicts() -> None:
    read = JUnitXml.fromstring(to_junit(document()).partition("\n")[2])
    (suite,) = list(read)
    assert (read.tests, read.failures, read.errors) == (5, 1, 0)
    assert (suite.name, suite.tests, suite.failures, suite.skipped) == ("hats 2 kennel", 5, 1, 2)
    facts = {p.get("name"): p.get("value") for p in Xml.fromstring(to_junit(document())).iter("property")}
    assert facts == {"rulebook": "hats 2", "order": "ranked"}


def test_each_verdict_is_a_case() -> None:
    root = Xml.fromstring(to_junit(document()))
    cases = {str(case.get("name")).partition(":")[0]: [child.tag for child in case] for case in root.iter("testcase")}
    assert cases == {
        "one_head": ["failure"],
        "in_the_box": ["system-out"],
        "worn": ["system-out"],
        "naked": ["skipped"],
        "ends": ["skipped"],
    }


def test_a_failure_tells_the_game() -> None:
    failure = Xml.fromstring(to_junit(document())).find(".//failure")
    assert failure is not None
    assert failure.get("message") == "VIOLATED: No hat is on two heads. (kennel, 3 steps)"
    assert failure.text == (
        "1. Alice puts Bowler | *black* on <i>Dog</i> (rex) (1, 1.a)\n"
        "2. The game: rain (2; plays no part in the end)\n"
        "3. Bob puts Bowler | *black* on <i>Dog</i> (fido) (1, 1.a)\n"
        "So this is broken: No hat is on two heads.\n"
        "What breaks it: Bowler | *black*\n"
        "It comes straight from steps 1, 3. Step 2 plays no part in it."
        " Part of the fault, and left as it was by the last step: Bowler | *black* is on <i>Dog</i> (rex)."
    )


def test_a_vanished_finding_is_a_failure() -> None:
    result = document()
    (book,) = result.rulebooks
    board = book.boards[0]
    vanished = replace(board.properties[1], status="finding vanished", game=None, culprits=())
    root = Xml.fromstring(
        to_junit(replace(result, rulebooks=(replace(book, boards=(replace(board, properties=(vanished,)),)),)))
    )
    assert (root.get("failures"), [case[0].tag for case in root.iter("testcase")]) == ("1", ["failure"])


def test_texts_stay_texts() -> None:
    root = Xml.fromstring(to_junit(hostile()))
    assert {element.tag for element in root.iter()} == {
        "testsuites",
        "testsuite",
        "properties",
        "property",
        "testcase",
        "failure",
        "skipped",
        "system-out",
    }
    failure = root.find(".//failure")
    assert failure is not None
    assert f"{NASTY}No hat is on two heads." in str(failure.text)


def test_what_xml_cannot_hold_is_replaced() -> None:
    failure = Xml.fromstring(to_junit(retitled("a\x00b\x0bc"))).find(".//failure")
    assert failure is not None
    assert "a\ufffdb\ufffdc" in str(failure.get("message"))
