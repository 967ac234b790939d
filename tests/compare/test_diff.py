from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from checker import check
from checker.cli import cli
from checker.compare import run as compare_run
from checker.errors import InputError
from tests.toybook import BOARD, CLAUSES, RULEBOOK, RULES, write_toy

OFF = """
action(douse(O)) :- object(O).
by(douse(O), bob) :- object(O).
%@ 1
possible(douse(O)) :- lamp(O), now(lit(O), yes).
%@ 1
set(lit(O), no) :- occurs(douse(O)).
"""
"""A lit lamp may be put out."""

RULING = """\
[lit_stays]
title.en = "A lit lamp cannot be lit again"
source = "the test"
status = "derived"
board = "one"
clauses = ["1"]

[[lit_stays.steps]]
do = "light(lamp)"
holds = ["now(lit(lamp), yes)"]

[[lit_stays.steps]]
illegal = "light(lamp)"
"""


def folder(place: Path, **changed: str) -> Path:
    """Write a toy rulebook with a ruling."""
    write_toy(place, **changed)
    (place / "rulings").mkdir(exist_ok=True)
    (place / "rulings" / "all.toml").write_text(RULING, encoding="utf-8")
    return place


def run(*arguments: object) -> Result:
    return CliRunner().invoke(cli, [*map(str, arguments), "--fresh", "--jobs", "1"], standalone_mode=False)


def diff(left: object, right: object, *more: object) -> str:
    result = run("diff", left, right, *more)
    assert result.exception is None, result.exception
    return result.stdout


def never(*_: object) -> None:
    """Stand for what should not be asked."""
    raise AssertionError("nothing need be looked into")


class NoEngine:
    """An engine that nobody should ask."""

    def __init__(self, name: str) -> None:
        self.name = name

    check = never


