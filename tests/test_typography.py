"""Spaces that a line must not be broken at: in French, before high punctuation and inside quotation marks."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from checker.explore.say import labels_of
from checker.paths import models
from checker.report.labels import Labels
from checker.report.markdown import code, escape
from checker.rulebook.load import load_rulebook
from checker.rulebook.model import Text
from checker.typography import spaced

BREAKABLE = re.compile("[ \t\n][;:!?»]|«[ \t\n]")


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("a : b ; c", "a\u00a0: b\u202f; c"),
        ("a ? b !", "a\u202f? b\u202f!"),
        ("« a »", "«\u00a0a\u00a0»"),
        ("« a » : « b »", "«\u00a0a\u00a0»\u00a0: «\u00a0b\u00a0»"),
        ("a:b;c 1 2", "a:b;c 1 2"),
    ],
)
def test_only_french_has_no_break_spaces_before_high_punctuation(written: str, read: str) -> None:
    assert spaced(written, "fr") == read
    assert spaced(written, "en") == written


def test_a_text_in_french_has_them_and_one_that_falls_back_has_not() -> None:
    assert Text({"en": "Why ?", "fr": "Pourquoi ?"})["fr"] == "Pourquoi\u202f?"
    assert Text({"en": "Why ?"})["fr"] == "Why ?"


def test_no_label_may_be_broken_there() -> None:
    labels = labels_of("fr")
    texts = [*labels.text.values(), *labels.status.values(), *labels.kind.values(), *labels.said.values()]
    assert [text for text in texts if BREAKABLE.search(text)] == []
    assert labels.joined(["a", "b"]) == "a\u202f; b"
    assert Labels("en").joined(["a", "b"]) == "a; b"


@pytest.mark.parametrize("name", sorted(path.parent.name for path in models().glob("*/rulebook.toml")))
def test_no_word_of_a_shipped_rulebook_may_be_broken_there(name: str) -> None:
    book = load_rulebook(str(Path(models()) / name))
    texts = [text for section in book.words.get("fr", {}).values() for text in section.values()]
    texts += [wanted.title["fr"] for wanted in book.properties]
    assert [text for text in texts if BREAKABLE.search(text)] == []


def test_markdown_keeps_them() -> None:
    assert escape("a\u00a0: 1\u202f234\n b") == "a\u00a0: 1\u202f234 b"
    assert code("a\u00a0:\n b") == "`a\u00a0: b`"
