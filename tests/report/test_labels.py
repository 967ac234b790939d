"""The fixed words of reports: the same keys and slots in every language, one for each status and kind."""

import re

import pytest

from checker.check import Status
from checker.report.labels import Labels
from checker.system.model import Kind

LANGUAGES = ("en", "fr")


def slots(text: str) -> set[str]:
    """Return the slots of a label."""
    return set(re.findall(r"\{\d", text))


def test_languages_have_the_same_labels_with_the_same_slots() -> None:
    english, french = (Labels(language) for language in LANGUAGES)
    assert {k: slots(t) for k, t in english.text.items()} == {k: slots(t) for k, t in french.text.items()}


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_status_and_kind_has_a_name(language: str) -> None:
    labels = Labels(language)
    assert set(labels.status) == {status.value for status in Status}
    assert set(labels.kind) == {kind.value for kind in Kind}


def test_numbers_are_said_as_the_language_does() -> None:
    assert Labels("en").number(4602246400) == "4,602,246,400"
    assert Labels("fr").number(44196272) == "44\u202f196\u202f272"
    assert Labels("en")("size_line", 1200, 12, 7) == "1,200 state variables in 12 bits, 7 actions"
    assert [Labels("en").steps(n) for n in (0, 1, 2)] == ["0 steps", "1 step", "2 steps"]


def test_nouns_go_with_their_numbers() -> None:
    english, french = Labels("en"), Labels("fr")
    assert english("size_line", 1, 1, 1) == "1 state variable in 1 bit, 1 action"
    assert [english("breaking", n) for n in (0, 1, 2)] == [
        "0 reachable boards break it.",
        "1 reachable board breaks it.",
        "2 reachable boards break it.",
    ]
    assert [french("states_line", n) for n in (0, 1, 2)] == [
        "0 plateau atteignable",
        "1 plateau atteignable",
        "2 plateaux atteignables",
    ]


def test_an_unknown_language_is_told_in_english() -> None:
    assert Labels("xx").text == Labels("en").text
