"""The explorer in a terminal: what each command says."""

import tomllib
from collections.abc import Iterator
from pathlib import Path

from click.testing import CliRunner

from checker.cli import cli
from checker.explore.terminal import Session
from tests.explore.lamps import lamps, write_lamps

START = ["  shelf                     blue", "                            red", "  fuse: whole"]
MOVES = ["  1 Alice: light(blue)  [1]", "  2 Alice: light(red)  [1]"]


def said(*lines: str) -> list[str]:
    """Return what the last of these commands prints, without blank lines."""
    with lamps() as table:
        found: list[str] = []

        def typed() -> Iterator[str]:
            for line in lines:
                found.clear()
                yield line

        Session(table, found.append).run(typed())
    return [line for line in found if line]


def test_a_number_takes_a_move() -> None:
    assert said("2") == [
        "Step 1: Alice: light(red)",
        "    lit(red) = yes  [1, 1.a]",
        "  shelf                     blue",
        "                            red (on)",
        "  fuse: whole",
        "  1 Alice: light(blue)  [1]",
    ]


def test_why_not_can_be_asked_for_one_word() -> None:
    assert said("2", "w MEND") == [
        "Game: mend  [mend]",
        "  A rule would allow it, but:  [2]",
        "    fuse should be blown, but is whole",
    ]
    assert len(said("2", "w")) == 6


def test_undo_goes_back_to_the_start_and_no_further() -> None:
    assert said("2", "u") == [*START, *MOVES]
    assert said("u") == ["Nothing to undo."]


def test_what_the_end_shows_is_said() -> None:
    assert said("j dead")[-4:] == [
        "! This breaks: A title. (blue; red)",
        "  Known finding: Nobody forbids <b>both</b> lamps.",
        "! This reaches: A title.",
        "Nothing may be done now: the game ends here.",
    ]
    assert said("j torn") == ["Nothing breaks it: there is no such game."]
    assert said("j lost") == ["It is reached by no game on this board."]
    assert said("j no") == ['toy has no property "no"; expected one of bright, dead, lost, overload, torn']
    assert said("2", "1", "g") == ["1. Alice: light(red)", "2. Alice: light(blue)"]


def test_a_walk_goes_on_from_here() -> None:
    assert said("r 4")[0] == "Step 3: Game: mend"
    assert said("i 1") == [*START, *MOVES]
    assert said("i 2") == ["there is no initial board 2; expected 1 to 1"]


def test_a_game_is_saved(tmp_path: Path) -> None:
    path = tmp_path / "game.toml"
    assert said("2", f"s {path}") == [f"wrote {path}"]
    saved = tomllib.loads(path.read_text(encoding="utf-8"))
    assert saved["one_1_steps"]["steps"] == [{"do": "light(red)", "holds": ["now(lit(red), yes)"]}]
    assert said("2", f"s {tmp_path / 'no' / 'game.json'}")[0].startswith("[Errno 2]")
    assert said(f"s {path}") == ["nothing was done yet; a ruling has at least one step"]


def test_what_is_not_understood_is_answered_with_the_commands() -> None:
    for line in ("x", "9", "0", "r x", "i x", "s game.txt", "2 2 2 2".replace(" ", "")):
        assert said(line)[0] == f'I do not understand "{line}".'
        assert said(line)[1].startswith("A number takes a move.")


def test_the_command_plays_from_standard_input(tmp_path: Path) -> None:
    done = CliRunner().invoke(cli, ["play", str(write_lamps(tmp_path)), "one", "--text"], input="2\nq\n1\n")
    assert (done.exit_code, "Step 1: Alice: light(red)" in done.output, "Step 2" in done.output) == (0, True, False)
