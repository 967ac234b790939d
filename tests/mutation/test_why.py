"""Rules left out: which ones a property rests on, and what falls with a clause."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from checker.cli import cli
from checker.errors import InputError
from checker.mutation.why import falls, needs, to_text
from checker.mutation.workbench import opened
from tests.mutation.lamps import RULES, write_lamps

SAFE = RULES.replace(
    "violated(never_on, O) :- now(lit(O), yes), now(fuse, mended).",
    "violated(never_on, O) :- now(lit(O), yes), now(fuse, whole).",
).replace("(whole; mended)) } = 1", "mended) } = 1")
"""A lamp is lit under a whole fuse only if lighting does not blow it."""


def test_a_property_rests_on_the_rules_without_which_it_breaks(tmp_path: Path) -> None:
    where = str(write_lamps(tmp_path, SAFE))

    found = needs(where, "never_on", ["one"], (), "en", 1)

    assert [(c.rules[0].clauses, c.rules[0].line, c.was, c.now) for c in found.changes] == [
        (("2",), 16, "holds", "violated")
    ]
    assert found.changes[0].game == ("alice: light(lamp)",)
    assert not found.changes[0].lost
    assert (found.tried, found.spared) == (2, 5)
    assert [source.line for source in found.refused] == [10]
    (lean,) = found.leaning
    assert (lean.board, lean.how, [source.line for source in lean.rules]) == ("one", "induction", [16])
    said = to_text(opened(where)[0], found, "en").splitlines()
    assert said[-3] == f"the proof on one (induction) leans on 2 in {lean.rules[0].file}:16"
    assert said[-1].endswith("; 5 more not tried, since no proof leans on them")


def test_what_a_proof_spares_is_not_load_bearing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Trying every rule finds the same changes."""
    for number, rules in enumerate((SAFE, SAFE.replace("by(fix, game) :- now", "by(fix, bob) :- now"), RULES)):
        where = str(write_lamps(tmp_path / str(number), rules))
        quick = needs(where, "never_on", ["one"], (), "en", 1)
        with monkeypatch.context() as patch:
            patch.setattr("checker.mutation.why.leaning", lambda *_: None)
            slow = needs(where, "never_on", ["one"], (), "en", 1)
        assert quick.changes == slow.changes
        assert slow.tried == quick.tried + quick.spared
        assert (slow.leaning, slow.spared) == ((), 0)


def test_a_violation_rests_on_rules_too(tmp_path: Path) -> None:
    """Without any of the rules of its game it goes away; the game is the one that is lost."""
    where = str(write_lamps(tmp_path))

    found = needs(where, "never_on", ["one"], (), "en", 1)

    assert [c.rules[0].id for c in found.changes] == [1, 2, 3, 5, 6]
    assert {(c.was, c.now, c.lost) for c in found.changes} == {("violated", "holds", True)}
    assert {c.game for c in found.changes} == {("alice: light(lamp)", "game: fix")}


def test_a_clause_is_left_out_with_all_its_rules(tmp_path: Path) -> None:
    where = str(write_lamps(tmp_path, SAFE))

    found = falls(where, "2", ["one"], (), "en", 1)

    assert [[s.line for s in c.rules] for c in found.changes] == [[16, 18]]
    text = to_text(opened(where)[0], found, "en")
    assert text.splitlines()[0] == "never_on: The lamp is never on."
    assert "holds; violated without" in text
    assert "shortest game, 1 step:" in text
    assert text.endswith("1 change; 1 rule or set of rules left out\n")


def test_a_clause_that_keeps_nothing_changes_nothing(tmp_path: Path) -> None:
    """Without lighting no lamp is lit."""
    assert falls(str(write_lamps(tmp_path, SAFE)), "1", ["one"], (), "en", 1).changes == ()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["never_of"], 'there is no property "never_of"; did you mean "never_on"?'),
        (["--clause", "7"], 'version 1 has no clause "7"'),
        ([], "name either a PROPERTY or a --clause"),
        (["never_on", "--clause", "1"], "name either a PROPERTY or a --clause"),
        (["never_on", "-b", "two"], 'there is no board "two"'),
    ],
)
def test_what_does_not_exist_is_refused(tmp_path: Path, arguments: list[str], message: str) -> None:
    folder = str(write_lamps(tmp_path))

    with pytest.raises(InputError, match=message.replace("?", r"\?")):
        CliRunner().invoke(cli, ["why", folder, "-j", "1", *arguments], standalone_mode=False, catch_exceptions=False)


@pytest.mark.parametrize("command", [["why", "dark"], ["bugs"]])
def test_a_language_without_texts_is_refused(tmp_path: Path, command: list[str]) -> None:
    name, *more = command
    result = CliRunner().invoke(cli, [name, str(write_lamps(tmp_path)), *more, "--lang", "xx"], standalone_mode=False)
    assert isinstance(result.exception, InputError)
    assert 'is not told in "xx"; expected ' in str(result.exception)
