"""Which clauses a proof for any number of cards leans on: unsatisfiable cores of its obligations."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import z3

from checker.firstorder.prove import AnySize, Obligation, Prover

CLAUSE = "clause."


def leans_on(prover: Prover, proof: AnySize) -> tuple[str, ...]:
    """Return the clauses behind what some core of each obligation needs of its action, in numerical order.

    A core is what the solver needed, and minimal as far as it says; another proof may need other clauses.
    """
    cited: dict[int, tuple[str, ...]] = {}
    for action in prover.theory.actions:
        for part, clauses in zip(action.conjuncts, action.cited, strict=True):
            cited[part.get_id()] = clauses
    for formula in prover.fixed:  # a reading that is chosen may be a conjunct as well
        cited.pop(formula.get_id(), None)
    for name, formula in prover.theory.switches.items():
        if name.startswith(CLAUSE):
            cited[formula.get_id()] = (name.removeprefix(CLAUSE),)
    cores = (_core(prover, obligation, cited) for obligation in proof.obligations)
    found = {clause for core in cores for formula in core for clause in cited[formula.get_id()]}
    return tuple(sorted(found, key=_order))


def _core(prover: Prover, obligation: Obligation, cited: Mapping[int, object]) -> Iterable[z3.BoolRef]:
    """Return the formulas with clauses behind them that the solver needs; all of them if it gives up over it."""
    solver = z3.Solver(ctx=prover.theory.context)
    solver.set("timeout", int(prover.seconds * 1000))
    solver.set("core.minimize", True)
    told = [formula for formula in obligation.formulas if formula.get_id() in cited]
    solver.add(*(formula for formula in obligation.formulas if formula.get_id() not in cited))
    marks = {}
    for number, formula in enumerate(told):
        mark = z3.Bool(f"told {number}", prover.theory.context)
        marks[mark.get_id()] = formula
        solver.add(z3.Implies(mark, formula))
    if solver.check(*(z3.Bool(f"told {number}", prover.theory.context) for number in range(len(told)))) != z3.unsat:
        return told
    return [marks[mark.get_id()] for mark in solver.unsat_core()]


def _order(clause: str) -> tuple[tuple[int, str], ...]:
    """Sort 434.2 before 434.10 and 434.1.a."""
    return tuple((int(part), "") if part.isdigit() else (0, part) for part in clause.split("."))
