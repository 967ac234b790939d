"""Generated rulings: shortest games that cover clauses and pairs, and that play."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner

from checker.cli import cli
from checker.errors import InternalError
from checker.mutation.generate import generate
from checker.mutation.suite import require_passing, rulings_of
from checker.mutation.workbench import opened
from tests.mutation.lamps import RULES, write_lamps


def test_games_are_shortest_and_cover_what_is_new(tmp_path: Path) -> None:
    """Lighting shows clauses 1 and 2 together; fixing adds 3, also with 2, whose second rule needs another lamp."""
    where = str(write_lamps(tmp_path))

    ((board, games, left),) = generate(where, ["one"], None)

    assert (board, left) == ("one", "")
    assert [[s.action for s in game.steps] for game in games] == [["light(lamp)"], ["light(lamp)", "fix"]]
    assert [game.covers for game in games] == [(("1",), ("2",), ("1", "2")), (("3",),)]
    assert games[0].start == (("fuse", "whole"), ("lit(lamp)", "no"))
    assert games[0].steps[0].legal == ("light(lamp)",)
    assert games[0].steps[0].changes == (("fuse", "blown"), ("lit(lamp)", "yes"))
    assert games[1].steps[1].by == ("game",)
    assert len(games[1].steps[1].chosen) == 1


def test_a_second_board_adds_only_what_is_new(tmp_path: Path) -> None:
    """With two lamps one is dark while the fuse is fixed, which is the other rule of clause 2."""
    where = str(write_lamps(tmp_path))
    two = 'purpose = "Two lamps."\n[objects.lamp]\n[objects.candle]\n'
    (tmp_path / "boards" / "two.toml").write_text(two, encoding="utf-8")

    (_, _, _), (board, games, _) = generate(where, ["one", "two"], None)

    assert board == "two"
    assert [game.covers for game in games] == [(("2", "3"),)]


def test_several_first_boards_are_left_out_and_said_so(tmp_path: Path) -> None:
    where = str(write_lamps(tmp_path, RULES + "initially(fuse, mended).\n"))

    assert list(generate(where, ["one"], None)) == [
        ("one", [], "it has several initial boards, and a ruling starts on one")
    ]


def test_what_is_written_is_played(tmp_path: Path) -> None:
    folder = write_lamps(tmp_path / "book")
    out = tmp_path / "out"

    written = CliRunner().invoke(cli, ["generate", str(folder), "-o", str(out)], standalone_mode=False)

    assert written.return_value == 0
    assert "2 games cover 3 of 3 clauses with rules and 1 pairs of clauses" in written.output
    played = CliRunner().invoke(cli, ["rulings", str(folder), "--folder", str(out)], standalone_mode=False)
    assert played.return_value == 0
    assert "2 rulings, 2 games: 2 passed, 0 failed" in played.output
    games = json.loads((out / "toy_1.json").read_text(encoding="utf-8"))["games"]
    assert [game["covers"] for game in games] == [[["1"], ["2"], ["1", "2"]], [["3"]]]


def test_a_changed_rule_fails_the_games(tmp_path: Path) -> None:
    folder = write_lamps(tmp_path / "book")
    out = tmp_path / "out"
    CliRunner().invoke(cli, ["generate", str(folder), "-o", str(out)], standalone_mode=False)
    write_lamps(tmp_path / "book", RULES.replace("set(fuse, blown) :-", "set(fuse, mended) :-"))

    played = CliRunner().invoke(cli, ["rulings", str(folder), "--folder", str(out)], standalone_mode=False)

    assert played.return_value == 1


def test_a_game_that_does_not_play_is_not_written(tmp_path: Path) -> None:
    where = str(write_lamps(tmp_path))
    book, encoding = opened(where)
    ((_, games, _),) = generate(where, ["one"], None)
    wrong = replace(games[0], steps=(replace(games[0].steps[0], changes=(("fuse", "whole"),)),))

    with pytest.raises(InternalError, match=r"g0001 on one fails: step 1: expected now\(fuse, whole\)"):
        require_passing(book, encoding, rulings_of(book, [wrong], tmp_path / "g.toml"))
