"""Where a report points first: clauses whose rules never fire, and what allowed a step that breaks a property."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from checker.engines.protocol import Limits
from checker.report.evidence import behind, tension
from checker.report.html.cases import cases_of
from checker.report.labels import Labels
from checker.report.markdown import further
from checker.report.model import BoardView, ChangeView, Cited, Document, Game, ReadingReport, StepView
from checker.report.render import render
from checker.run import Request, check_all
from tests.toybook import CLAUSES, RULEBOOK, RULES, write_toy

ASKED = (
    RULEBOOK.replace('clauses = ["1"]', 'clauses = ["1", "2"]')
    + """
[[properties]]
name = "never_lit"
kind = "step"
title = { en = "Nobody lights a lamp." }

[[properties]]
name = "every_rule"
kind = "rules_fire"
title = { en = "Every rule fires." }

[[findings]]
property = "never_on"
boards = ["one"]
title = { en = "It may be lit." }
"""
)
SNUFFED = '\n[2]\ntext = { en = "A lit lamp goes out." }\nstatus = "encoded"\n'
MORE = """\
%@ 2
set(lit(O), no) :- occurs(light(O)), now(lit(O), yes).
violated(never_lit, O) :- occurs(light(O)).
"""


def told(folder: Path) -> Document:
    """Check the toy, whose clause 2 has a rule that never fires, on two boards."""
    write_toy(folder, rulebook=ASKED, clauses=CLAUSES + SNUFFED, rules=RULES + MORE)
    (folder / "boards" / "two.toml").write_text(
        'purpose = "Two."\n\n[objects.lamp]\n[objects.lump]\n', encoding="utf-8"
    )
    return check_all(Request(str(folder), (), (), "auto", {}, Limits(), 1))


def test_a_clause_that_never_fires_is_named_where_a_property_rests_on_it(tmp_path: Path) -> None:
    """Clause 1 fires, clause 2 does not; of a property that rests on neither nothing is said."""
    document = told(tmp_path)
    cases = cases_of(document.rulebooks[0], Labels("en"))

    assert {case.property.name: case.idle for case in cases} == {"never_on": ("2",), "never_lit": ()}
    line = "No rule of these clauses, which the property rests on, fires on any board checked: 2"
    for form in ("text", "markdown", "html"):
        assert line in " ".join(render(document, form).split())


def test_what_allowed_a_step_stands_where_the_step_is_the_fault(tmp_path: Path) -> None:
    """A property of steps names the clauses of the guard; one of boards does not."""
    document = told(tmp_path)
    cases = cases_of(document.rulebooks[0], Labels("en"))

    permitted = {case.property.name: [cited.id for cited in case.permits] for case in cases}
    assert permitted == {"never_on": [], "never_lit": ["1"]}
    assert "What allowed the step that breaks it: 1" in render(document, "text")


def test_what_nobody_expects_comes_first(tmp_path: Path) -> None:
    """Known findings come after violations, whatever the order of boards and properties."""
    cases = cases_of(told(tmp_path).rulebooks[0], Labels("en"))

    assert [(case.property.status, case.board.board, case.property.name) for case in cases] == [
        ("violated", "one", "never_lit"),
        ("violated", "two", "never_on"),
        ("violated", "two", "never_lit"),
        ("known finding", "one", "never_on"),
    ]


def test_the_rules_behind_the_end_come_by_step_and_then_by_clause() -> None:
    """Numbers of clauses are ordered as numbers, a clause of an earlier step is not told again."""

    def step(number: int, *changes: tuple[str | None, ...]) -> StepView:
        cited = [tuple(Cited(one, one or "assumed", "rules.lp", 1) for one in clauses) for clauses in changes]
        views = tuple(ChangeView("f", "v", "", "", "", clauses) for clauses in cited)
        return StepView(number, "do", "do", "", False, (), (), views, None, True, ())

    steps = (step(1, ("719.10", "719.5")), step(2, ("2",)), step(3, (None, "719.5.a", "434.1"), ("110", "719.5")))
    game = Game(BoardView((), (), ()), (), steps, None, (1, 3))

    assert [cited.id for cited in behind(game)] == ["719.5", "719.10", "110", "434.1", "719.5.a"]
    assert [cited.id for cited in further(steps[2])] == ["110", "434.1", "719.5", "719.5.a", None]


def test_a_tension_is_told_with_what_it_is(tmp_path: Path) -> None:
    """With the question of the reading about it where there is one."""
    labels, (book,) = Labels("en"), told(tmp_path).rulebooks
    wanted = replace(book.boards[0].properties[0], tension="T7")
    asked = replace(book, readings=(ReadingReport("order", "Who goes first?", ("a", "b"), "a", "T7"),))

    assert tension(book, replace(wanted, tension=None), labels) == ""
    plain = "T7: a place where the rules contradict each other or leave something open."
    assert tension(book, wanted, labels) == plain
    assert tension(asked, wanted, labels) == f"{plain.removesuffix('.')}, here: Who goes first?"


def test_a_step_names_the_changes_that_it_builds_on() -> None:
    """Not everything that changed in a step is needed by a later one: that the unit arrives exhausted is not."""
    document = check_all(Request("riftbound", ("first_equip",), ("equipped",), "auto", {}, Limits(), 1))
    game = document.rulebooks[0].boards[0].properties[0].game
    assert game is not None
    built = {step.number: step.grounds for step in game.steps}

    assert [change.sentence for change in game.steps[1].changes][1:] == ["Grunt becomes exhausted"]
    plays = ((1, "Doran's Blade: from hand to Alice's base"), (2, "Grunt: from hand to Alice's base"))
    assert (built[1], built[2], built[3]) == ((), (), plays)
    assert built[4] == ((3, "place 1 of the chain: Alice's Equip of Doran's Blade on Grunt"),)
