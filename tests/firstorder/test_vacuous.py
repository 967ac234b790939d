"""An implication that holds for want of a case is not passed over in silence."""

from __future__ import annotations

from pathlib import Path
from shutil import copytree

import pytest

from checker.firstorder.examine import Examined
from checker.firstorder.prove import AnySize, Prover
from checker.firstorder.refute import met_on_small_boards
from checker.firstorder.said import claim_lines
from checker.firstorder.theory import theory_of
from checker.firstorder.vacuous import Unmet, premises, unmet_premises
from checker.paths import encodings, models
from tests.firstorder.test_prove import readings, shipped
from tests.firstorder.test_theory import LAMP
from tests.test_cli import run

BELOW = """
(declare-fun below (Lamp Lamp) Bool)
(assert (forall ((x Lamp)) (not (below x x))))
(assert (forall ((x Lamp) (y Lamp) (z Lamp)) (=> (and (below x y) (below y z)) (below x z))))
(define-fun init"""


def claim(name: str, formula: str, kind: str = "invar-property") -> str:
    """Return the text of a claim."""
    return f"(define-fun {name} () Bool (! {formula} :{kind} 9))\n"


def found_in(text: str, seconds: float = 5.0) -> tuple[Prover, list[Unmet]]:
    """Return the unmet premises of what is proved of a text."""
    prover = Prover(theory_of(text), seconds=seconds)
    proved = [p.claim for p in prover.prove() if isinstance(p, AnySize)]
    return prover, unmet_premises(prover, proved, [c for c in proved if not c.of_step])


def unmet(text: str) -> dict[str, tuple[str, str]]:
    """Return for each claim that is proved and has an unmet premise, that premise and why it is unknown."""
    return {one.claim.name: (one.says, one.unknown) for one in found_in(text)[1]}


@pytest.mark.parametrize("name", ["riftbound", "magic"])
def test_every_shipped_claim_speaks_of_something(name: str) -> None:
    theory = shipped(name)
    prover = Prover(theory, readings(theory))
    board = [claim for claim in theory.claims if not claim.of_step]
    assert sum(bool(list(premises(claim.formula))) for claim in theory.claims) == {"riftbound": 18, "magic": 5}[name]
    assert unmet_premises(prover, theory.claims, board) == []


NEVER = {
    "a step that no action takes": (
        claim(
            "c",
            "(forall ((x Lamp)) (=> (and (lit x) (not (lit.next x))) (forall ((y Lamp)) (= x y))))",
            "step-property",
        ),
        "(and (lit x) (not (lit.next x)))",
    ),
    "in the conclusion of another": (
        claim("c", "(forall ((x Lamp)) (=> (lit x) (forall ((y Lamp)) (=> (and (below x y) (below y x)) (lit y)))))"),
        "(and (lit x) (exists ((y Lamp)) (and (below x y) (below y x))))",
    ),
    "one of two": (
        claim("c", "(and (forall ((x Lamp)) (=> (lit x) (lit x))) (=> (exists ((x Lamp)) (below x x)) false))"),
        "(exists ((x Lamp)) (below x x))",
    ),
}


@pytest.mark.parametrize("case", NEVER)
def test_a_premise_that_can_never_be_is_told_in_the_words_of_the_encoding(case: str) -> None:
    text, premise = NEVER[case]
    assert unmet(LAMP.replace("(define-fun init", BELOW) + text) == {"c": (premise, "")}


MET = {
    "on a small board": claim("c", "(forall ((x Lamp) (y Lamp)) (=> (and (lit x) (below x y)) (lit x)))"),
    "on four lamps, which is more than the small boards have": claim(
        "c", "(forall ((w Lamp) (x Lamp) (y Lamp) (z Lamp)) (=> (distinct w x y z) (not (= w z))))"
    ),
    "without a step from that board": claim("c", "(=> (forall ((x Lamp)) (lit x)) (exists ((x Lamp)) (lit x)))"),
}


@pytest.mark.parametrize("case", MET)
def test_a_premise_that_may_be_is_not_told(case: str) -> None:
    assert unmet(LAMP.replace("(define-fun init", BELOW) + MET[case]) == {}


def test_what_the_solver_does_not_know_is_not_passed_over() -> None:
    """There is always a higher lamp only where there is no end of them, which no solver finds."""
    text = claim("c", "(=> (forall ((x Lamp)) (exists ((y Lamp)) (below x y))) (exists ((x Lamp)) (= x x)))")
    prover, found = found_in(LAMP.replace("(define-fun init", BELOW) + text, seconds=0.3)
    (one,) = found
    assert one.unknown
    proof = AnySize(one.claim, (), (), ())
    *_, line = claim_lines(prover, [Examined(one.claim, proof, 0.0)], found)
    assert line.strip() == (
        "perhaps holds of nothing: its premise is met on no board of up to 3 of each sort; of larger ones the solver "
        f"does not know ({one.unknown}): (forall ((x Lamp)) (exists ((y Lamp)) (below x y)))"
    )


FOUR = "(forall ((w Lamp) (x Lamp) (y Lamp) (z Lamp)) (=> (distinct w x y z) false))"


@pytest.mark.parametrize(
    ("formula", "says"), [("(forall ((x Lamp)) (=> (lit x) false))", "(lit x)"), (FOUR, "distinct")]
)
def test_a_claim_that_says_never_is_no_reason_for_itself(formula: str, says: str) -> None:
    """Neither for the solver nor on small boards, of which the solver may not know."""
    theory = theory_of(LAMP + claim("none", formula) + claim("again", formula))
    one, same = theory.claims[-2:]
    assert unmet_premises(Prover(theory), [one], [one]) == []
    (found,) = unmet_premises(Prover(theory), [one], [one, same])
    assert (found.claim, found.unknown) == (one, "")
    assert says in found.says
    asked = [(one, premise) for premise in premises(one.formula)]
    assert met_on_small_boards(theory, asked, [one], {}) == [formula is not FOUR]


def test_a_board_from_which_nothing_can_be_done_is_a_board() -> None:
    theory = theory_of(LAMP + MET["without a step from that board"])
    asked = [(c, premise) for c in theory.claims if c.name == "c" for premise in premises(c.formula)]
    assert met_on_small_boards(theory, asked, [], {}) == [True]


def test_an_implication_of_something_has_no_premise() -> None:
    theory = theory_of(LAMP + claim("some", "(exists ((x Lamp)) (=> (lit x) (forall ((y Lamp)) (lit y))))"))
    assert [list(premises(c.formula)) for c in theory.claims if c.name == "some"] == [[]]


def test_on_the_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    copytree(models() / "magic", tmp_path / "magic")
    smt = tmp_path / "magic" / "smt"
    copytree(encodings() / "smt" / "magic", smt)
    planted = claim("lonely", "(forall ((e Object)) (=> (and priority (attached e e)) (new e)))")
    with (smt / "04_properties.smt2").open("a", encoding="utf-8") as file:
        file.write(planted)
    assert run("prove", str(tmp_path / "magic"), "-p", "one_host", "-p", "lonely") == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines if "proved for any number" in line] == ["one_host", "lonely"]
    assert [line.strip() for line in lines if "can never be" in line] == [
        "holds, but only because this can never be: (and priority (attached e e))"
    ]
    assert lines.index(next(line for line in lines if "can never be" in line)) > 3
