"""Rulings are games: each kind of step can pass, and each can fail with what was there instead."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from checker.errors import InputError
from checker.pipeline import read_rules
from checker.rulebook.load import load_rulebook
from checker.rulings.load import load_rulings
from checker.rulings.play import play
from checker.rulings.report import to_text
from tests.toybook import RULES, write_toy

HEAD = '[r1]\ntitle = { en = "Light it" }\nsource = "the manual"\nstatus = "official"\nboard = "one"\n'
SPARK = (
    RULES
    + """\
%@ 1
event(spark(O)) :- occurs(light(O)).
fluent(fuse(O), (whole; blown)) :- lamp(O).
initially(fuse(O), whole) :- lamp(O).
%@ 1
{ set(fuse(O), (whole; blown)) } = 1 :- event(spark(O)).
"""
)


def failure(folder: Path, steps: str, rules: str = RULES) -> str | None:
    """Play one ruling with these steps; return "step: expected; actual", or None if it passed."""
    write_toy(folder, rules=rules)
    (folder / "rulings").mkdir()
    (folder / "rulings" / "basic.toml").write_text(HEAD + steps, encoding="utf-8")
    book = load_rulebook(str(folder))
    (played,) = play(book, read_rules(book), load_rulings(book))
    wrong = played.failure
    return None if wrong is None else f"{wrong.step}: {wrong.expected}; {wrong.actual}"


PASSING = {
    "do and holds": '[[r1.steps]]\ndo = "light(lamp)"\nholds = ["now(lit(lamp), yes)", "now(lit(X), yes)"]\n',
    "fails": '[[r1.steps]]\nfails = ["now(lit(X), yes)"]\n',
    "illegal": '[[r1.steps]]\ndo = "light(lamp)"\n[[r1.steps]]\nillegal = "light(lamp)"\n',
    "first legal of several": (
        '[[r1.steps]]\ndo_any = ["light(alice)", "light(lamp)"]\nholds = ["now(lit(lamp), yes)"]\n'
    ),
}


@pytest.mark.parametrize("case", PASSING)
def test_passing_steps(tmp_path: Path, case: str) -> None:
    """A game that goes as ruled passes."""
    assert failure(tmp_path, PASSING[case]) is None


FAILING = {
    "holds": (
        '[[r1.steps]]\ndo = "light(lamp)"\nholds = ["now(lit(lamp), no)"]\n',
        "1: now(lit(lamp), no); it does not hold; light(lamp) changed lit(lamp) = yes",
    ),
    "fails": (
        '[[r1.steps]]\ndo = "light(lamp)"\n[[r1.steps]]\nfails = ["now(lit(X), yes)"]\n',
        "2: not now(lit(X), yes); it holds; light(lamp) changed lit(lamp) = yes",
    ),
    "illegal": (
        '[[r1.steps]]\nillegal = "light(lamp)"\nbecause = "1"\n',
        "1: light(lamp) is illegal (1); it is legal",
    ),
    "not legal": (
        '[[r1.steps]]\ndo = "light(lamp)"\n[[r1.steps]]\ndo = "light(lamp)"\n',
        "2: light(lamp) is legal; legal are no actions",
    ),
    "event": (
        '[[r1.steps]]\ndo = "light(lamp)"\nevents = ["spark(lamp)"]\n',
        "1: event spark(lamp); events were none",
    ),
}


@pytest.mark.parametrize("case", FAILING)
def test_failing_steps(tmp_path: Path, case: str) -> None:
    """A game that does not go as ruled fails at its step, with what there was instead."""
    steps, message = FAILING[case]

    assert failure(tmp_path, steps) == message


def test_an_open_outcome_must_be_chosen(tmp_path: Path) -> None:
    """Where the rules leave the outcome open a ruling says which it means."""
    steps = '[[r1.steps]]\ndo = "light(lamp)"\n'

    assert failure(tmp_path, steps, SPARK) == (
        "1: light(lamp) has one outcome; the rules leave it open: set(fuse(lamp),blown), set(fuse(lamp),whole)"
    )


def test_a_chosen_outcome_and_its_event(tmp_path: Path) -> None:
    """A choice picks the outcome; events of the step are seen."""
    steps = (
        '[[r1.steps]]\ndo = "light(lamp)"\nchoose = ["set(fuse(lamp), blown)"]\n'
        'holds = ["now(fuse(lamp), blown)"]\nevents = ["spark(lamp)"]\n'
    )

    assert failure(tmp_path, steps, SPARK) is None


def test_an_unknown_action_is_the_rulings_fault(tmp_path: Path) -> None:
    """A misspelt action is no ruling on the rules but an error in the file."""
    with pytest.raises(
        InputError, match=r'basic.toml:1:1: ruling "r1": no action is called lite.lamp.; did you mean "light"'
    ):
        failure(tmp_path, '[[r1.steps]]\nillegal = "lite(lamp)"\n')


@pytest.mark.parametrize(
    ("step", "said"),
    [
        ('illegal = "light(lamp, lamp)"', "light.lamp,lamp. has 2 arguments; expected light/1"),
        ('illegal = "light(lamp"', "illegal has 'light.lamp'; expected a term without variables"),
        ('do = "light(O)"', "do has 'light.O.'; expected a term without variables"),
        ('illegal = "light(lamp)"\nbecause = "7"', 'version 1 has no clause "7", on which the ruling rests'),
        ('holds = ["now(lit(lamp), no)"]\nbecause = "1"', "expected illegal beside it"),
        ('holds = ["now(lit(lamp), no)"]\nchoose = ["set(lit(lamp), no)"]', "expected do or do_any beside it"),
        ('do = "light(lamp)"\ndo_any = ["light(lamp)"]', "expected do or do_any, not both"),
        ("settle = true", "the game asks nothing"),
        ('holds = [" "]', 'ruling "r1": ` ` is not one list of literals'),
        ('holds = ["now(lit(lamp), no). lamp"]', 'ruling "r1": `.*` is not one list of literals'),
        ('do = "light(lamp)"\n[r1.readings]\nspeed = "slo"', 'ruling "r1": reading "speed" has no value "slo"'),
    ],
)
def test_a_step_that_says_nothing_is_refused(tmp_path: Path, step: str, said: str) -> None:
    """What is misspelt, or has no effect, does not pass, and is said with its place."""
    with pytest.raises(InputError, match=rf"basic.toml:\d+:1: .*{said}"):
        failure(tmp_path, f"[[r1.steps]]\n{step}\n")


@pytest.mark.parametrize(
    "step",
    ['illegal = "light(lamb)"', 'fails = ["now(lit(lamb), yes)"]', 'do = "light(lamp)"\nno_events = ["spark(lamb)"]'],
)
def test_a_misspelt_card_does_not_make_a_step_pass(tmp_path: Path, step: str) -> None:
    """What must not be is not shown by naming something that is not there."""
    with pytest.raises(InputError, match=r'nothing on board one is called "lamb"; did you mean "lamp"'):
        failure(tmp_path, f"[[r1.steps]]\n{step}\n")


@pytest.mark.parametrize(
    ("step", "said"),
    [
        ('fails = ["now(litt(lamp), yes)"]', "now speaks of litt/1, but no rule has it as a fluent"),
        ('do = "light(lamp)"\nno_events = ["sprak(lamp)"]', 'event speaks of sprak/1, .* did you mean "spark/1"'),
    ],
)
def test_a_misspelt_fluent_or_event_does_not_make_a_step_pass(tmp_path: Path, step: str, said: str) -> None:
    """What must not be is not shown by naming what no rule speaks of either."""
    with pytest.raises(InputError, match=said):
        failure(tmp_path, f"[[r1.steps]]\n{step}\n", SPARK)


def test_a_ruling_rests_on_clauses_of_the_versions_it_names(tmp_path: Path) -> None:
    """A clause that the version does not have cannot be why the ruling goes so."""
    with pytest.raises(
        InputError, match=r'basic.toml:6:1: version 1 has no clause "7", on which the ruling rests; expected the number'
    ):
        failure(tmp_path, 'clauses = ["1", "7"]\n' + PASSING["fails"])


def test_the_report_counts_and_explains(tmp_path: Path) -> None:
    """The text has a line per status, a column per version, and every failure with the rules that fired."""
    failure(tmp_path, FAILING["holds"][0])
    book = load_rulebook(str(tmp_path))
    played = list(play(book, read_rules(book), load_rulings(book)))
    lines = to_text(played, "en").replace(tmp_path.as_posix(), "").splitlines()

    assert lines[:3] == ["passed             1", "official      0 of 1", "all           0 of 1"]
    assert lines[4:10] == [
        "FAILED r1 (official, version 1): Light it",
        "  source: the manual",
        "  step 1: expected now(lit(lamp), no)",
        "  but it does not hold; light(lamp) changed lit(lamp) = yes",
        "  fired: 1 (/main.lp:7)",
        "  fired: 1 (/main.lp:9)",
    ]
    assert lines[-1] == "1 ruling, 1 game: 0 passed, 1 failed"


def test_columns_of_the_report_stay_apart(tmp_path: Path) -> None:
    """However many games there are."""
    failure(tmp_path, FAILING["holds"][0])
    book = load_rulebook(str(tmp_path))
    (failed,) = play(book, read_rules(book), load_rulings(book))
    many = [replace(failed, failure=None)] * 170 + [failed]
    lines = to_text([*many, *(replace(one, version="2") for one in many)], "en").splitlines()

    assert lines[:3] == [
        "passed               1           2",
        "official    170 of 171  170 of 171",
        "all         170 of 171  170 of 171",
    ]
