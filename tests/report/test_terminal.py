"""Reports on a terminal."""

from dataclasses import replace

import pytest

from checker.report.model import Document
from checker.report.terminal import to_text
from tests.report.golden import matches
from tests.report.hats import document


def timeless(result: Document) -> Document:
    """Return the result as if every board had taken one second."""
    books = (
        replace(book, boards=tuple(replace(board, seconds=1.0) for board in book.boards)) for book in result.rulebooks
    )
    return replace(result, rulebooks=tuple(books))


@pytest.mark.parametrize("language", ["en", "fr"])
def test_the_text_is_the_one_recorded(language: str) -> None:
    matches(f"hats.{language}.txt", to_text(timeless(document(language))))


def test_many_boards_list_only_what_asks_for_attention() -> None:
    result = timeless(document())
    (book,) = result.rulebooks
    other = replace(book.boards[0], board="other")
    text = to_text(replace(result, rulebooks=(replace(book, boards=(book.boards[0], other)),)))
    assert "No hat is on two heads." in text
    assert "A hat is worn." not in text
    assert "A hat is worn." in to_text(result)


def test_unknowns_of_one_reason_share_a_line() -> None:
    result = timeless(document())
    (book,) = result.rulebooks
    board = book.boards[0]
    unknown = next(p for p in board.properties if p.status == "unknown")
    many = replace(board, properties=tuple(replace(unknown, name=f"p{n}", title=f"P{n}.") for n in range(5)))
    text = to_text(replace(result, rulebooks=(replace(book, boards=(many,)),)))
    assert text.count("termination properties") == 1
    assert "5 properties" in text
    assert "P3" not in text


def test_a_single_question_shows_its_game() -> None:
    result = timeless(document())
    (book,) = result.rulebooks
    reached = next(p for p in book.boards[0].properties if p.name == "worn")
    asked = replace(book, boards=(replace(book.boards[0], properties=(reached,)),))
    text = to_text(replace(result, rulebooks=(asked,)))
    assert "1. Alice puts Bowler | *black* on <i>Dog</i> (rex)." in text
    assert "So this is reached: A hat is worn." in text


def test_partly_explored_boards_say_at_least() -> None:
    result = timeless(document())
    (book,) = result.rulebooks
    counts = replace(book.boards[0].counts, states=12345, complete=False)
    partial = replace(book, boards=(replace(book.boards[0], counts=counts),))
    assert "≥ 12,345" in to_text(replace(result, rulebooks=(partial,)))


def test_long_lists_of_what_never_happens_are_cut() -> None:
    result = timeless(document())
    (book,) = result.rulebooks
    long = replace(book, never=(("all_rules", tuple(f"r{n:02}" for n in range(20))),))
    text = " ".join(to_text(replace(result, rulebooks=(long,))).split())
    assert "under all_rules: r00, r01, r02, r03, r04, r05, r06, r07, and 12 more" in text
