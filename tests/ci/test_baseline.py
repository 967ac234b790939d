"""`check --baseline`: what is accepted for now passes, anything else does not."""

from __future__ import annotations

import json
from datetime import date
from pathlib import Path

import pytest

from checker.ci.baseline import Accepted, accept, load_baseline
from checker.errors import Position
from checker.rulebook.load import load_rulebook
from tests.ci.game import break_it, run, start
from tests.report.hats import document as summarised

ENTRY = """\
[[accepted]]
property = "on_one_unit"
board = "two_units"
reason = "clause 1.a is being rewritten"
expires = 9999-12-31
"""


def checked(folder: Path, text: str, *more: str) -> int:
    """Check the game in a folder against a baseline; return the exit code."""
    file = folder.parent / "baseline.toml"
    file.write_text(text, encoding="utf-8")
    return run("check", folder, "--baseline", file, "-f", "json", *more)


@pytest.fixture
def broken(tmp_path: Path) -> Path:
    """The game with a blade that stays on two units."""
    return break_it(start(tmp_path / "swords"))


def verdict(output: str) -> tuple[str, str]:
    """Return status and finding of on_one_unit in a JSON result."""
    (board,) = json.loads(output)["rulebooks"][0]["boards"]
    (found,) = (p for p in board["properties"] if p["name"] == "on_one_unit")
    return found["status"], found["finding"]


