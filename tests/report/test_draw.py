"""Laying a board out: places in order, what is tucked under what, and what is new."""

from dataclasses import replace

from checker.report.draw import Row, draw
from checker.report.labels import Labels
from checker.report.model import BoardView, ObjectView

LABELS = Labels("en")


def lies(title: str, zone: str | None, *under: str, turned: bool = False, badges: tuple[str, ...] = ()) -> ObjectView:
    """Return an object whose name is its title in lower case."""
    return ObjectView(title.lower(), title, zone, under, None, turned, badges)


def view(*objects: ObjectView, status: tuple[tuple[str, str], ...] = ()) -> BoardView:
    """Return a board with a base, a field and a hand."""
    return BoardView(("base", "field", "hand"), objects, status)


def lines(board: BoardView, before: BoardView | None = None) -> list[tuple[str, int, str]]:
    """Return the place, depth and title of each row."""
    return [(row.place, row.depth, row.title) for row in draw(board, LABELS, before).rows]


def test_places_come_in_order_and_empty_ones_apart() -> None:
    board = view(lies("Unit", "field"), lies("Other", "field"), lies("Gear", "base"))
    assert lines(board) == [("base", 0, "Gear"), ("field", 0, "Unit"), ("", 0, "Other")]
    assert draw(board, LABELS).empty == ("hand",)


def test_what_is_tucked_under_follows_its_host() -> None:
    gear, ring = lies("Gear", "base", "Unit"), lies("Ring", "base", "Gear")
    board = view(gear, lies("Other", "base"), lies("Unit", "base"), ring)
    assert lines(board) == [("base", 0, "Other"), ("", 0, "Unit"), ("", 1, "Gear"), ("", 2, "Ring")]
    assert all(not row.marks for row in draw(board, LABELS).rows)


def test_an_object_under_two_hosts_shows_under_both_and_says_so() -> None:
    board = view(lies("A", "base"), lies("B", "base"), lies("Gear", "base", "A", "B"))
    rows = draw(board, LABELS).rows
    assert [(r.depth, r.title, r.marks) for r in rows] == [
        (0, "A", ()),
        (1, "Gear", ("under A, B",)),
        (0, "B", ()),
        (1, "Gear", ("under A, B",)),
    ]


def test_a_host_elsewhere_is_named() -> None:
    board = view(lies("Unit", "field"), lies("Gear", "base", "Unit"))
    assert draw(board, LABELS).rows[0] == Row("base", 0, "Gear", "", ("under Unit",), False)


def test_objects_under_each_other_and_in_no_place_are_drawn_too() -> None:
    board = view(lies("A", "base", "B"), lies("B", "base", "A"), lies("Lost", None), lies("Odd", "moon"))
    assert lines(board) == [
        ("base", 0, "A"),
        ("", 1, "B"),
        ("", 2, "A"),
        ("elsewhere", 0, "Lost"),
        ("", 0, "Odd"),
    ]


def test_marks_list_turned_and_badges() -> None:
    board = view(lies("Unit", "base", turned=True, badges=("stunned", "tank")))
    assert draw(board, LABELS).rows[0].marks == ("turned", "stunned", "tank")
    tapped = replace(board, turned="tapped")
    assert draw(tapped, LABELS).rows[0].marks == ("tapped", "stunned", "tank")


def test_what_changed_is_marked() -> None:
    chain = ("Chain", "empty")
    before = view(lies("Unit", "base"), lies("Gear", "base"), status=(("Turn", "Alice"), chain))
    after = view(lies("Unit", "base", turned=True), lies("Gear", "base"), status=(("Turn", "Bob"), chain))
    assert [row.changed for row in draw(after, LABELS, before).rows] == [True, False]
    assert draw(after, LABELS, before).status == (("Turn", "Bob", True), ("Chain", "empty", False))
    assert not any(row.changed for row in draw(after, LABELS).rows)
