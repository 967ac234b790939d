"""`equipoise baseline`: violations are written into a baseline, and nothing else in it is touched."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.ci.game import DETACH, break_it, edit, run, start

WHY = ("--reason", 'being "rewritten"', "--until", "9999-12-31")


@pytest.fixture
def broken(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The game with a blade that stays on two units."""
    monkeypatch.chdir(tmp_path)
    return break_it(start(tmp_path / "swords"))


def test_what_was_written_is_accepted(broken: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("check", broken) == 1
    capsys.readouterr()
    assert run("baseline", broken, "known.toml", *WHY) == 0
    assert capsys.readouterr().out == (
        "accepted until 9999-12-31: on_one_unit on two_units: No gear is on two units.\n"
        "1 added to known.toml, which had 0\n"
    )
    assert Path("known.toml").read_text(encoding="utf-8") == (
        '# No gear is on two units.\n[[accepted]]\nrulebook = "swords@1"\nproperty = "on_one_unit"\n'
        'board = "two_units"\nreason = "being \\"rewritten\\""\nexpires = 9999-12-31\n'
    )
    assert run("check", broken, "--baseline", "known.toml") == 0


def test_only_what_is_new_is_added(broken: Path) -> None:
    run("baseline", broken, "known.toml", *WHY)
    before = Path("known.toml").read_text(encoding="utf-8") + "# a remark"
    Path("known.toml").write_text(before, encoding="utf-8")
    (broken / "boards" / "again.toml").write_bytes((broken / "boards" / "two_units.toml").read_bytes())

    assert run("baseline", broken, "known.toml", "--reason", "later", "--until", "9999-01-01") == 0
    after = Path("known.toml").read_text(encoding="utf-8")
    assert after.startswith(before + "\n\n")
    assert after.count("[[accepted]]") == 2
    assert 'board = "again"\nreason = "later"\nexpires = 9999-01-01\n' in after
    assert run("check", broken, "--baseline", "known.toml") == 0


def test_what_is_in_vain_is_said(broken: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run("baseline", broken, "known.toml", *WHY)
    with (broken / "rules" / "attach.lp").open("a", encoding="utf-8") as rules:
        rules.write(DETACH.replace("%@ 1.a", "%@ 1"))
    before = Path("known.toml").read_text(encoding="utf-8")
    capsys.readouterr()

    assert run("baseline", broken, "known.toml", *WHY) == 1
    said = capsys.readouterr()
    assert "known.toml:4:1: accepts what is no longer violated; take the entry out\n" in said.err
    assert said.out == "0 added to known.toml, which had 1\n"
    assert Path("known.toml").read_text(encoding="utf-8") == before


def test_an_entry_past_its_day_is_not_renewed(broken: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run("baseline", broken, "known.toml", *WHY)
    edit(Path("known.toml"), "9999", "2020")
    capsys.readouterr()

    assert run("baseline", broken, "known.toml", *WHY) == 1
    said = capsys.readouterr()
    assert 'known.toml:4:1: was accepted until 2020-12-31: being "rewritten"\n' in said.err
    assert said.out == "0 added to known.toml, which had 1\n"


def test_what_is_undecided_is_not_accepted(broken: Path) -> None:
    assert run("baseline", broken, "known.toml", *WHY, "-e", "asp", "-p", "every_rule") == 3
    assert not Path("known.toml").exists()


WRONG: dict[str, tuple[list[str], str]] = {
    "no reason": (["--until", "9999-12-31"], "Missing option '--reason'"),
    "an empty one": (["--reason", " ", "--until", "9999-12-31"], "--reason is empty"),
    "no day": (["--reason", "soon"], "Missing option '--until'"),
    "a day that is over": (["--reason", "soon", "--until", "2020-01-01"], "--until 2020-01-01 is over"),
    "no day at all": (["--reason", "soon", "--until", "soon"], "'soon' does not match the format"),
}


@pytest.mark.parametrize("case", WRONG)
def test_nothing_is_accepted_without_a_reason_and_a_day(
    broken: Path, case: str, capsys: pytest.CaptureFixture[str]
) -> None:
    options, message = WRONG[case]

    assert run("baseline", broken, "known.toml", *options) == 2
    assert message in capsys.readouterr().err
    assert not Path("known.toml").exists()


def test_a_file_that_cannot_be_written_is_said(broken: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("baseline", broken, "none/known.toml", *WHY) == 2
    assert "none/known.toml: cannot be written: No such file or directory" in capsys.readouterr().err