def test_an_accepted_violation_is_a_known_finding(
    broken: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(broken.parent)

    assert checked(broken, ENTRY) == 0
    said = capsys.readouterr()
    assert verdict(said.out) == (
        "known finding",
        "accepted until 9999-12-31: clause 1.a is being rewritten (baseline.toml:2:1)",
    )
    assert said.err == ""


def test_fail_fast_goes_on_after_an_accepted_violation(broken: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (broken / "boards" / "again.toml").write_bytes((broken / "boards" / "two_units.toml").read_bytes())
    both = ENTRY + ENTRY.replace("two_units", "again")

    assert checked(broken, both, "-x", "-j", "1") == 0
    assert len(json.loads(capsys.readouterr().out)["rulebooks"][0]["boards"]) == 2


def test_a_new_violation_fails_beside_an_accepted_one(broken: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with (broken / "rules" / "properties.lp").open("a", encoding="utf-8") as rules:
        rules.write("violated(calm) :- now(in(_), trash).\n")
    with (broken / "rulebook.toml").open("a", encoding="utf-8") as rulebook:
        rulebook.write('[[properties]]\nname = "calm"\nkind = "invariant"\ntitle = { en = "Nobody dies." }\n')

    assert checked(broken, ENTRY) == 1
    assert "VIOLATED: Nobody dies." in capsys.readouterr().err


def test_an_expired_entry_fails_and_says_so(
    broken: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(broken.parent)

    assert checked(broken, ENTRY.replace("9999", "2020")) == 1
    said = capsys.readouterr()
    assert verdict(said.out)[0] == "violated"
    assert "  baseline.toml:2:1: was accepted until 2020-12-31: clause 1.a is being rewritten\n" in said.err


def test_the_last_day_counts(broken: Path) -> None:
    file = broken.parent / "baseline.toml"
    file.write_text(ENTRY, encoding="utf-8")
    books = [load_rulebook(str(broken))]

    assert not load_baseline(file, books, date(9999, 12, 31))[0].expired
    file.write_text(ENTRY.replace("9999", "2020"), encoding="utf-8")
    assert not load_baseline(file, books, date(2020, 12, 31))[0].expired
    assert load_baseline(file, books, date(2021, 1, 1))[0].expired


def test_a_vanished_entry_fails_and_says_so(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)

    assert checked(start(tmp_path / "swords"), ENTRY) == 1
    said = capsys.readouterr()
    assert verdict(said.out)[0] == "finding vanished"
    assert "  baseline.toml:2:1: accepts what is no longer violated; take the entry out\n" in said.err


def test_what_is_undecided_has_not_vanished(tmp_path: Path) -> None:
    assert checked(start(tmp_path / "swords"), ENTRY, "-e", "asp", "--seconds", "0") == 3


def test_an_entry_of_another_rulebook_is_let_be(tmp_path: Path, broken: Path) -> None:
    other = ENTRY.replace("[[accepted]]", '[[accepted]]\nrulebook = "shields"')

    assert checked(start(tmp_path / "whole"), other) == 0
    assert checked(broken, other) == 1


@pytest.mark.parametrize(("rulebook", "code"), [("swords", 0), ("swords@1", 0), ("swords@2", 1)])
def test_an_entry_may_be_about_one_version(broken: Path, rulebook: str, code: int) -> None:
    assert checked(broken, ENTRY.replace("[[accepted]]", f'[[accepted]]\nrulebook = "{rulebook}"')) == code


WRONG = {
    "no such property": (
        ENTRY.replace("on_one_unit", "on_one_unti"),
        'baseline.toml:2:1: there is no property "on_one_unti"; did you mean "on_one_unit"?',
    ),
    "no such board": (
        ENTRY.replace("two_units", "two_unit"),
        'baseline.toml:3:1: there is no board "two_unit"; did you mean "two_units"?',
    ),
    "wanted somewhere": (
        ENTRY.replace("on_one_unit", "worn"),
        "baseline.toml:2:1: worn is of kind sometimes, which no single board violates",
    ),
    "a date in quotes": (
        ENTRY.replace("9999-12-31", '"9999-12-31"'),
        "baseline.toml:5:1: expires is not a date; expected one without quotes, such as 2027-01-31",
    ),
    "a time": (
        ENTRY.replace("9999-12-31", "9999-12-31T10:00:00"),
        "baseline.toml:5:1: expires is not a date; expected one without quotes, such as 2027-01-31",
    ),
    "an empty reason": (ENTRY.replace("clause 1.a is being rewritten", "  "), "expected why this is accepted"),
    "no reason": (ENTRY.replace('reason = "clause 1.a is being rewritten"\n', ""), "accepted.0 lacks reason"),
    "twice": (ENTRY + ENTRY, "baseline.toml:7:1: on_one_unit on two_units is already accepted"),
    "unknown key": (ENTRY + 'until = "never"\n', "baseline.toml:6:1: unknown key accepted.0.until"),
}


@pytest.mark.parametrize("case", WRONG)
def test_a_wrong_baseline_is_refused_before_anything_is_checked(
    broken: Path, case: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    text, message = WRONG[case]
    monkeypatch.chdir(broken.parent)

    assert checked(broken, text) == 2
    said = capsys.readouterr()
    assert message in said.err
    assert said.out == ""


def test_what_the_rulebook_expects_itself_is_refused(broken: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with (broken / "rulebook.toml").open("a", encoding="utf-8") as rulebook:
        rulebook.write('[[findings]]\nproperty = "on_one_unit"\ntitle = { en = "Known." }\n')

    assert checked(broken, ENTRY) == 2
    assert "swords itself already expects on_one_unit on two_units" in capsys.readouterr().err


def test_a_missing_file_is_refused(broken: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("check", broken, "--baseline", broken / "none.toml") == 2
    assert "none.toml: no such file" in capsys.readouterr().err


@pytest.mark.parametrize("expired", [False, True])
def test_an_entry_is_told_in_the_language_of_the_report(expired: bool) -> None:
    """Violated and accepted, violated and no longer accepted, and accepted in vain."""
    (board,) = summarised("fr").rulebooks[0].boards
    day, place = date(2030, 1, 2), Position("b.toml", 4, 1)
    entries = [Accepted(None, name, "kennel", "why", day, expired, place) for name in ("one_head", "worn")]
    found = {p.name: p for p in accept(board, entries, "fr").properties}

    if expired:
        assert found["one_head"].note == "b.toml:4:1\u00a0: était accepté jusqu'au 2030-01-02\u00a0: why"
    else:
        assert found["one_head"].finding == "accepté jusqu'au 2030-01-02\u00a0: why (b.toml:4:1)"
    vain = "b.toml:4:1\u00a0: accepte ce qui n'est plus enfreint\u202f; retirer l'entrée"
    assert (found["worn"].status, found["worn"].note) == ("finding vanished", vain)