def test_a_no_op_edit_changes_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is seen from the files: no rule is ground, and no ruling played."""
    for name in ("compare_on", "ruling_changes"):
        monkeypatch.setattr(compare_run, name, never)
    head, *rules = RULES.splitlines(keepends=True)
    renamed = "".join([*rules, head, "% a remark\n"]).replace("O", "C")
    said = diff(folder(tmp_path / "a"), folder(tmp_path / "b", rules=renamed))
    assert said.endswith(
        "behaviour: the same ground rules on 1 board, so that no game tells the two apart\n\nno change\n"
    )


def test_an_added_action_is_shown_with_its_shortest_game(tmp_path: Path) -> None:
    data = json.loads(diff(folder(tmp_path / "a"), folder(tmp_path / "b", rules=RULES + OFF), "-f", "json"))
    (board,) = data["boards"]
    shown = {(p["kind"], p["clause"]): p for p in board["partings"]}
    assert shown.keys() == {("added", None), ("added", "1")}
    assert shown["added", None]["steps"] == ["alice: light(lamp)"]
    assert shown["added", None]["ending"] == ["legal only on the right: bob: douse(lamp) [douse(lamp)]"]
    assert shown["added", None]["rows"] == [{"fluent": "lit(lamp)", "before": "yes", "left": "yes", "right": "yes"}]
    assert (board["states"], board["why_open"], data["rulings"], board["verdicts"]) == (2, "", [], [])


def test_the_other_way_round_it_is_removed(tmp_path: Path) -> None:
    said = diff(folder(tmp_path / "a", rules=RULES + OFF), folder(tmp_path / "b"))
    assert "behaviour removed: legal on the left alone\nremoved: by clauses 1\n  board one, 1 step\n" in said
    assert said.endswith("\n\nbehaviour removed\n")


def test_another_next_board_is_shown_side_by_side_with_verdict_and_ruling(tmp_path: Path) -> None:
    dark = RULES.replace("set(lit(O), yes)", "set(lit(O), no)")
    said = diff(folder(tmp_path / "a"), folder(tmp_path / "b", rules=dark))
    assert "verdict never_on on one: violated -> holds: The lamp is never on.\n    1. alice: light(lamp)\n" in said
    assert "    => lit(lamp) = yes (left), lit(lamp) = no (right)\n" in said
    assert "      lit(lamp)  yes    no   <-\n" in said
    assert "  left   as ruled\n  right  fails at step 1: expected now(lit(lamp), yes)" in said
    assert said.endswith("1 changed verdict; 1 flipped ruling; behaviour changed\n")


@pytest.mark.parametrize(
    ("forbid", "code"),
    [("added", 0), ("removed", 0), ("changed", 1), ("verdict", 1), ("ruling", 1)],
)
def test_gate(tmp_path: Path, forbid: str, code: int) -> None:
    dark = RULES.replace("set(lit(O), yes)", "set(lit(O), no)")
    result = run("diff", folder(tmp_path / "a"), folder(tmp_path / "b", rules=dark), "--forbid", forbid)
    assert result.return_value == code
    assert (f"forbidden, and found: {forbid}\n" in result.stderr) == bool(code)


def test_rulings_on_other_boards_are_not_played_and_cannot_be_forbidden(tmp_path: Path) -> None:
    dark = RULES.replace("set(lit(O), yes)", "set(lit(O), no)")
    sides = (folder(tmp_path / "a"), folder(tmp_path / "b", rules=dark))
    for side in sides:
        (side / "boards" / "two.toml").write_text(BOARD, encoding="utf-8")

    assert "ruling lit_stays (derived)" in diff(*sides, "-b", "one", "--only", "rulings")
    assert "\nrulings: none on the boards to compare on\n" in diff(*sides, "-b", "two", "--only", "rulings")
    with pytest.raises(InputError, match="--forbid ruling needs a ruling; neither side has one on the boards to"):
        raise run("diff", *sides, "-b", "two", "--forbid", "ruling").exception or AssertionError


@pytest.mark.parametrize(("forbid", "forth", "back"), [("added", 1, 0), ("removed", 0, 1), ("changed", 0, 0)])
def test_gate_on_what_is_legal(tmp_path: Path, forbid: str, forth: int, back: int) -> None:
    """An action that the right side adds is one that the left side lacks, the other way round."""
    less, more = folder(tmp_path / "a"), folder(tmp_path / "b", rules=RULES + OFF)
    found = [run("diff", *sides, "--forbid", forbid).return_value for sides in ((less, more), (more, less))]
    assert found == [forth, back]


def test_verdicts_that_a_check_found_are_not_decided_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each side was checked before; what the diff asks is then known, and no engine is asked."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    less, more = folder(tmp_path / "a"), folder(tmp_path / "b", rules=RULES + OFF)
    for side in (less, more):
        CliRunner().invoke(cli, ["check", str(side), "--jobs", "1"], standalone_mode=False)
    monkeypatch.setattr(check, "engine", NoEngine)
    asked = ["diff", str(less), str(more), "--only", "verdicts", "--jobs", "1"]
    result = CliRunner().invoke(cli, asked, standalone_mode=False)
    assert result.exception is None
    assert "verdicts: the same on every board\n" in result.stdout


def test_a_gate_on_what_stays_undecided_is_neither_passed_nor_failed(tmp_path: Path) -> None:
    left, right = folder(tmp_path / "a"), folder(tmp_path / "b", rules=RULES + OFF)
    result = run("diff", left, right, "--forbid", "removed", "--only", "behaviour", "--seconds", "0")
    assert result.return_value == 3
    assert "not exhausted: one (time limit of 0 s reached)" in result.stdout


@pytest.mark.parametrize("forbid", ["verdict", "ruling", "added", "removed", "changed"])
def test_what_is_not_looked_into_cannot_be_forbidden(tmp_path: Path, forbid: str) -> None:
    result = run("diff", folder(tmp_path / "a"), folder(tmp_path / "b"), "--only", "clauses", "--forbid", forbid)
    assert isinstance(result.exception, InputError)
    assert f"--forbid {forbid} needs " in str(result.exception)


def test_a_verdict_that_stays_undecided_is_said_and_passes_no_gate(tmp_path: Path) -> None:
    left, right = folder(tmp_path / "a"), folder(tmp_path / "b", rules=RULES + OFF)
    result = run("diff", left, right, "--only", "verdicts", "--seconds", "0", "--forbid", "verdict")
    assert result.return_value == 3
    assert "verdicts: undecided on either side, or both: never_on on one\n" in result.stdout
    assert result.stdout.endswith("\n\n1 undecided verdict\n")


def test_a_property_that_asks_less_is_said(tmp_path: Path) -> None:
    """Its verdict may well be the same: one that asks nothing holds."""
    tame = RULES.replace("set(lit(O), yes)", "set(lit(O), no)")
    less = tame.replace("now(lit(O), yes).", "now(lit(O), yes), now(lit(O), no).")
    assert less != tame
    said = diff(folder(tmp_path / "a", rules=tame), folder(tmp_path / "b", rules=less))
    assert "properties that ask something else: never_on\nverdicts: the same on every board\n" in said
    assert said.endswith("\n\n1 property asks something else\n")


@pytest.mark.parametrize(("forbid", "code"), [("verdict", 3), ("changed", 3), ("ruling", 0)])
def test_a_board_that_was_not_compared_passes_no_gate(tmp_path: Path, forbid: str, code: int) -> None:
    other = BOARD + '\n[objects.odd]\ncard = "odd"\n'
    right = folder(tmp_path / "b", board=other)
    (right / "cards").mkdir(exist_ok=True)
    odd = '[odd]\nsource = "the test"\ntitle = { en = "Odd" }\ntext = { en = "Odd." }\n[odd.facts]\n'
    (right / "cards" / "odd.toml").write_text(odd, encoding="utf-8")
    result = run("diff", folder(tmp_path / "a"), right, "--forbid", forbid)
    assert result.return_value == code
    assert result.stdout.endswith("\n\n1 board not compared; 1 board laid out otherwise\n")
    assert "the same on every board that was compared\n" in result.stdout


@pytest.mark.parametrize(("forbid", "code"), [("added", 3), ("removed", 3), ("changed", 1)])
def test_boards_that_only_one_side_starts_from_are_not_called_the_same(tmp_path: Path, forbid: str, code: int) -> None:
    lit = RULES.replace("initially(lit(O), no)", "initially(lit(O), (no; yes))")
    assert lit != RULES
    result = run("diff", folder(tmp_path / "a"), folder(tmp_path / "b", rules=lit), "--forbid", forbid)
    assert result.return_value == code
    assert "not exhausted: one (boards that only one side starts from)\n" in result.stdout
    assert "tells the two apart" not in result.stdout


def test_what_one_side_alone_has_is_a_change(tmp_path: Path) -> None:
    more = RULES + "fluent(warm(O), (no; yes)) :- lamp(O).\ninitially(warm(O), no) :- lamp(O).\n"
    result = run("diff", folder(tmp_path / "a"), folder(tmp_path / "b", rules=more), "--forbid", "changed")
    assert result.return_value == 1
    assert "tells the two apart by what both have\n" in result.stdout


def test_a_board_is_compared_as_either_side_lays_it_out(tmp_path: Path) -> None:
    """A change of the rules cannot hide behind a board that is cut down with it."""
    dark = RULES.replace("set(lit(O), yes) :-", "set(lit(O), yes) :- not object(lamp_2),")
    assert dark != RULES
    left = folder(tmp_path / "a", board=BOARD + "\n[objects.lamp_2]\n")
    said = diff(left, folder(tmp_path / "b", rules=dark), "--forbid", "changed")
    assert "  board one (as the left lays it out), 1 step\n" in said
    assert said.endswith("behaviour changed; 1 board laid out otherwise\n")


def test_without_a_board_nothing_is_called_the_same(tmp_path: Path) -> None:
    left, right = folder(tmp_path / "a"), folder(tmp_path / "b", rules=RULES + OFF)
    for side in (left, right):
        (side / "boards" / "one.toml").unlink()
        (side / "rulings" / "all.toml").unlink()
    result = run("diff", left, right, "--forbid", "changed")
    assert isinstance(result.exception, InputError)
    assert "neither side has a board; name one with --board" in str(result.exception)
    assert diff(left, right, "--only", "clauses").endswith("\n\nno change\n")


def test_a_remark_in_a_board_is_no_other_layout(tmp_path: Path) -> None:
    said = diff(folder(tmp_path / "a"), folder(tmp_path / "b", board="# a remark\n" + BOARD))
    assert said.endswith("\n\nno change\n")


def test_clauses_are_added_removed_reworded_and_renumbered(tmp_path: Path) -> None:
    book = RULEBOOK + '\n[versions."2"]\nclauses = "two.toml"\n\n[versions."2".aliases]\n"1" = "5"\n"2" = ""\n'
    old = CLAUSES + '\n[2]\ntext = { en = "Gone." }\nstatus = "definition"\nwhy = "a name"\n'
    new = CLAUSES.replace("[1]", "[5]").replace("may be lit", "can be lit")
    place = folder(tmp_path / "a", rulebook=book, clauses=old)
    more = '\n[6]\ntext = { en = "New." }\nstatus = "definition"\nwhy = "a name"\n'
    (place / "two.toml").write_text(new + more, encoding="utf-8")
    changes = json.loads(diff(f"{place}@1", f"{place}@2", "-f", "json", "--only", "clauses"))["clauses"]
    assert [(c["what"], c["left"], c["right"]) for c in changes] == [
        ("renumbered", "1", "5"),
        ("reworded", "1", "5"),
        ("added", None, "6"),
        ("removed", "2", None),
    ]


def test_readings_can_be_compared(tmp_path: Path) -> None:
    slow = RULES.replace("set(lit(O), yes) :-", "set(lit(O), yes) :- reading(speed, fast),")
    place = folder(tmp_path / "a", rules=slow)
    said = diff(place, f"{place}+speed=fast", "--only", "behaviour")
    assert "    => lit(lamp) = no (left), lit(lamp) = yes (right)\n" in said


MOOD = '\n[readings.mood]\nvalues = ["calm", "wild"]\ndefault = "calm"\nquestion = { en = "How calm?" }\n'


def test_a_board_that_one_side_lacks_is_said(tmp_path: Path) -> None:
    """It is compared all the same, as the side lays it out that has it."""
    less, more = folder(tmp_path / "a"), folder(tmp_path / "b")
    (more / "boards" / "two.toml").write_text(BOARD, encoding="utf-8")
    assert f"right  {more}\nboards that one side lacks: two on the right\n\n" in diff(less, more)
    assert "lacks: two on the left\n" in (said := diff(more, less))
    assert said.endswith("\n1 board on one side only\n")


def test_the_version_taken_is_named_where_there_are_others(tmp_path: Path) -> None:
    book = RULEBOOK + '\n[versions."2"]\nclauses = "clauses.toml"\n'
    place = folder(tmp_path / "a", rulebook=book)
    assert diff(place, f"{place}@2").startswith(f"left   {place} (version 1 of 1, 2)\nright  {place}@2\n")


def test_a_reading_that_is_declared_otherwise_is_said(tmp_path: Path) -> None:
    """It makes no difference while its default is taken, and trips no gate."""
    more = folder(tmp_path / "b", rulebook=RULEBOOK + MOOD)
    result = run("diff", folder(tmp_path / "a"), more, "--forbid", "changed")
    assert "\nreading mood: not there (left), calm by default, wild (right)\n" in result.stdout
    assert (result.stdout.splitlines()[-1], result.return_value) == ("1 reading declared otherwise", 0)
    wilder = folder(tmp_path / "c", rulebook=RULEBOOK + MOOD.replace('default = "calm"', 'default = "wild"'))
    said = diff(more, wilder)
    assert "reading mood: calm by default, wild (left), calm, wild by default (right)\n" in said
    assert diff(more, more).endswith("\nno change\n")


def test_many_new_numbers_are_only_counted(tmp_path: Path) -> None:
    """What else changed is listed first; all are where only clauses are asked for."""
    clause = '["{}"]\ntext = {{ en = "Rule {}." }}\nstatus = "definition"\nwhy = "a word"\n'
    old, new = ("".join(clause.format(n + shift, n) for n in range(10, 40)) for shift in (0, 100))
    new = new.replace("Rule 39", "Law 39")
    book = RULEBOOK + '\n[versions."2"]\nclauses = "two.toml"\n\n[versions."2".aliases]\n'
    book += "".join(f'"{n}" = "{n + 100}"\n' for n in range(10, 40))
    place = folder(tmp_path / "a", rulebook=book, clauses=CLAUSES + old)
    (place / "two.toml").write_text(CLAUSES + new, encoding="utf-8")

    said = diff(f"{place}@1", f"{place}@2")
    assert "reworded   39 -> 139: Law 39.\n             was: Rule 39.\n  30 clauses have another number: --only" in said
    assert "renumbered 10" not in said
    assert diff(f"{place}@1", f"{place}@2", "--only", "clauses").count("renumbered ") == 30


def test_each_reading_is_changed_alone(tmp_path: Path) -> None:
    """Speed makes a difference by itself; mood only makes one together with it."""
    rules = RULES.replace("set(lit(O), yes) :-", "set(lit(O), V) :- light(V),")
    rules += "light(yes) :- reading(speed, slow).\nlight(no) :- reading(speed, fast), reading(mood, calm).\n"
    rules += "light(yes) :- reading(speed, fast), reading(mood, wild).\n"
    place = folder(tmp_path / "a", rulebook=RULEBOOK + MOOD, rules=rules)
    found = json.loads(diff(place, f"{place}+speed=fast+mood=wild", "-f", "json"))
    assert found["boards"][0]["partings"] == []
    speed, mood = found["readings"]
    assert (speed["open"], mood["open"]) == ("left", "left")
    assert (speed["reading"], speed["left"], speed["right"], speed["boards"]) == ("speed", "slow", "fast", 1)
    assert speed["parting"]["steps"] == ["alice: light(lamp)"]
    assert (mood["reading"], mood["parting"], mood["boards"], mood["why_open"]) == ("mood", None, 0, [])


def test_a_reading_that_one_side_leaves_open_is_changed_too(tmp_path: Path) -> None:
    """Version 2 fixes what 1 takes by default: the other value that 1 allows is what goes."""
    book = RULEBOOK + '\n[versions."2"]\nclauses = "clauses.toml"\n\n[versions."2".readings]\nspeed = "slow"\n'
    rules = RULES.replace("set(lit(O), yes) :-", "set(lit(O), yes) :- reading(speed, fast),")
    place = folder(tmp_path / "a", rulebook=book, rules=rules)
    forth, back = (
        json.loads(diff(f"{place}@{a}", f"{place}@{b}", "-f", "json"))["readings"] for a, b in (("1", "2"), ("2", "1"))
    )
    assert [(c["left"], c["right"], c["open"], c["boards"]) for c in forth] == [("fast", "slow", "left", 1)]
    assert [(c["left"], c["right"], c["open"], c["boards"]) for c in back] == [("slow", "fast", "right", 1)]
    assert "speed alone, fast -> slow, left open on the left: on 1 board\n" in diff(f"{place}@1", f"{place}@2")


def test_a_board_that_one_side_cannot_load_is_named(tmp_path: Path) -> None:
    left, right = folder(tmp_path / "a"), folder(tmp_path / "b", board=BOARD + '\n[readings]\nmood = "good"\n')
    text = (right / "rulebook.toml").read_text(encoding="utf-8")
    mood = '\n[readings.mood]\nvalues = ["good", "bad"]\ndefault = "good"\nquestion = { en = "?" }\n'
    (right / "rulebook.toml").write_text(text + mood, encoding="utf-8")
    said = diff(left, right, "--only", "behaviour")
    assert "board one was not compared: " in said
    assert "not exhausted: one\n" in said


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["toy"], "name two rulebooks to compare, or one with --git REV..REV"),
        (["a", "b+speed"], '"+speed" in "b+speed" is not +READING=VALUE'),
        (["a", "a+speed=warp"], 'reading "speed" has no value "warp"; expected one of slow, fast'),
        (["a", "b", "--git", "x..y"], "with --git there is one rulebook, whose revisions are compared"),
        (["a", "--git", "main"], '--git "main" is not REV..REV, such as main..HEAD or main..'),
        (["a", "b", "--engine", "steam"], 'there is no engine "steam"; '),
        (["a", "b", "--lang", "fr"], 'toy is not told in "fr"; expected one of en'),
        (["a", "--git", "main...HEAD"], '--git "main...HEAD" is not REV..REV, such as main..HEAD or main..'),
        (["a", "b", "--board", "two"], 'there is no board "two"; expected one of one'),
    ],
)
def test_wrong_arguments(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: list[str], message: str) -> None:
    folder(tmp_path / "a")
    folder(tmp_path / "b")
    monkeypatch.chdir(tmp_path)
    result = run("diff", *arguments)
    assert isinstance(result.exception, InputError)
    assert message in str(result.exception)


def git(place: Path, *arguments: str) -> str:
    who = ["-c", "user.name=t", "-c", "user.email=t@example.org", "-c", "commit.gpgsign=false"]
    return subprocess.run(["git", *who, *arguments], cwd=place, check=True, capture_output=True, text=True).stdout


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """A repository whose rulebook was committed twice, the second time with an action more."""
    git(tmp_path, "init", "-q", "-b", "main")
    for rules in (RULES, RULES + OFF):
        folder(tmp_path / "book", rules=rules)
        git(tmp_path, "add", ".")
        git(tmp_path, "commit", "-q", "-m", "rules")
    return tmp_path


def test_revisions_are_compared_and_their_worktrees_removed(repository: Path) -> None:
    result = run("diff", repository / "book", "--git", "HEAD~1..HEAD", "--forbid", "added")
    assert result.return_value == 1
    assert result.stdout.endswith("\n\nbehaviour added\n")
    assert len(git(repository, "worktree", "list").splitlines()) == 1


def test_the_working_tree_is_the_empty_right_end(repository: Path) -> None:
    (repository / "book" / "main.lp").write_text(RULES, encoding="utf-8")
    result = run("diff", repository / "book", "--git", "HEAD..")
    book = repository / "book"
    assert result.stdout.startswith(f"left   {book} at HEAD\nright  {book} in the working tree\n")
    assert result.stdout.endswith("\n\nbehaviour removed\n")


def test_an_unknown_revision_is_refused(repository: Path) -> None:
    result = run("diff", repository / "book", "--git", "nowhere..HEAD")
    assert isinstance(result.exception, InputError)
    assert "nowhere" in str(result.exception)
    assert len(git(repository, "worktree", "list").splitlines()) == 1


def test_a_revision_has_the_rules_that_it_names_itself(repository: Path) -> None:
    """Both files of rules are there in both revisions, and only which of them counts is changed."""
    book = repository / "book"
    (book / "draft.lp").write_text(RULES, encoding="utf-8")
    git(repository, "add", ".")
    git(repository, "commit", "-q", "-m", "draft")
    named = (book / "rulebook.toml").read_text(encoding="utf-8")
    (book / "rulebook.toml").write_text(named.replace("main.lp", "draft.lp"), encoding="utf-8")
    git(repository, "commit", "-q", "-a", "-m", "the draft counts")
    assert diff(book, "--git", "HEAD~1..HEAD").endswith("\n\nbehaviour removed\n")
    assert diff(book, "--git", "HEAD~1..").endswith("\n\nbehaviour removed\n")


def test_a_hook_commits_what_it_was_to_commit(repository: Path) -> None:
    """Git tells hooks its index in the environment; a worktree made there would otherwise empty it."""
    (repository / "book" / "main.lp").write_text(RULES, encoding="utf-8")
    hook = repository / ".git" / "hooks" / "pre-commit"
    hook.parent.mkdir(exist_ok=True)
    root = Path(__file__).parents[2]
    command = f'PYTHONPATH="{root}" "{sys.executable}" -m checker diff book --git HEAD.. --only clauses'
    hook.write_text(f"#!/bin/sh\n{command}\n", encoding="utf-8")
    hook.chmod(0o755)
    git(repository, "commit", "-q", "-a", "-m", "darker")
    assert git(repository, "show", "--format=", "--name-only", "HEAD").split() == ["book/main.lp"]
    assert git(repository, "status", "--porcelain") == ""


def test_no_hook_runs_for_what_is_only_looked_at(repository: Path) -> None:
    hook = repository / ".git" / "hooks" / "post-checkout"
    hook.parent.mkdir(exist_ok=True)
    hook.write_text("#!/bin/sh\nexit 1\n", encoding="utf-8")
    hook.chmod(0o755)
    assert diff(repository / "book", "--git", "HEAD~1..HEAD", "--only", "clauses").endswith("\n\nno change\n")


def test_a_revision_is_no_option_of_git(repository: Path) -> None:
    result = run("diff", repository / "book", "--git=--help..")
    assert isinstance(result.exception, InputError)
    assert 'there is no revision "--help" in ' in str(result.exception)


def test_what_is_wrong_at_a_revision_is_said_with_the_revision(repository: Path) -> None:
    (repository / "book" / "main.lp").write_text("wrong(\n", encoding="utf-8")
    git(repository, "commit", "-q", "-a", "-m", "wrong")
    (repository / "book" / "main.lp").write_text(RULES, encoding="utf-8")
    result = run("diff", repository / "book", "--git", "HEAD..")
    assert isinstance(result.exception, InputError)
    assert str(result.exception).startswith("HEAD:book/main.lp:")
    assert len(git(repository, "worktree", "list").splitlines()) == 1
