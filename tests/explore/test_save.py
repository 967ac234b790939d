"""A game played by hand is saved as a ruling that plays again, and as a trace that other tools read."""

import json
from pathlib import Path

import pytest
from itf_py.itf import trace_from_json

from checker.errors import InputError
from checker.explore.save import to_itf, to_ruling
from checker.explore.table import lay
from checker.pipeline import read_rules
from checker.rulings.load import load_rulings
from checker.rulings.play import play
from tests.explore.lamps import VIEW, lamps, write_lamps
from tests.traces.toys import CLASH, LAMPS

GAME = ("light(red)", "light(blue)", "mend!set(fuse,dead)")


def test_a_saved_ruling_plays(tmp_path: Path) -> None:
    table = lay(str(write_lamps(tmp_path)), "one", {"speed": "fast"}, "en")
    text = to_ruling(table, table.position(1, GAME))
    (tmp_path / "rulings").mkdir()
    (tmp_path / "rulings" / "saved.toml").write_text(text, encoding="utf-8")
    (ruling,) = load_rulings(table.book)
    assert (ruling.id, ruling.board, ruling.versions, ruling.clauses) == (
        "one_3_steps",
        "one",
        ("1",),
        ("1", "1.a", "3", "4"),
    )
    assert ruling.lines[0].readings == {"speed": "fast"}
    last = ruling.lines[0].steps[-1]
    assert (last.do, last.choose, last.holds) == (("mend",), ("set(fuse,dead)",), ("now(fuse, dead)",))
    assert [p.failure for p in play(table.book, read_rules(table.book), [ruling])] == [None]


def test_a_saved_ruling_notices_other_rules(tmp_path: Path) -> None:
    table = lay(str(write_lamps(tmp_path)), "one", {}, "en")
    (tmp_path / "rulings").mkdir()
    text = to_ruling(table, table.position(1, GAME[:2]))
    (tmp_path / "rulings" / "saved.toml").write_text(text, encoding="utf-8")
    write_lamps(tmp_path, (LAMPS + VIEW).replace("N >= 2, now(fuse", "N >= 5, now(fuse"))
    table = lay(str(tmp_path), "one", {}, "en")
    (played,) = play(table.book, read_rules(table.book), load_rulings(table.book))
    assert played.failure is not None
    assert (played.failure.step, played.failure.expected) == (2, "now(fuse, blown)")


def test_what_a_ruling_cannot_say_is_refused() -> None:
    with lamps() as table, pytest.raises(InputError, match="nothing was done yet"):
        to_ruling(table, table.begin())
    with lamps(CLASH, torn="conflict") as table, pytest.raises(InputError, match="has no next board; undo it first"):
        to_ruling(table, table.position(1, ("flip",)))
    two = LAMPS.replace("initially(lit(C), no) :-", "initially(lit(C), (no; yes)) :-")
    with lamps(two) as table, pytest.raises(InputError, match="one has 4 initial boards"):
        to_ruling(table, table.position(2, ("light(blue)",)))


def test_a_saved_trace_is_read_by_another_tool() -> None:
    with lamps() as table:
        text = to_itf(table, table.position(1, GAME))
    trace = trace_from_json(json.loads(text))
    assert [state.values["mbt::actionTaken"] for state in trace.states] == ["init", "light(red)", "light(blue)", "mend"]
    assert [state.values["fuse"] for state in trace.states] == ["whole", "whole", "blown", "dead"]
