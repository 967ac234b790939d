"""The same fault on fewer cards: what may go goes, what speaks of it goes too, and nothing else could."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from checker.check import BoardResult, Smaller, check_board
from checker.cli import main
from checker.engines.protocol import Limits
from checker.pipeline import read_rules
from checker.report.labels import Labels
from checker.report.story import story
from checker.report.summary import summarise
from checker.report.told import remarks
from checker.rulebook.load import load_board, load_rulebook
from checker.rulebook.model import Board
from checker.smaller import minimal, with_smaller, without
from tests.toybook import RULES, write_toy

TWO = RULES.replace("violated(never_on, O) :- now(lit(O), yes).", "violated(never_on) :- 2 { now(lit(O), yes) }.")
"""Only two lit lamps are a fault."""

SIX = """
purpose = "Six lamps."
[facts]
first = "blue"
order = ["blue", "red", "green"]
[objects.red]
[objects.blue]
[objects.green]
[objects.shade]
over = "green"
[objects.hook]
under = "shade"
[objects.table]
holds = ["red", "green"]
"""


def checked(folder: Path, rules: str = TWO, board: str = SIX) -> BoardResult:
    """Check a toy rulebook with the fault shown on fewer cards."""
    book = load_rulebook(str(write_toy(folder, rules=rules, board=board)))
    encoding, how = read_rules(book), ("symbolic", Limits(), lambda _: None)
    whole = check_board(book, encoding, load_board(book, "one"), {}, book.properties, *how)
    return with_smaller(whole, encoding, {}, *how, None)


def smaller_of(result: BoardResult) -> Smaller:
    """Return what became of the only property."""
    (judged,) = result.judged
    assert judged.smaller is not None
    return judged.smaller


def test_two_lamps_are_enough_for_two_lit_lamps(tmp_path: Path) -> None:
    smaller = smaller_of(checked(tmp_path))
    assert len(smaller.result.board.objects) == 2
    assert smaller.minimal
    (judged,) = smaller.result.judged
    assert judged.trace is not None
    assert len(judged.trace.steps) == 2


def test_no_lamp_of_those_left_could_go(tmp_path: Path) -> None:
    left = smaller_of(checked(tmp_path)).result
    book = left.rulebook
    for name in left.board.objects:
        board = without(left.board, frozenset({name}))
        again = check_board(
            book, read_rules(book), board, {}, book.properties, "symbolic", Limits(), lambda _: None, False
        )
        assert again.judged[0].trace is None


def test_a_board_that_needs_all_its_cards_has_no_smaller_one(tmp_path: Path) -> None:
    assert checked(tmp_path, board='purpose = "."\n[objects.a]\n[objects.b]').judged[0].smaller is None


def test_what_holds_is_left_alone(tmp_path: Path) -> None:
    never = RULES.replace("now(lit(O), yes).", "now(lit(O), yes), now(lit(O), no).")
    assert checked(tmp_path, rules=never).judged[0].smaller is None


def test_an_engine_that_cannot_tell_leaves_it_open(tmp_path: Path) -> None:
    whole = checked(tmp_path)
    (judged,) = whole.judged

    def check(board: Board) -> BoardResult:
        limits = Limits(depth=0 if len(board.objects) < 4 else None)
        book = whole.rulebook
        return check_board(book, read_rules(book), board, {}, book.properties, "symbolic", limits, lambda _: None)

    found = minimal(whole, judged, check)
    assert found is not None
    assert len(found.result.board.objects) == 4
    assert not found.minimal


@pytest.mark.parametrize(
    ("gone", "left", "facts"),
    [
        ({"blue"}, ["red", "green", "shade", "hook", "table"], {"order": ["red", "green"]}),
        ({"green"}, ["red", "blue", "table"], {"first": "blue", "order": ["blue", "red"]}),
    ],
)
def test_what_speaks_of_a_card_goes_with_it(
    tmp_path: Path, gone: set[str], left: list[str], facts: dict[str, Any]
) -> None:
    book = load_rulebook(str(write_toy(tmp_path, board=SIX)))
    board = without(load_board(book, "one"), frozenset(gone))
    assert list(board.objects) == left
    assert board.facts == facts
    assert board.objects["table"] == {"holds": [name for name in ("red", "green") if name not in gone]}


def test_it_is_told_with_its_game(tmp_path: Path) -> None:
    (wanted,) = summarise(checked(tmp_path), "en").properties
    assert wanted.smaller is not None
    assert (wanted.smaller.kept, wanted.smaller.of, len(wanted.smaller.dropped)) == (2, 6, 4)
    dropped = ", ".join(wanted.smaller.dropped)
    said = [
        f"The same fault with 2 of 6 cards: without {dropped}. The game below is played on that smaller board.",
        "None of the cards left can be done without.",
    ]
    assert remarks(wanted, Labels("en")) == said
    assert story(wanted, Labels("en"))[:2] == said
    assert {o.name for o in wanted.smaller.game.start.objects} & set(wanted.smaller.dropped) == set()


def test_the_command_line_tells_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = write_toy(tmp_path, rules=TWO, board=SIX)
    with pytest.raises(SystemExit) as stop:
        main(["check", str(folder), "--minimal", "--counterexamples", "2", "--store", str(tmp_path / "store")])
    assert stop.value.code == 1
    said = " ".join(capsys.readouterr().out.split())
    assert "The same fault with 2 of 6 cards: without" in said
    assert "2 different games were asked for, and 1 told: there are no others." in said
    with pytest.raises(SystemExit) as refused:
        main(["check", str(folder), "--counterexamples", "0"])
    assert refused.value.code == 2
