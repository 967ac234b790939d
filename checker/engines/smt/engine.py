"""The smt engine: refute by bounded search, prove by induction and Spacer, else say Unknown."""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from math import inf

from checker.engines.protocol import (
    Answer,
    Counts,
    Holds,
    Limits,
    Progress,
    Report,
    Result,
    Unknown,
    Verdict,
    Violated,
)
from checker.engines.smt.bounded import Search
from checker.engines.smt.circuit import FALSE, Net
from checker.engines.smt.lemmas import Induction, Proof, two_steps
from checker.engines.smt.say import say
from checker.engines.smt.spacer import spacer
from checker.engines.smt.steps import Rules, compile_rules
from checker.engines.smt.unroll import Budget, OutOfBudgetError
from checker.engines.smt.walk import exclusions
from checker.system.model import Goal, Kind, State, TransitionSystem

SHALLOW = 16
SHALLOW_SECONDS = 10.0
"""Steps that are searched, and seconds spent on it, before Spacer is asked."""

SPACER_SECONDS = 20.0
"""What Spacer may take for one goal where the limits say nothing."""

MOST_PAIRS = 4000
"""Candidate lemmas about two variables at once; more cost more than they bring."""


class SmtEngine:
    """Z3 on the ground rules as a circuit."""

    name = "smt"
    kinds = frozenset({Kind.INVARIANT, Kind.STEP, Kind.SOMETIMES, Kind.CONFLICT, Kind.OPEN_OUTCOME})

    def __init__(self, depth: int = 24) -> None:
        """Make an engine that searches `depth` steps where the limits name no depth."""
        self.depth = depth

    def check(self, system: TransitionSystem, goals: Sequence[Goal], limits: Limits, report: Report) -> Result:
        """Decide every goal of the engine's kinds for games of any length, as far as the limits allow."""
        return self.prove(system, goals, limits, report).result

    def prove(self, system: TransitionSystem, goals: Sequence[Goal], limits: Limits, report: Report) -> Proved:
        """Decide goals as `check` does, and keep the proofs of those that no game shows."""
        began = time.monotonic()
        asked = [goal for goal in goals if goal.kind in self.kinds]
        rules = compile_rules(system, asked)
        run = _Run(rules, asked, Budget(limits, began), report)
        run.decide(self.depth if limits.depth is None else limits.depth)
        verdicts = tuple(Verdict(goal, run.answer(goal), self.name) for goal in goals)
        details = {f"proof of {name}": proof.method for name, proof in run.proofs.items()}
        details |= {
            f"lemmas of {name}": "; ".join(say(rules, net) for net in proof.lemmas)
            for name, proof in run.proofs.items()
            if proof.lemmas
        }
        details |= {f"not inductive: {name}": show(system, board) for name, board in run.boards.items()}
        result = Result(verdicts, Counts(), time.monotonic() - began, details)
        return Proved(result, rules, tuple(run.proofs.values()), run.boards)


@dataclass(frozen=True, slots=True)
class Proved:
    """A result with the proofs behind it.

    boards: for goals that are not inductive, a board without fault from which a step leads to one; nobody
    knows whether a game reaches that board.
    """

    result: Result
    rules: Rules
    proofs: tuple[Proof, ...]
    boards: dict[str, State]


def show(system: TransitionSystem, state: State) -> str:
    """Write a board as its fluents with their values."""
    held = zip(system.variables, state, strict=True)
    return ", ".join(f"{variable.name}={variable.domain[value]}" for variable, value in held)


