"""Generated rulings: shortest games that cover clauses and pairs, and that play."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner

from checker.cli import cli
from checker.errors import InternalError
from checker.mutation import generate as generate_module
from checker.mutation.generate import generate
from checker.mutation.suite import require_passing, rulings_of
from checker.mutation.workbench import opened
from tests.mutation.lamps import RULES, write_lamps

TWO = 'purpose = "Two lamps."\n[objects.lamp]\n[objects.candle]\n'


def test_games_are_shortest_and_cover_what_is_new(tmp_path: Path) -> None:
    """Lighting shows clauses 1 and 2 together; fixing adds 3, also with 2, whose second rule needs another lamp."""
    games, left = generate(str(write_lamps(tmp_path)), ["one"], None)

    assert left == {}
    assert [[s.action for s in game.steps] for game in games] == [["light(lamp)"], ["light(lamp)", "fix"]]
    assert [game.covers for game in games] == [(("1",), ("2",), ("1", "2")), (("3",),)]
    assert games[0].start == (("fuse", "whole"), ("lit(lamp)", "no"))
    assert games[0].steps[0].legal == ("light(lamp)",)
    assert games[0].steps[0].changes == (("fuse", "blown"), ("lit(lamp)", "yes"))
    assert games[1].steps[1].by == ("game",)
    assert len(games[1].steps[1].chosen) == 1


def test_what_is_not_searched_to_the_end_is_undecided(tmp_path: Path) -> None:
    folder, out = write_lamps(tmp_path / "lamps"), tmp_path / "out"
    more = ["generate", str(folder), "-o", str(out), "--seconds"]
    codes = [CliRunner().invoke(cli, [*more, limit], standalone_mode=False).return_value for limit in ("0", "600")]

    assert codes == [3, 0]


def test_every_board_is_searched_and_a_shorter_game_wins(tmp_path: Path) -> None:
    """With two lamps one is dark while the fuse is fixed, which is the other rule of clause 2 and meets clause 3."""
    where = str(write_lamps(tmp_path))
    (tmp_path / "boards" / "two.toml").write_text(TWO, encoding="utf-8")

    after, _ = generate(where, ["one", "two"], None)
    before, _ = generate(where, ["two", "one"], None)

    assert [(game.board, game.covers) for game in after] == [
        ("one", (("1",), ("2",), ("1", "2"))),
        ("one", (("3",),)),
        ("two", (("2", "3"),)),
    ]
    assert [(game.board, game.covers) for game in before] == [
        ("two", (("1",), ("2",), ("1", "2"))),
        ("two", (("3",), ("2", "3"))),
    ]


def test_a_large_board_is_asked_only_for_what_no_other_shows(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(generate_module, "SMALL_ENOUGH", 4)
    where = str(write_lamps(tmp_path))
    (tmp_path / "boards" / "two.toml").write_text(TWO, encoding="utf-8")

    games, left = generate(where, ["two", "one"], None)

    assert left == {}
    assert [(game.board, game.covers) for game in games] == [
        ("one", (("1",), ("2",), ("1", "2"))),
        ("two", (("3",), ("2", "3"))),
    ]


def test_a_clause_that_says_what_is_so_is_covered_by_a_step_from_such_a_board(tmp_path: Path) -> None:
    """A lamp is lit and the fuse whole once it is fixed: a further step is needed to see that in play."""
    rules = (
        RULES + "%@ 4\nbright(O) :- now(lit(O), yes), now(fuse, whole).\nviolated(never_on, O) :- bright(O), lamp(x).\n"
    )
    folder = write_lamps(tmp_path, rules)
    clauses = folder / "clauses.toml"
    text = '[4]\ntext = { en = "Lit.", fr = "Lit." }\nstatus = "encoded"\n'
    clauses.write_text(clauses.read_text(encoding="utf-8") + text, encoding="utf-8")
    (folder / "boards" / "two.toml").write_text(TWO, encoding="utf-8")

    games, _ = generate(str(folder), ["two"], None)

    (game,) = (game for game in games if ("4",) in game.covers)
    lit, fixed, other = (step.action for step in game.steps)
    assert {lit, other} == {"light(lamp)", "light(candle)"}
    assert fixed == "fix"


def test_two_processes_find_what_one_does(tmp_path: Path) -> None:
    where = str(write_lamps(tmp_path))
    (tmp_path / "boards" / "two.toml").write_text(TWO, encoding="utf-8")

    assert generate(where, ["one", "two"], None, 2) == generate(where, ["one", "two"], None)


def test_several_first_boards_are_left_out_and_said_so(tmp_path: Path) -> None:
    where = str(write_lamps(tmp_path, RULES + "initially(fuse, mended).\n"))

    games, left = generate(where, ["one"], None)

    assert (games, left) == ([], {"one": "everything: it has several initial boards, and a ruling starts on one"})


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
    games, _ = generate(where, ["one"], None)
    wrong = replace(games[0], steps=(replace(games[0].steps[0], changes=(("fuse", "whole"),)),))

    with pytest.raises(InternalError, match=r"g0001 on one fails: step 1: expected now\(fuse, whole\)"):
        require_passing(book, encoding, rulings_of(book, [wrong], tmp_path / "g.toml"))
