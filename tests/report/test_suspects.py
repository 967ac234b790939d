"""Where a report points first: clauses whose rules never fire, and what allowed a step that breaks a property."""

from __future__ import annotations

from pathlib import Path

from checker.engines.protocol import Limits
from checker.report.html.cases import cases_of
from checker.report.labels import Labels
from checker.report.model import Document
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