@dataclass
class _Run:
    """One run over the goals of one system."""

    rules: Rules
    goals: Sequence[Goal]
    budget: Budget
    report: Report
    proofs: dict[str, Proof] = field(default_factory=dict)
    boards: dict[str, State] = field(default_factory=dict)
    reasons: dict[str, str] = field(default_factory=dict)
    ended: str = ""

    def __post_init__(self) -> None:
        self.search: Search | None = None

    def decide(self, depth: int) -> None:
        """Go from cheap to dear until every goal is decided or the budget or the depth ends it."""
        try:
            self.search = search = Search(self.rules, self.goals, self.budget)
            self._deepen(search, min(depth, 1))
            if search.open:
                self._induce(search, depth)
            self._deepen(search, min(depth, SHALLOW), SHALLOW_SECONDS)
            for goal in tuple(search.open):
                self._ask_spacer(search, goal)
            self._deepen(search, depth)
        except OutOfBudgetError as spent:
            self.ended = str(spent)

    def answer(self, goal: Goal) -> Answer:
        """Return what was found out about a goal."""
        if goal not in self.goals:
            return Unknown(f"the smt engine does not decide {goal.kind.value} properties")
        search = self.search
        if search is not None and goal.name in search.found:
            return search.found[goal.name]
        if goal.name in self.proofs:
            return _proved(goal, self.proofs[goal.name].how)
        depth = None if search is None else search.depth
        if search is not None and search.ended:
            return _proved(goal, f"exhaustive: no game has more than {depth} steps")
        reason = self.ended or f"no game of at most {depth} steps shows it"
        return Unknown("; ".join(filter(None, (reason, self.reasons.get(goal.name)))), depth)

    def _deepen(self, search: Search, depth: int, seconds: float = inf) -> None:
        until = time.monotonic() + seconds
        while search.open and not search.ended and (search.depth is None or search.depth < depth):
            search.deepen()
            self.report(Progress("smt", search.depth or 0, 0))
            if time.monotonic() > until:
                return

    def _induce(self, search: Search, depth: int) -> None:
        """Prove goals by one-step induction with lemmas found on the way, then by two-step induction."""
        induction = Induction(self.rules, self.budget)
        circuit = self.rules.circuit
        wished = [-net for net in map(self.rules.bad.__getitem__, self._names(search)) if net != FALSE]
        self._settle(search, induction, induction.largest(wished))
        if not search.open:
            return
        pairs = exclusions(self.rules)
        never = [-net for net, other in pairs if net == other]
        self._settle(search, induction, induction.largest([*wished, *never]))
        if not search.open:
            return
        apart = [-circuit.conj(pair) for pair in pairs[: MOST_PAIRS + len(never)]]
        lemmas = induction.largest([*wished, *apart])
        self._settle(search, induction, lemmas)
        self._deepen(search, min(depth, 2))
        for goal in tuple(search.open):
            self._two_steps(search, induction, goal, lemmas)

    def _two_steps(self, search: Search, induction: Induction, goal: Goal, lemmas: Sequence[Net]) -> None:
        board = induction.counterexample(goal.name, lemmas)
        if board is not None:
            self.boards[goal.name] = board
        if (search.depth or 0) >= 2 and two_steps(self.rules, goal.name, lemmas, self.budget):
            self._prove(search, goal, Proof(goal.name, tuple(lemmas), 2, "two-step induction"))

    def _settle(self, search: Search, induction: Induction, lemmas: Sequence[Net]) -> None:
        """Take the goals that an inductive set of lemmas excludes as proved."""
        for goal in tuple(search.open):
            if induction.excludes(goal.name, lemmas):
                needed = tuple(induction.needed(goal.name, lemmas))
                self._prove(search, goal, Proof(goal.name, needed, 1, "induction"))

    def _ask_spacer(self, search: Search, goal: Goal) -> None:
        known = list(dict.fromkeys(net for p in self.proofs.values() if p.length == 1 for net in p.lemmas))
        seconds = self.budget.left(SPACER_SECONDS)
        if self.budget.limits.seconds is not None:
            seconds /= 2 * max(1, len(search.open))
        try:
            found = spacer(self.rules, goal.name, known, seconds)
        except OutOfBudgetError as spent:
            self.reasons[goal.name] = str(spent)
            self.budget.left()
            return
        if found is None:
            self.reasons[goal.name] = "Spacer says that some longer game shows it"
            return
        induction = Induction(self.rules, self.budget)
        lemmas = induction.largest([*known, *found])
        if induction.excludes(goal.name, lemmas):
            needed = tuple(induction.needed(goal.name, lemmas))
            self._prove(search, goal, Proof(goal.name, needed, 1, "Spacer"))
        else:
            self.reasons[goal.name] = "Spacer's invariant did not stand up to a check"

    def _prove(self, search: Search, goal: Goal, proof: Proof) -> None:
        self.proofs[goal.name] = proof
        search.open.remove(goal)

    def _names(self, search: Search) -> Iterable[str]:
        return [goal.name for goal in search.open]


def _proved(goal: Goal, how: str) -> Answer:
    """Return the answer for a goal that no game shows."""
    if goal.kind is Kind.SOMETIMES:
        return Violated(None, (goal.name,), note=f"no game reaches it: {how}")
    return Holds(how)
