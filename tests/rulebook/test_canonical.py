"""What rules say, whatever they look like: names of variables, order and remarks do not count, all else does."""

from __future__ import annotations

from pathlib import Path

import pytest

from checker.pipeline import read_rules
from checker.rulebook.canonical import Canonical, canonical, renamed
from checker.rulebook.encoding import Encoding
from checker.rulebook.load import load_rulebook
from tests.toybook import RULES, write_toy

TAGGED = """\
%@ 1
possible(light(O)) :- lamp(O), now(lit(O), no).
"""
OTHER = """\
%@ 1
{ set(lit(O), V) : word(V, "No O", _) } = 1 :- occurs(light(O)), now(lit(O), no).
word(yes, "No O", 1).
word(no, "No O", 2).
"""


def rules(folder: Path, text: str) -> Encoding:
    return read_rules(load_rulebook(str(write_toy(folder, rules=text))))


def of(folder: Path, text: str) -> Canonical:
    return canonical(rules(folder, text))


SAME = {
    "a variable renamed": (RULES + OTHER).replace("O)", "Lamp')").replace("(O,", "(Lamp',"),
    "rules in another order": OTHER + RULES,
    "remarks": f"% A remark.\n\n{RULES}%* And\nanother. *%\n{OTHER}",
    "conditions in another order": (RULES + OTHER)
    .replace("lamp(O), now(lit(O), no)", "now(lit(O), no), lamp(O)")
    .replace("occurs(light(O)), now(lit(O), no)", "now(lit(O), no), occurs(light(O))"),
    "another layout": (RULES + OTHER).replace(":- ", ":-\n        "),
}


@pytest.mark.parametrize("edit", SAME)
def test_what_does_not_count(tmp_path: Path, edit: str) -> None:
    assert of(tmp_path / "a", RULES + OTHER).said == of(tmp_path / "b", SAME[edit]).said


OTHERWISE = {
    "a literal negated": (RULES + OTHER).replace("lamp(O), now", "not lamp(O), now"),
    "a constant": (RULES + OTHER).replace("now(lit(O), no).", "now(lit(O), yes).", 1),
    "a text with a capital letter": (RULES + OTHER).replace('"No O", _', '"No V0", _'),
    "a variable that means another one": (RULES + OTHER).replace("word(V,", "word(O,"),
    "an anonymous variable named twice": (RULES + OTHER).replace("lamp(O), now(lit(O)", "lamp(_), now(lit(O)", 1),
    "two variables that change places": (RULES + OTHER).replace("{ set(lit(O), V) :", "{ set(lit(V), O) :"),
    "a condition on another object": (RULES + OTHER).replace("lamp(O), now(lit(O), no)", "lamp(O), now(lit(P), no)"),
    "a rule less": RULES + OTHER.replace('word(no, "No O", 2).\n', ""),
    "a rule twice": RULES + OTHER + TAGGED,
    "a tag": (RULES + OTHER).replace("%@ 1\nset", "%@ model: why not\nset"),
    "a constant of the program": RULES + OTHER + "#const yes = no.\n",
}


@pytest.mark.parametrize("edit", OTHERWISE)
def test_what_counts(tmp_path: Path, edit: str) -> None:
    assert of(tmp_path / "a", RULES + OTHER).said != of(tmp_path / "b", OTHERWISE[edit]).said


def test_each_rule_is_found_where_it_stands_now(tmp_path: Path) -> None:
    """Rule by rule, in the canonical order: the same clauses, on other lines."""
    one, other = rules(tmp_path / "a", RULES + OTHER), rules(tmp_path / "b", "% A remark.\n" + OTHER + RULES)
    pairs = list(zip(canonical(one).order, canonical(other).order, strict=True))

    assert [one.sources[i].text for i, _ in pairs] == [other.sources[j].text for _, j in pairs]
    assert sorted((one.sources[i].line, other.sources[j].line) for i, j in pairs) == [(7, 12), (9, 14), (12, 3)]


def test_a_rule_that_reads_numbers_of_rules_keeps_them_in_place(tmp_path: Path) -> None:
    reader = "first(V) :- fired(0, V).\n"

    assert of(tmp_path / "a", RULES + OTHER + reader).said != of(tmp_path / "b", OTHER + RULES + reader).said


def test_variables_are_numbered_as_they_appear() -> None:
    assert renamed("p(X,Y',_,\"X\",xY) :- q(_Z,X); not 1 < Y'.") == 'p(V0,V1,_,"X",xY) :- q(V2,V0); not 1 < V1.'
