"""The command line: what it says and the code it exits with."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from shutil import copytree

import pytest

from checker.cli import main
from checker.paths import encodings, models
from checker.rulebook.lint import differences_of_force
from checker.rulebook.load import load_rulebook
from tests.toybook import BOARD, CLAUSES, RULEBOOK, RULES, write_toy

DARK = RULES.replace(
    "violated(never_on, O) :- now(lit(O), yes).", "violated(never_on, O) :- now(lit(O), yes), now(lit(O), no)."
)
ENDLESS = "many(X, Y) :- X = 1..3000, Y = 1..3000.\nsum(X + Y) :- many(X, Y), now(lit(lamp), yes).\n"
FINDING = '\n[[findings]]\nproperty = "never_on"\ntitle = { en = "It may be lit." }\n'
DAWN = '\n[[properties]]\nname = "dawn"\nkind = "sometimes"\ntitle = { en = "Every lamp is lit and dark." }\n'


def run(*arguments: str) -> int:
    """Run the command line and return its exit code."""
    with pytest.raises(SystemExit) as stop:
        main(list(arguments))
    return int(stop.value.code or 0)


CHECKS = {
    "holds": ({"rules": DARK}, [], 0),
    "violated": ({}, [], 1),
    "known finding": ({"rulebook": RULEBOOK + FINDING}, [], 0),
    "finding vanished": ({"rules": DARK, "rulebook": RULEBOOK + FINDING}, [], 1),
    "unknown": ({"rules": DARK}, ["--engine", "asp", "--seconds", "0"], 3),
    "hollow": (
        {"rules": DARK + "reached(dawn) :- now(lit(O), yes), now(lit(O), no).\n", "rulebook": RULEBOOK + DAWN},
        [],
        0,
    ),
    "hollow, strict": (
        {"rules": DARK + "reached(dawn) :- now(lit(O), yes), now(lit(O), no).\n", "rulebook": RULEBOOK + DAWN},
        ["--strict"],
        5,
    ),
    "wrong input": ({"board": BOARD + "card = 3\n"}, [], 2),
}


@pytest.mark.parametrize("case", CHECKS)
def test_exit_code_of_check(tmp_path: Path, case: str) -> None:
    """Every outcome has its own code."""
    changed, options, code = CHECKS[case]

    assert code == run("check", str(write_toy(tmp_path, **changed)), "--fresh", *options)


WRONG = {
    "no such property": (
        ["check", "{toy}", "-p", "never_off"],
        'error: toy has no property "never_off"; did you mean "never_on"?',
    ),
    "no such engine": (
        ["check", "{toy}", "-e", "smybolic"],
        'error: there is no engine "smybolic"; did you mean "symbolic"?',
    ),
    "no such reading": (
        ["check", "{toy}", "-r", "sped=fast"],
        'error: there is no reading "sped"; did you mean "speed"?',
    ),
    "no such value": (
        ["check", "{toy}", "-r", "speed=quick"],
        'error: reading "speed" has no value "quick"; expected one of slow, fast',
    ),
    "no equals sign": (["check", "{toy}", "-r", "speed"], 'error: --reading "speed" is not NAME=VALUE'),
    "no such language": (["check", "{toy}", "--lang", "fr"], 'error: toy is not told in "fr"; expected one of en'),
    "no such language of rulings": (
        ["rulings", "magic", "--lang", "zz"],
        'error: magic is not told in "zz"; expected one of en, fr',
    ),
    "name that nothing has": (
        ["ask", "{toy}", "now(lit(lamb), yes)"],
        'error: nothing on the boards is called "lamb"; did you mean "lamp"?',
    ),
    "board twice": (
        ["check", "{toy}", "-b", "one", "-b", "{toy}/boards/one.toml"],
        'error: two boards are called "one"; their reports would overwrite each other',
    ),
    "misspelt fluent": (
        ["ask", "{toy}", "now(litt(lamp), yes)"],
        "error: the query `now(litt(lamp), yes)`: now speaks of litt/1, but no rule has it as a fluent; did you mean",
    ),
    "number of more than 32 bits": (
        ["ask", "{toy}", "now(lit(lamp), 4294967296)"],
        "error: the query `now(lit(lamp), 4294967296)`: 4294967296 is too large; expected a number up to 2147483647",
    ),
    "empty name": (["check", ""], 'error: "" names no rulebook'),
    "seconds that are no number": (["check", "{toy}", "--seconds", "nan"], "Usage:"),
    "query": (["ask", "{toy}", "now(lit(O)"], "error: the query `now(lit(O)`: syntax error"),
    "query of nothing": (
        ["ask", "{toy}", "bright(O)"],
        "error: the query: atom does not occur in any rule head: bright(O)",
    ),
}


@pytest.mark.parametrize("case", WRONG)
def test_a_wrong_argument_is_a_sentence(tmp_path: Path, capsys: pytest.CaptureFixture[str], case: str) -> None:
    """The message says what is wrong and what was expected; nothing is written to stdout."""
    arguments, message = WRONG[case]
    folder = str(write_toy(tmp_path))

    assert run(*(a.replace("{toy}", folder) for a in arguments)) == 2
    said = capsys.readouterr()
    assert said.err.startswith(message)
    assert said.out == ""


def test_wrong_input_writes_no_report(tmp_path: Path) -> None:
    """With anything wrong, nothing is written."""
    folder = write_toy(tmp_path / "toy", board="purpose = 3\n")

    assert run("check", str(folder), "--fresh", "--report", str(tmp_path / "reports")) == 2
    assert not (tmp_path / "reports").exists()


def test_a_board_cannot_take_the_place_of_the_index(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A report of a board called README would overwrite the list of boards."""
    folder = write_toy(tmp_path)
    (folder / "boards" / "one.toml").rename(folder / "boards" / "ReadMe.toml")

    assert run("check", str(folder), "--fresh") == 2
    assert 'a board cannot be called "readme"' in capsys.readouterr().err


