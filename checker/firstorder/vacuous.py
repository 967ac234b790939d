"""Whether what a proved claim speaks of can be: an implication holds of nothing where its premise is never met."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import z3

from checker.firstorder.prove import Prover
from checker.firstorder.refute import met_on_small_boards
from checker.firstorder.theory import Claim


@dataclass(frozen=True, slots=True)
class Unmet:
    """A premise of a claim that no small board meets, and no step from one.

    says: as SMT-LIB writes it. unknown: why it is not known of larger boards; empty if the premise can never be.
    """

    claim: Claim
    says: str
    unknown: str


def unmet_premises(prover: Prover, claims: Sequence[Claim], held: Sequence[Claim]) -> list[Unmet]:
    """Return the premises of claims that contradict what else holds, or perhaps do.

    What holds are the axioms, the switches chosen, and all claims of boards in `held` but the claim itself, which may
    just say that something never is. Small boards are looked at first, as a model settles it.
    """
    asked = [(claim, premise) for claim in claims for premise in premises(claim.formula)]
    met = met_on_small_boards(prover.theory, asked, held, prover.switches)
    found = []
    for (claim, premise), known in zip(asked, met, strict=True):
        others = [part.formula for part in held if part is not claim]
        step = [prover.theory.trans] if claim.of_step else []
        answer = None if known else prover.contradicted([premise, *step, *others])
        if answer is not None:
            found.append(Unmet(claim, _text(premise), answer))
    return found


def premises(formula: z3.BoolRef) -> Iterator[z3.BoolRef]:
    """Yield for each implication that a formula says of everything, that something meets its premise."""
    if z3.is_quantifier(formula) and formula.is_forall():
        names = [z3.FreshConst(formula.var_sort(n), formula.var_name(n)) for n in range(formula.num_vars())]
        for premise in premises(z3.substitute_vars(formula.body(), *reversed(names))):
            yield z3.Exists(names, premise)
    elif z3.is_and(formula):
        for part in formula.children():
            yield from premises(part)
    elif z3.is_implies(formula):
        test, then = formula.children()
        further = list(premises(then))
        yield from (z3.And(test, premise) for premise in further) if further else [test]


def _text(premise: z3.BoolRef) -> str:
    """Return a premise as the encoding may have it, on one line, for any values of its variables."""
    while z3.is_quantifier(premise) and "!" in premise.var_name(0):
        names = [z3.Const(premise.var_name(n), premise.var_sort(n)) for n in range(premise.num_vars())]
        premise = z3.substitute_vars(premise.body(), *reversed(names))
    return re.sub(r"!\d+", "", " ".join(premise.sexpr().split()))
