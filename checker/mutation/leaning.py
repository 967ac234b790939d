"""Which rules an inductive proof leans on: every tagged rule gets a switch, and the solver says which it needs.

A switch is one more state variable that no step changes, so that rules switched on and off are an ordinary
transition system. A proof goes through whatever the switches outside its core are: whichever of those rules is left
out, the goal stays out of reach.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import z3
from clingo.symbol import Function, Number

from checker.certificates.folder import KINDS
from checker.certificates.invariant import Invariant, invariant_of
from checker.certificates.reached import reachable
from checker.engines.protocol import Limits, Violated
from checker.engines.smt.engine import SmtEngine
from checker.engines.smt.steps import compile_rules
from checker.engines.smt.unroll import Budget, OutOfBudgetError, Unrolling
from checker.errors import InternalError
from checker.system.model import Atom, Goal, Rule, Stratum, TransitionSystem, Variable

SECONDS = 10.0
"""What finding a proof may take on one board, and finding its core; past it every rule is left out and tried."""


@dataclass(frozen=True, slots=True)
class Leaning:
    """The ids of the rules that a proof leans on, and what the proof is."""

    rules: frozenset[int]
    how: str


def leaning(system: TransitionSystem, goal: Goal, minimal: bool) -> Leaning | None:
    """Prove that no game shows a goal, and return the rules that suffice; None without a proof in time.

    Args:
        system: the rules on a board.
        goal: a property of it.
        minimal: as for `leans_on`.

    """
    if goal.kind not in KINDS:
        return None
    proved = SmtEngine().prove(system, [goal], Limits(SECONDS), lambda _: None)
    if isinstance(proved.result.verdicts[0].answer, Violated):
        return None
    found = [p for p in proved.proofs if p.length == 1]
    invariant = invariant_of(proved.rules.circuit, found[0].lemmas) if found else reachable(system, Limits(SECONDS))
    if invariant is None:
        return None
    try:
        core = leans_on(system, goal, invariant, Limits(SECONDS), minimal)
    except OutOfBudgetError:
        return None
    return Leaning(core, found[0].method if found else "all reachable boards")


@dataclass(frozen=True, slots=True)
class Switchable:
    """Rules with switches: the variable of each rule that does not hold whatever the board is."""

    system: TransitionSystem
    switches: Mapping[int, int]


def switchable(system: TransitionSystem) -> Switchable:
    """Return a system in which each tagged rule is in force only if its switch is on; all are, at the start."""
    atoms, variables = list(system.atoms), list(system.variables)
    on: dict[int, Atom] = {}
    switches = {}
    for rule in sorted(set(system.fired.values())):
        name = Function("switch", [Number(rule)])
        domain = (Function("off"), Function("on"))
        held = tuple(range(len(atoms), len(atoms) + 2))
        atoms += [Function("now", [name, value]) for value in domain]
        on[rule] = held[1]
        switches[rule] = len(variables)
        variables.append(Variable(name, domain, (1,), held))
    strata = tuple(
        Stratum(
            tuple(_switched(r, on[system.fired[r.head]]) if r.head in system.fired else r for r in s.rules), s.recursive
        )
        for s in system.strata
    )
    return Switchable(replace(system, atoms=tuple(atoms), variables=tuple(variables), strata=strata), switches)


def _switched(rule: Rule, on: Atom) -> Rule:
    """Return a rule that holds only if a further atom does."""
    if not rule.weights:
        return replace(rule, body=(*rule.body, on))
    enough = sum(rule.weights) + 1
    return replace(rule, body=(*rule.body, on), weights=(*rule.weights, enough), bound=rule.bound + enough)


def leans_on(
    system: TransitionSystem, goal: Goal, invariant: Invariant, limits: Limits, minimal: bool = False
) -> frozenset[int]:
    """Return the ids of rules that suffice for an invariant to prove that no game shows a goal.

    Args:
        system: the rules on a board.
        goal: what no game shows; the invariant proves it (length 1 in `obligations`).
        invariant: lemmas that hold on every reachable board and exclude the goal.
        limits: what it may take.
        minimal: free one rule after the other, until no part of what is left suffices.

    Raises:
        OutOfBudgetError: the limits are spent.
        InternalError: the invariant proves no such thing.

    """
    proof = _Proof(switchable(system), goal, invariant, limits)
    core = proof.core(sorted(proof.switches))
    if core is None:
        raise InternalError(f"the invariant does not prove {goal.name} of {system.name}")
    return shrink(core, proof.core) if minimal else core


def shrink(core: frozenset[int], among: Callable[[Sequence[int]], frozenset[int] | None]) -> frozenset[int]:
    """Return a part of a core no part of which suffices.

    `among` returns what suffices of some rules, None if they do not.
    """
    for rule in sorted(core):
        if rule in core:
            less = among(sorted(core - {rule}))
            core = core if less is None else less
    return core


class _Proof:
    """The obligations of a proof, each in a solver, with the switches as assumptions."""

    def __init__(self, rules: Switchable, goal: Goal, invariant: Invariant, limits: Limits) -> None:
        self.rules = compile_rules(rules.system, [goal])
        self.goal = goal.name
        self.switches = {rule: self.rules.circuit.equals(variable, 1) for rule, variable in rules.switches.items()}
        self._lemmas = invariant.nets(self.rules.circuit)
        budget = Budget(limits)
        self._solvers = list(self._obligations(budget))

    def _obligations(self, budget: Budget) -> Iterator[Unrolling]:
        """Yield solvers for "a step breaks a lemma", "the board shows the goal" and "a step from it does"."""
        preserved, shown, shows = (Unrolling(self.rules, budget) for _ in range(3))
        for game in (preserved, shown, shows):
            game.solver.add(*game.formulas(self._lemmas, 0))
        preserved.add_choice()
        preserved.add_board()
        preserved.solver.add(z3.Not(z3.And(preserved.formulas(self._lemmas, 1))) if self._lemmas else _false(preserved))
        shown.solver.add(shown.net(self.rules.bad[self.goal], 0))
        shows.add_choice()
        shows.solver.add(shows.shows(self.goal, 0))
        yield from (preserved, shown, shows)

    def core(self, rules: Sequence[int]) -> frozenset[int] | None:
        """Return rules among these that suffice; None if all of them do not."""
        found: set[int] = set()
        for game in self._solvers:
            formulas = game.formulas([self.switches[rule] for rule in rules], 0)
            if game.check(*formulas):
                return None
            core = {part.get_id() for part in game.solver.unsat_core()}
            found |= {rule for rule, part in zip(rules, formulas, strict=True) if part.get_id() in core}
        return frozenset(found)


def _false(game: Unrolling) -> z3.BoolRef:
    return z3.BoolVal(False, game.context)
