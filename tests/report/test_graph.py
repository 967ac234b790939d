"""The state graph of a small board: complete, laid out in levels, with a text that says the same."""

from __future__ import annotations

from dataclasses import replace

from checker.report.graph import tell_graph
from checker.report.html import to_html
from checker.report.html.graph import COLUMN, lay_out
from checker.report.model import EdgeView, GraphView, NodeView
from checker.report.summary import DRAWN_ALONE, summarise
from checker.report.words import Words
from tests.report.hats import looked_into, richer


def told(most: int = 200) -> GraphView | None:
    """Return the graph of the kennel."""
    result = looked_into()
    return tell_graph(result, Words(result.rulebook, result.board, "en"), "en", most)


def test_every_board_and_step_is_there() -> None:
    graph = told()
    assert graph is not None
    assert [node.level for node in graph.nodes] == [0, 1, 2, 3]
    assert [(e.source, e.target, e.forced) for e in graph.edges] == [(0, 1, False), (1, 2, True), (2, 3, False)]
    assert graph.edges[1].steps == ("the game: rain",)
    assert graph.nodes[0].differs == ()
    assert graph.nodes[1].differs == ("Bowler | *black* is on <i>Dog</i> (rex)",)
    assert [node.breaks for node in graph.nodes[::3]] == [
        (),
        ("No hat is on two heads.", "No hat is in the box and on a head."),
    ]


def test_a_board_with_too_many_positions_has_none() -> None:
    assert told(3) is None
    result = looked_into()
    assert summarise(replace(result, counts=replace(result.counts, states=DRAWN_ALONE + 1)), "en").graph is None
    assert summarise(replace(result, counts=replace(result.counts, complete=False)), "en").graph is None


def test_levels_are_columns_and_no_two_boards_lie_on_each_other() -> None:
    nodes = tuple(NodeView(level, (), ()) for level in (0, 1, 1, 1, 2, 2))
    pairs = ((0, 1), (0, 2), (0, 3), (1, 5), (3, 4), (4, 0), (5, 5), (1, 2))
    layout = lay_out(GraphView(nodes, tuple(EdgeView(s, t, ("go",), False, ()) for s, t in pairs)))
    assert {dot.x for dot in layout.dots if dot.view.level == 1} == {layout.dots[0].x + COLUMN}
    assert len({(dot.x, dot.y) for dot in layout.dots}) == 6
    assert all(0 < dot.x < layout.width and 0 < dot.y < layout.height for dot in layout.dots)
    assert len(layout.lines) == 7  # a step that changes nothing is no line
    heights = [layout.dots[number].y for number in (1, 3, 5, 4)]
    assert (heights[0] < heights[1]) == (heights[2] < heights[3])  # 1-5 and 3-4 do not cross


def test_the_page_shows_it_and_says_it() -> None:
    page = to_html(richer())
    assert page.count("<circle class=") == 4
    assert page.count('class="bad" cx=') == 3
    assert 'id="graph/kennel/4"' in page
    assert "Board 2: No hat is in the box and on a head.; Bowler | *black* is on &lt;i&gt;Dog&lt;/i&gt; (rex)" in page
    assert "kennel: 4 boards, 3 steps between two of them" in page