def test_limits_hold_while_the_rules_are_ground(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Rules that ground to millions end with what is known: nothing yet."""
    assert run("check", str(write_toy(tmp_path, rules=DARK + ENDLESS)), "--fresh", "--seconds", "0") == 3
    assert "undecided: one: time limit of 0 s reached while the rules were being ground" in capsys.readouterr().err


def test_a_query_may_use_any_predicate(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """What a query stands for is kept under a name that no rulebook has."""
    folder = write_toy(tmp_path, rules=DARK + "binding(1).\ncheck(0).\n")

    assert run("ask", str(folder), "now(lit(X), yes)") == 0
    assert "(X = lamp)" in capsys.readouterr().out


def test_a_folder_that_cannot_be_written_is_noticed_first(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Reports into a file are refused before anything is checked."""
    (tmp_path / "taken").write_text("a file", encoding="utf-8")

    assert run("check", str(write_toy(tmp_path / "toy")), "--fresh", "--report", str(tmp_path / "taken" / "in")) == 2
    assert "cannot write reports" in capsys.readouterr().err


def test_an_unexpected_error_is_internal(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """What nobody foresaw ends in a sentence and code 4, never in 1, which means violated."""

    def fail(*_: object) -> None:
        raise ZeroDivisionError("by nought")

    monkeypatch.setattr("checker.show.show_stage", fail)

    assert run("show", "riftbound") == 4
    assert capsys.readouterr().err.startswith("internal error: ZeroDivisionError: by nought")


def test_ask_finds_a_shortest_game(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A reachable board is shown with what the variables stand for."""
    assert run("ask", str(write_toy(tmp_path)), "now(lit(O), yes)", "--engine", "explicit") == 0
    assert "Such a board is reachable. (O = lamp)" in capsys.readouterr().out


def test_ask_says_that_there_is_none(tmp_path: Path) -> None:
    """No board satisfies both."""
    assert run("ask", str(write_toy(tmp_path)), "now(lit(O), yes), now(lit(O), no)") == 1


def test_lint_is_clean_or_says_why(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Lint counts what it loaded, and lists every problem."""
    assert run("lint", str(write_toy(tmp_path))) == 0
    assert "toy 1: 2 tagged rules, 1 clause, 1 board, 1 property, 1 reading, 0 rulings" in capsys.readouterr().out

    write_toy(tmp_path, rules=RULES.replace("set(lit(O), yes)", "set(lit(O), bright)"))
    assert run("lint", str(tmp_path)) == 2
    assert "main.lp:9:1: set(lit(lamp), bright)" in capsys.readouterr().err


def test_lint_wants_the_purpose_of_a_board_in_every_language(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """One text is English; a table has a text for each language, and reports take theirs."""
    both = {"rulebook": RULEBOOK.replace('languages = ["en"]', 'languages = ["en", "fr"]')}
    folder = write_toy(tmp_path, **both)
    assert run("lint", str(folder)) == 2
    assert "boards/one.toml:1:1: purpose lacks fr, of the rulebook's languages" in capsys.readouterr().err
    told = BOARD.replace('purpose = "One lamp."', 'purpose.en = "One lamp."\npurpose.fr = "Une lampe."')
    write_toy(tmp_path, board=told, **both)
    assert run("lint", str(folder)) == 0
    capsys.readouterr()
    run("check", str(folder), "--lang", "fr", "-f", "markdown", "--fresh")
    assert "Une lampe." in capsys.readouterr().out


def test_lint_tells_where_languages_differ_in_force(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """What one language states and another allows is said, clause by clause, with the switch that is about it."""
    both = RULEBOOK.replace('languages = ["en"]', 'languages = ["en", "fr"]').replace(
        '= "How fast?"', '= "?", fr = "?"'
    )
    board = 'purpose = { en = "One lamp.", fr = "Une lampe." }\n\n[objects.lamp]\n'
    folder = write_toy(tmp_path, rulebook=both, clauses=CLAUSES + 'force = { en = "is", fr = "may" }\n', board=board)

    assert run("lint", str(folder)) == 0
    (said,) = [line for line in capsys.readouterr().out.splitlines() if "force" in line]
    assert said == "toy 1: clause 1 differs in force: en says is, fr says may; no reading is about it"
    assert list(differences_of_force(load_rulebook("riftbound@1.3"))) == [
        "riftbound 1.3: clause 821.1.a differs in force: en says is, fr says may; reading wm_found_on",
        "riftbound 1.3: clause 821.1.b differs in force: en says is, fr says may; reading wm_optional",
    ]


@pytest.mark.parametrize("command", ["check", "lint", "diff"])
def test_a_copied_rulebook_that_has_the_shipped_rules_says_so_once(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], command: str
) -> None:
    """With rules beside the copy, which is what the sentence says to do, it falls silent, as for shipped rulebooks."""
    copied, own = tmp_path / "mine", tmp_path / "own"
    copytree(models() / "bench" / "equip_bench", copied)
    copytree(copied, own)
    copytree(encodings() / "asp", own / "asp")
    arguments = {
        "check": ["-b", "u1_g1_b1_e1", "-f", "json", "--fresh"],
        "lint": [],
        "diff": ["models/bench/equip_bench", "--only", "clauses", "--fresh"],
    }[command]
    run(command, str(copied), *arguments)
    told = capsys.readouterr()
    assert told.err.count("the rules of") == 1
    assert f"the rules of {copied} are the shipped ones in encodings/asp/bench" in told.err
    assert f"it has no asp/bench/equip_bench.lp; to have its own, copy encodings/asp to {copied}/asp" in told.err
    assert "the rules of" not in told.out

    assert run(command, str(own), *arguments) == 0
    assert "the rules of" not in capsys.readouterr().err


def test_check_ends_with_the_command_that_plays_the_rulings(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """It counts those of all versions and files, as that command does; what a program reads says nothing of it."""
    folder = write_toy(tmp_path / "my toy", rules=DARK)
    run("check", str(folder), "--fresh")
    assert "rulings" not in capsys.readouterr().err

    (folder / "rulings").mkdir()
    ruling = (
        '[{}]\ntitle = {{ en = "Lit." }}\nsource = "us"\nstatus = "derived"\nboard = "one"\nclauses = ["1"]\n'
        'steps = [{{ do = "light(lamp)" }}]\n'
    )
    (folder / "rulings" / "a.toml").write_text(ruling.format("lit") + ruling.format("twice"), encoding="utf-8")
    (folder / "rulings" / "b.toml").write_text(ruling.format("third"), encoding="utf-8")
    run("check", f"{folder}@1", "--fresh")
    assert capsys.readouterr().err.splitlines()[-1] == f"equipoise rulings '{folder}' plays its rulings"
    run("rulings", str(folder))
    assert "3 rulings, 3 games" in capsys.readouterr().out
    run("check", str(folder), "--fresh", "-f", "junit")
    assert "rulings" not in capsys.readouterr().err


STAGES = {
    "facts": "object(lamp).",
    "rules": "possible(light(lamp)) :- fired(0,(lamp,)).",
    "variables": "lit(lamp): 1 bits, {no, yes}, starts at no",
    "actions": "light(lamp) by alice",
    "readings": "speed: [slow], fast",
    "boards": "one: One lamp.",
    "properties": "never_on (invariant): The lamp is never on. [1]",
}


@pytest.mark.parametrize("stage", STAGES)
def test_show_prints_a_stage(tmp_path: Path, capsys: pytest.CaptureFixture[str], stage: str) -> None:
    """Every stage of the pipeline can be looked at."""
    assert run("show", str(write_toy(tmp_path)), "-s", stage) == 0
    assert STAGES[stage] in capsys.readouterr().out.splitlines()


BARE = RULEBOOK.partition("[readings.speed]")[0]
NOTHING = {
    "facts": ({"rulebook": BARE, "board": 'purpose = "Nothing."\n'}, "toy on the board one has no facts"),
    "rules": (
        {"rulebook": BARE, "rules": "lamp(O) :- object(O).\n"},
        "toy on the board one has no rules",
    ),
    "readings": ({"rulebook": BARE}, "toy has no readings"),
    "properties": ({"rulebook": BARE}, "toy has no properties"),
}


@pytest.mark.parametrize("stage", NOTHING)
def test_show_says_that_a_stage_is_empty(tmp_path: Path, capsys: pytest.CaptureFixture[str], stage: str) -> None:
    """Nothing at all would look as if the command had failed; for boards and actions see what it says anyway."""
    changed, sentence = NOTHING[stage]
    folder = write_toy(tmp_path, **({"rules": RULES.partition("violated(")[0]} | changed))
    assert run("show", str(folder), "-s", stage) == 0
    assert capsys.readouterr().out == f"{sentence}\n"


def test_show_says_that_there_are_no_boards(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The stages of a board have their own message, with what to do about it."""
    (write_toy(tmp_path) / "boards" / "one.toml").unlink()
    assert run("show", str(tmp_path), "-s", "boards") == 0
    assert capsys.readouterr().out == "toy has no boards\n"


def test_json_is_the_whole_result(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The document names the property, its status and the game."""
    assert run("check", str(write_toy(tmp_path)), "--fresh", "--format", "json") == 1
    (book,) = json.loads(capsys.readouterr().out)["rulebooks"]
    (wanted,) = book["boards"][0]["properties"]

    assert (wanted["status"], [s["term"] for s in wanted["game"]["steps"]]) == ("violated", ["light(lamp)"])


def test_it_runs_as_a_module() -> None:
    """`python -m checker --version` answers."""
    done = subprocess.run([sys.executable, "-m", "checker", "--version"], capture_output=True, text=True, check=True)

    assert done.stdout.startswith("equipoise, version ")
