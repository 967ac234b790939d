"""Reports as Markdown: data shows as it is, and the pages are those recorded."""

from dataclasses import replace
from html import unescape

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from checker.report.markdown import board_page, cell, code, escape, index_page, to_markdown
from tests.report.golden import matches
from tests.report.hats import document

NASTY = st.text(alphabet="aB1 .\\`*_{}[]<>()#+-!|~&;$:/@=\"'\n", max_size=30)


def before_run(page: str) -> str:
    """Return a page without its last section, the facts of the run."""
    return page[: page.rindex("\n## ")]


def shown(markdown: str) -> str:
    """Return the text that a reader of the paragraph sees; markup inside it would leave tags."""
    html = MarkdownIt("commonmark").enable(["table", "strikethrough"]).render(markdown).strip()
    return unescape(html.removeprefix("<p>").removesuffix("</p>"))


@given(NASTY)
def test_data_shows_as_it_is(text: str) -> None:
    assert shown(f"x {escape(text)} x") == f"x {' '.join(text.split())} x"


@given(NASTY)
def test_data_shows_as_it_is_where_a_line_begins(text: str) -> None:
    assert shown(escape(text)) == " ".join(text.split())


@given(NASTY)
def test_a_cell_stays_a_cell(text: str) -> None:
    table = f"|a|b|\n|-|-|\n|{escape(text)}|{cell(code(text))}|"
    html = MarkdownIt("commonmark").enable("table").render(table)
    assert html.count("<td>") == 2


@given(NASTY.filter(lambda text: text.split()))
def test_code_shows_as_it_is(text: str) -> None:
    assert shown(code(text)) == f"<code>{' '.join(text.split())}</code>"


@pytest.mark.parametrize(
    ("text", "escaped"),
    [
        ("Doran's Blade", "Doran's Blade"),
        ("wm_pay_at", "wm_pay_at"),
        ("718.1", "718.1"),
        ("1. one", "1\\. one"),
        ("a | b", "a \\| b"),
        ("<b>x</b>", "\\<b\\>x\\</b\\>"),
        ("- x", "\\- x"),
        ("x - y", "x - y"),
        ("# 1", "\\# 1"),
        ("AT&T", "AT&T"),
        ("&lt;", "\\&lt;"),
        ("two\n lines", "two lines"),
    ],
)
def test_plain_text_stays_readable(text: str, escaped: str) -> None:
    assert escape(text) == escaped


@pytest.mark.parametrize("language", ["en", "fr"])
def test_the_page_of_a_board_is_the_one_recorded(language: str) -> None:
    result = document(language)
    (book,) = result.rulebooks
    matches(f"kennel.{language}.md", before_run(board_page(result, book, book.boards[0])))


@pytest.mark.parametrize("language", ["en", "fr"])
def test_the_page_of_contents_is_the_one_recorded(language: str) -> None:
    result = document(language)
    matches(f"README.{language}.md", before_run(index_page(result, result.rulebooks[0])))


def test_what_differs_from_run_to_run_stands_in_the_last_section_alone() -> None:
    first = document()
    board = replace(first.rulebooks[0].boards[0], seconds=99.0, details=(("nodes", "7"),))
    run = replace(first.run, tool="other", started="later", seconds=5.0)
    second = replace(first, rulebooks=(replace(first.rulebooks[0], boards=(board,)),), run=run)
    one, two = (board_page(d, d.rulebooks[0], d.rulebooks[0].boards[0]) for d in (first, second))
    assert one.split("## Run")[0] == two.split("## Run")[0]
    assert "| nodes | 7 |" in two.split("## Run")[1]


def test_a_lasso_says_where_it_goes_round() -> None:
    result = document()
    book = result.rulebooks[0]
    broken = book.boards[0].properties[0]
    assert broken.game is not None
    for loop, said in ((2, "back to the board after step 2."), (0, "back to the start.")):
        round_ = replace(broken, game=replace(broken.game, loop=loop))
        board = replace(book.boards[0], properties=(round_,))
        assert said in board_page(result, book, board)


def test_the_whole_result_is_the_contents_and_then_the_boards() -> None:
    result = document()
    (book,) = result.rulebooks
    assert to_markdown(result) == index_page(result, book) + "\n" + board_page(result, book, book.boards[0])
