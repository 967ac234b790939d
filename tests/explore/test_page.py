"""Pages of shipped boards, and the explorer's words."""

import re

import pytest

from checker.explore.page import to_page
from checker.explore.say import labels_of
from checker.explore.table import lay


def test_languages_have_the_same_words_with_the_same_slots() -> None:
    english, french = (labels_of(language).text for language in ("en", "fr"))
    assert {k: sorted(re.findall(r"\{\d", t)) for k, t in english.items()} == {
        k: sorted(re.findall(r"\{\d", t)) for k, t in french.items()
    }
    assert labels_of("xx").text == english


@pytest.mark.parametrize("language", ["en", "fr"])
def test_a_shipped_board_is_a_page(language: str) -> None:
    table = lay("bench/equip_bench", "u2_g2_b1_e1", {}, language)
    start = table.begin()
    end = table.walk(start, 30, 1)
    first, last = to_page(table, start, why=True), to_page(table, end, why=True)
    legal = len(table.moves(start))
    assert (first.count('<button name="do"'), first.count("<code>")) == (legal, len(table.system.actions) - legal)
    assert last.count('<input type="hidden" name="do"') == 4 * len(end.tokens)
    assert len(end.tokens) == 30
