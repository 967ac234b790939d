"""Reading VMT-LIB texts: annotations, faults with their place, and what a step must say."""

from __future__ import annotations

from pathlib import Path

import pytest
import z3

from checker.errors import InputError
from checker.firstorder.alternation import cycle, edges
from checker.firstorder.annotations import read_annotations
from checker.firstorder.theory import conjuncts, load_theory, theory_of
from checker.paths import encodings

LAMP = """
(set-logic UF)
(declare-sort Lamp 0)
(declare-const clause.2 Bool)
(declare-fun lit (Lamp) Bool)
(declare-fun lit.next (Lamp) Bool)
(define-fun sv.lit ((x Lamp)) Bool (! (lit x) :next lit.next))

; A note that is far from what follows: 9.9

; 101.1: light one, 101.2.a
(define-fun light ((x Lamp)) Bool (!
  (and (not (lit x)) ; 101.3
       (forall ((y Lamp)) (= (lit.next y) (or (lit y) (= y x)))))
  :action light))
(define-fun init () Bool (! (forall ((x Lamp)) (not (lit x))) :init true))
(define-fun trans () Bool (! (or (exists ((x Lamp)) (light x))) :trans true))
(define-fun dark () Bool (! (forall ((x Lamp)) (not (lit x))) :invar-property 1))
(define-fun stays () Bool (! (forall ((x Lamp)) (=> (lit x) (lit.next x))) :step-property 2))
"""
"""Lamps that are lit one by one and never put out."""


def test_annotations_are_read_and_left_out() -> None:
    read = read_annotations(LAMP)
    light = next(d for d in read.definitions if d.name == "light")
    assert light.params == (("x", "Lamp"),)
    assert light.clauses == ("101.1", "101.2.a", "101.3")
    assert light.attributes == {"action": "light"}
    assert light.line == 12
    assert ":action" not in read.plain
    assert "!" not in read.plain
    assert read.constants == ("clause.2",)


def test_a_theory_has_what_the_text_names() -> None:
    theory = theory_of(LAMP)
    assert [f.name for f in theory.state] == ["lit"]
    assert [a.name for a in theory.actions] == ["light"]
    assert [str(p) for p in theory.actions[0].params] == ["light.x"]
    assert len(theory.actions[0].conjuncts) == 2
    assert [(c.name, c.of_step) for c in theory.claims] == [("dark", False), ("stays", True)]
    assert list(theory.switches) == ["clause.2"]


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        (":init true", ":start true", "0 definitions are marked :init"),
        ("(not (lit x)) ; 101.3", "(not (lit x z)) ; 101.3", "no SMT-LIB"),
        ("(lit.next y)", "(lit y)", "action light does not say what becomes of lit.next"),
        ("(or (exists ((x Lamp)) (light x)))", "(exists ((x Lamp)) (lit x))", "not exactly one of the actions"),
        (":step-property 2))", ":step-property 2)", "text:19: a bracket is not closed"),
        ("(set-logic UF)", "(set-logic UF))", "text:2: a bracket is closed that is not open"),
    ],
)
def test_what_is_wrong_is_said(old: str, new: str, message: str) -> None:
    assert LAMP.count(old) == 1
    with pytest.raises(InputError, match=message):
        theory_of(LAMP.replace(old, new))


def test_a_fault_is_found_in_its_own_file(tmp_path: Path) -> None:
    (tmp_path / "1.smt2").write_text(LAMP, encoding="utf-8")
    (tmp_path / "2.smt2").write_text("(assert (lit nobody))", encoding="utf-8")
    with pytest.raises(InputError, match=r"2\.smt2: no SMT-LIB.*nobody"):
        load_theory(tmp_path)


def test_clauses_stand_behind_conjuncts() -> None:
    """A comment in a definition counts for the conjunct under it, the one above the definition for the others."""
    text = LAMP.replace("(and (not (lit x)) ; 101.3", "(and (dark_one x)\n    ; 101.3\n    (=> clause.2 calm)").replace(
        "; 101.1: light one",
        """; 100
(define-fun dark_one ((x Lamp)) Bool (not (lit x)))
(define-fun calm () Bool (and (forall ((y Lamp)) (= (lit y) (lit y))) (= clause.2 clause.2)))

; 101.1: light one""",
    )
    (light,) = theory_of(text).actions
    assert light.cited == (("100",), ("101.3",), ("101.3",), ("101.1", "101.2.a"))


def test_an_unknown_switch_is_refused() -> None:
    with pytest.raises(InputError, match=r"there is no switch clause\.3; there are clause\.2"):
        theory_of(LAMP).chosen({"clause.3": False})


def test_clauses_are_in_force_unless_switched_off() -> None:
    theory = theory_of(LAMP)
    assert [f.sexpr() for f in theory.chosen({})] == ["clause.2"]
    assert [f.sexpr() for f in theory.chosen({"clause.2": False})] == ["(not clause.2)"]


def test_the_shipped_encodings_are_read() -> None:
    riftbound, magic = (load_theory(encodings() / "smt" / name) for name in ("riftbound", "magic"))
    assert (len(riftbound.state), len(riftbound.actions), len(riftbound.claims)) == (13, 21, 21)
    assert (len(magic.state), len(magic.actions), len(magic.claims)) == (10, 12, 10)
    leave = next(action for action in riftbound.actions if action.name == "leave")
    assert "719.5" in leave.clauses


def formulas(text: str) -> list[z3.BoolRef]:
    """Parse assertions over sorts S and T, a relation r, and functions f to T and g back."""
    head = """(declare-sort S 0) (declare-sort T 0) (declare-fun r (S T) Bool)
        (declare-fun f (S) T) (declare-fun g (T) S)"""
    return list(z3.parse_smt2_string(head + text))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("(assert (forall ((x S)) (exists ((y T)) (r x y))))", {("S", "T")}),
        ("(assert (exists ((x S)) (forall ((y T)) (r x y))))", set()),
        ("(assert (not (exists ((x S)) (forall ((y T)) (r x y)))))", {("S", "T")}),
        ("(assert (forall ((x S)) (=> (forall ((y T)) (r x y)) (= x x))))", {("S", "T")}),
        ("(assert (forall ((x S)) (= (= x x) (forall ((y T)) (r x y)))))", {("S", "T")}),
        ("(assert (forall ((x S)) (r x (f x))))", {("S", "T")}),
        ("(assert (forall ((x S) (y T)) (r (g y) (f x))))", {("S", "T"), ("T", "S")}),
    ],
)
def test_edges_between_sorts(text: str, expected: set[tuple[str, str]]) -> None:
    found = edges(formulas(text))
    assert found.keys() == expected
    assert bool(cycle(found)) == (("T", "S") in expected)


def test_a_cycle_may_need_two_formulas() -> None:
    one, other = formulas(
        "(assert (forall ((x S)) (exists ((y T)) (r x y)))) (assert (forall ((y T)) (exists ((x S)) (r x y))))"
    )
    assert not cycle(edges([one]))
    assert not cycle(edges([other]))
    assert cycle(edges([one, other])) == [("S", "T"), ("T", "S")]


def test_conjuncts_reach_into_choices() -> None:
    (formula,) = formulas(
        "(declare-const a Bool) (declare-const b Bool) (declare-const c Bool)"
        "(assert (and a (ite b (and a c) (=> c (and a b)))))"
    )
    assert [part.sexpr() for part in conjuncts(formula)] == [
        "a",
        "(=> b a)",
        "(=> b c)",
        "(=> (not b) (=> c a))",
        "(=> (not b) (=> c b))",
    ]
