"""The HTML page as text: complete, self-contained, and with every text of the result as text."""

import re
from collections import Counter
from dataclasses import replace
from html import unescape
from html.parser import HTMLParser

import pytest

from checker.report.html import to_html
from checker.report.html.cards import columns, shorten, wrap
from checker.report.model import Document
from checker.report.render import select
from tests.report.hats import document
from tests.report.hostile import NASTY, hostile, long_game

VOID = frozenset({"meta", "input", "br", "img", "link"})


class Reader(HTMLParser):
    """Reads a page: its elements, ids, links, addresses that would be fetched, and the text shown."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: Counter[str] = Counter()
        self.ids: list[str] = []
        self.links: list[str] = []
        self.fetched: list[str] = []
        self.handlers: list[str] = []
        self.open: list[str] = []
        self.text = ""
        self.feed(page)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note an element and its attributes."""
        self.tags[tag] += 1
        if tag not in VOID:
            self.open.append(tag)
        for name, value in attrs:
            if name == "id" and value:
                self.ids.append(value)
            if name == "href" and value:
                self.links.append(value)
            if name in ("src", "data", "action", "srcset", "poster"):
                self.fetched.append(f"{tag} {value}")
            if name.startswith("on"):
                self.handlers.append(name)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note an element that is closed at once, as those of SVG may be."""
        self.handle_starttag(tag, attrs)
        self.handle_endtag(tag)

    def handle_endtag(self, tag: str) -> None:
        """Check that the innermost open element is the one that ends."""
        if tag not in VOID:
            assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        """Note text that is shown."""
        if not self.open or self.open[-1] not in ("script", "style"):
            self.text += data


@pytest.mark.parametrize("result", [document("en"), document("fr"), hostile(), long_game(3, 4)])
def test_the_page_is_well_formed_and_links_lead_somewhere(result: Document) -> None:
    page = Reader(to_html(result))
    assert page.open == []
    assert [name for name, count in Counter(page.ids).items() if count > 1] == []
    assert {link for link in page.links if not link.startswith("#")} == set()
    wanted = {re.sub("%([0-9A-F]{2})", lambda m: chr(int(m[1], 16)), link[1:]) for link in page.links}
    assert wanted - set(page.ids) - {f"mark-{n}" for n in range(1, 5)} == set()


def test_every_step_has_an_address() -> None:
    page = Reader(to_html(document()))
    steps = [name for name in page.ids if re.fullmatch(r"kennel/\w+/\d+", name)]
    assert steps == [*(f"kennel/one_head/{n}" for n in range(4)), *(f"kennel/in_the_box/{n}" for n in range(2))]


def test_two_rulebooks_keep_their_addresses_apart() -> None:
    result = document()
    (book,) = result.rulebooks
    page = Reader(to_html(replace(result, rulebooks=(book, replace(book, name="other")))))
    assert {"hats/kennel/one_head/3", "other/kennel/one_head/3"} <= set(page.ids)
    assert max(Counter(page.ids).values()) == 1


def test_nothing_is_fetched() -> None:
    text = to_html(document())
    assert Reader(text).fetched == []
    assert not re.search(r"url\(|@import|https?:", text)


def test_texts_stay_texts() -> None:
    plain, page = Reader(to_html(document())), Reader(to_html(hostile()))
    assert page.tags["script"] == plain.tags["script"] == 1
    assert page.tags["img"] == 0
    assert page.handlers == []
    assert page.text.count(NASTY.strip()) > 50
    assert page.tags["li"] == plain.tags["li"]


def test_only_the_shipped_script_may_run() -> None:
    found = re.search('Content-Security-Policy" content="([^"]*)"', to_html(hostile()))
    assert found is not None
    *others, script = unescape(found[1]).split("; ")
    assert others == ["default-src 'none'", "style-src 'unsafe-inline'"]
    assert re.fullmatch(r"script-src 'sha256-[\w+/=]{44}'", script)


def test_the_first_screen_says_what_was_checked_and_what_not() -> None:
    text = Reader(to_html(document())).text
    for said in (
        "Hats & heads",
        "version 2 (2026-01-02)",
        "VIOLATED",
        "No hat is on two heads.",
        "1 board explored",
        "Only this board was explored",
        "Clauses that are not encoded: 2",
        "Every reading is at its default.",
    ):
        assert said in text


def test_a_step_tells_its_clauses_and_what_it_rests_on() -> None:
    page = to_html(document())
    step = page[page.index('id="kennel/one_head/3"') :]
    step = " ".join(Reader(step[step.index(">") + 1 : step.index("</li>\n</ol>\n<footer>")]).text.split())
    assert "3 Bob puts Bowler | *black* on <i>Dog</i> (fido)" in step
    assert "Builds on Step 1: Bowler | *black* is on <i>Dog</i> (rex) Clauses" in step
    assert "So this is broken: No hat is on two heads." in step
    assert "Clauses of version 2 Allowed by 1 A hat <b>may</b> be put on a head. 1.a The first head" in step


def test_the_header_counts_what_the_table_lists() -> None:
    """Properties, each once and by its worst verdict, whatever the number of boards."""
    result = document()
    (book,) = result.rulebooks
    (board,) = book.boards
    good = tuple(replace(p, status="holds", game=None) for p in board.properties)
    two = replace(book, boards=(board, replace(board, board="yard", properties=good)))
    for shown, unit in ((book, "5 properties, 1 board"), (two, "5 properties, each by its worst verdict on 2 boards")):
        page = to_html(replace(result, rulebooks=(shown,)))
        header = page[page.index('<ul class="tally">') : page.index("</header>")]
        assert sum(map(int, re.findall(r"<b>(\d+)</b>", header))) == 5
        assert f'<p class="unit">{unit}</p>' in header
        table = page[page.index('id="verdicts"') : page.index('class="side"')]
        assert table.count('<th scope="row">') == 5


def test_a_step_that_plays_no_part_stands_apart() -> None:
    page = to_html(document())
    steps = re.findall(r'<li class="step( aside)?" id="kennel/one_head/(\d)">', page)
    assert steps == [("", "0"), ("", "1"), (" aside", "2"), ("", "3")]


def test_a_step_without_a_next_board_shows_the_last_one() -> None:
    result = document()
    (book,) = result.rulebooks
    broken = book.boards[0].properties[0]
    assert broken.game is not None
    steps = (*broken.game.steps[:-1], replace(broken.game.steps[-1], board=None))
    board = replace(book.boards[0], properties=(replace(broken, game=replace(broken.game, steps=steps)),))
    page = to_html(replace(result, rulebooks=(replace(book, boards=(board,)),)))
    assert "This step itself shows the fault.</b> The last board before it:" in page
    assert page.count('<div class="board">') == 4


def test_a_single_question_has_its_game_told_whatever_the_answer() -> None:
    (book,) = select(document(), [], ["worn"]).rulebooks
    page = Reader(to_html(replace(document(), rulebooks=(book,))))
    assert [name for name in page.ids if name.startswith("kennel/worn/")] == [
        "kennel/worn/title",
        "kennel/worn/0",
        "kennel/worn/1",
    ]
    assert "So this is reached: A hat is worn." in page.text


def test_cards_that_break_the_property_are_marked_on_the_last_board_alone() -> None:
    page = to_html(document())
    case = page[page.index('<article class="case" id="kennel/one_head"') : page.index("</article>")]
    marked = [len(re.findall(r'class="c[^"]* g"', step)) for step in case.split('<li class="step')[1:]]
    assert marked == [0, 0, 0, 2]


def test_a_fact_that_nobody_looked_into_has_no_column() -> None:
    result = document()
    (book,) = result.rulebooks
    first, *rest = book.clauses
    known = replace(first, fires=True, needed=("one_head",), killed=False, cited=("a", "b"))
    full = to_html(replace(result, rulebooks=(replace(book, clauses=(known, *rest)),)))
    none = tuple(replace(c, fires=None, needed=None, killed=None, cited=None) for c in book.clauses)
    bare = to_html(replace(result, rulebooks=(replace(book, clauses=none),)))
    for name, said in (("fires", "yes"), ("needed", "one_head"), ("mutant noticed", "no"), ("cited", "2")):
        assert f'<th scope="col">{name}</th>' in full
        assert f'<th scope="col">{name}</th>' not in bare
        assert f">{said}</td>" in full
    assert full.count("nobody ran the mutants") == 0
    assert bare.count("nobody ran the mutants: equipoise mutate") == 2


def test_the_heat_map_has_a_tile_for_each_clause() -> None:
    page = to_html(document())
    tiles = re.findall(r'<i class="([^"]*)" title="([^"]*)"></i>', page)
    assert tiles == [("", "1"), ("", "1.a"), ("", "2"), ("pale", "3"), ("pale", "3.a")]


def test_a_long_game_stays_small() -> None:
    assert len(to_html(long_game()).encode()) < 1_000_000


@pytest.mark.parametrize(
    ("text", "width", "most", "lines", "cut"),
    [
        ("Doran's Blade", 10, 3, ["Doran's", "Blade"], False),
        ("Doran's Blade", 20, 3, ["Doran's Blade"], False),
        ("a b c d", 1, 3, ["a", "b", "…"], True),
        ("incomprehensible", 8, 2, ["incompr…"], True),
        ("", 8, 2, [], False),
    ],
)
def test_titles_wrap(text: str, width: int, most: int, lines: list[str], cut: bool) -> None:
    assert wrap(text, width, most) == (lines, cut)


def test_wide_letters_count_twice_and_accents_not_at_all() -> None:
    assert columns("剣") == 2
    assert columns("e\u0301") == 1
    assert shorten("剣剣剣", 4) == "剣…"


def test_the_legend_has_what_the_pictures_have() -> None:
    result = document()
    (book,) = result.rulebooks
    (board,) = book.boards
    broken = next(p for p in board.properties if p.name == "one_head")

    def legend(culprits: tuple[str, ...]) -> list[str]:
        asked = replace(board, properties=(replace(broken, culprits=culprits, others=None, smaller=None),))
        page = to_html(replace(result, rulebooks=(replace(book, boards=(asked,)),)))
        return [re.sub("<[^>]*>", "", line) for line in page.splitlines() if line.startswith('<p class="legend">')]

    assert [line.count("breaks it") for line in legend(broken.culprits)] == [1]
    assert [line.count("breaks it") for line in legend(("the rain",))] == [0]
    assert [line.count("changed") for line in legend(())] == [1]
