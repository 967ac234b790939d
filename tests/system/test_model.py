"""Names of rules, in the order in which a reader would look them up."""

from __future__ import annotations

from checker.system.model import by_place


def test_rules_are_sorted_by_line_and_not_as_text() -> None:
    names = ["b.lp:10 4", "a.lp:7", "b.lp:9 4.a, 10", "light(2)", "b.lp:9 4"]

    assert sorted(names, key=by_place) == ["a.lp:7", "b.lp:9 4", "b.lp:9 4.a, 10", "b.lp:10 4", "light(2)"]
