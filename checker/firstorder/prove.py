"""Prove claims for any number of cards: the largest part of them that is inductive together."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from time import monotonic
from typing import TypeAlias

import z3

from checker.errors import InputError
from checker.firstorder.alternation import cycle, edges
from checker.firstorder.theory import Action, Claim, Theory, symbols

SECONDS = 5.0
"""What the solver may take for one obligation."""


@dataclass(frozen=True, slots=True)
class Obligation:
    """One thing to refute: `formulas` together have no model.

    what: "initial", or the action that keeps the claim. needed: the claims assumed before the step.
    """

    claim: str
    what: str
    formulas: tuple[z3.BoolRef, ...]
    needed: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Question:
    """Formulas that are to have no model; one shows a board with two outcomes.

    whole: the same with all that is so of the boards, also where the question does not depend on it. ends: the state
    functions of the two last boards. ways: the actions that lead to each, with their parameters.
    """

    what: str
    formulas: tuple[z3.BoolRef, ...]
    whole: tuple[z3.BoolRef, ...]
    ends: tuple[Boards, Boards]
    ways: tuple[Way, Way]


Boards: TypeAlias = tuple[tuple[str, z3.FuncDeclRef], ...]
"""The state functions of a board, by name."""

Way: TypeAlias = tuple[tuple[str, tuple[z3.ExprRef, ...]], ...]
"""Actions, each with its parameters."""


@dataclass(frozen=True, slots=True)
class Statement:
    """Something about steps from every board on which the claims hold: it is so if no question has a model."""

    name: str
    says: str
    questions: tuple[Question, ...]


@dataclass(frozen=True, slots=True)
class Settled:
    """A statement proved for any number of cards; the fields are those of `AnySize`."""

    name: str
    says: str
    obligations: tuple[Obligation, ...]
    needed: tuple[str, ...]
    undecided: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Unsettled:
    """The question at which a statement's proof fails, and why."""

    question: Question
    reason: str


@dataclass(frozen=True, slots=True)
class AnySize:
    """A claim proved for any number of cards.

    obligations: all unsatisfiable. needed: other claims the proof rests on directly. undecided: a cycle of
    sorts, each edge with its source, that takes an obligation out of the decidable fragment; empty if none.
    """

    claim: Claim
    obligations: tuple[Obligation, ...]
    needed: tuple[str, ...]
    undecided: tuple[str, ...]

    @property
    def name(self) -> str:
        """The claim's name."""
        return self.claim.name

    @property
    def says(self) -> str:
        """What the obligations show."""
        return f"{self.claim.name} holds at the start and every action keeps it"


@dataclass(frozen=True, slots=True)
class Open:
    """A claim that is not proved: where the proof fails, "initial" or an action, and why."""

    claim: Claim
    what: str
    reason: str


@dataclass
class Prover:
    """Proves the claims of a theory under chosen switches."""

    theory: Theory
    switches: Mapping[str, bool] = field(default_factory=dict)
    seconds: float = SECONDS

    def __post_init__(self) -> None:
        self.fixed = [*self.theory.axioms, *self.theory.chosen(self.switches)]
        self.spent = {claim.name: 0.0 for claim in self.theory.claims}
        self._edges: dict[int, tuple[z3.BoolRef, dict[tuple[str, str], str]]] = {}
        claims = self.theory.claims
        self._universal = {c.name for c in claims if not cycle(self._together([*self.fixed, c.formula]))}

    def require_start(self) -> None:
        """Raise unless there may be a board that games start with; without one every claim holds, of nothing.

        Raises:
            InputError: the axioms, under the switches chosen, contradict each other or what is so at the start.

        """
        solver = z3.Solver(ctx=self.theory.context)
        solver.set("timeout", int(self.seconds * 1000))
        solver.add(*self.fixed, self.theory.init)
        if solver.check() == z3.unsat:
            raise InputError(
                f"no game starts in the encoding {self.theory.name}: its axioms contradict each other or the start, "
                "so that anything could be proved"
            )

    def prove(self) -> list[AnySize | Open]:
        """Prove what can be proved.

        Claims of boards are assumed together before a step; one that some step breaks is dropped, and what
        rested on it is tried again.
        """
        board = [claim for claim in self.theory.claims if not claim.of_step]
        proofs: dict[str, dict[str, Obligation]] = {claim.name: {} for claim in self.theory.claims}
        open_: dict[str, Open] = {}
        changed = True
        while changed:
            changed = False
            assumed = [claim for claim in board if claim.name not in open_]
            for claim in self.theory.claims:
                if claim.name not in open_ and (failed := self._timed(claim, assumed, proofs[claim.name])):
                    open_[claim.name] = failed
                    changed = changed or not claim.of_step
                    for kept in proofs.values():
                        for what in [w for w, o in kept.items() if claim.name in o.needed]:
                            del kept[what]
                    break
        return [open_.get(c.name) or self._proved(c, tuple(proofs[c.name].values())) for c in self.theory.claims]

    def settle(self, statement: Statement, held: Sequence[Claim]) -> Settled | Unsettled:
        """Prove a statement from claims of boards that are proved, or say where that fails."""
        obligations = []
        for question in statement.questions:
            found: Obligation | str = ""
            for parts in self._more(held):
                found = self._refute(statement.name, question.what, question.formulas, parts)
                if isinstance(found, Obligation):
                    break
            if isinstance(found, str):
                return Unsettled(question, found)
            obligations.append(found)
        needed = tuple(dict.fromkeys(name for o in obligations for name in o.needed))
        return Settled(statement.name, statement.says, tuple(obligations), needed, self._undecided(obligations))

    def contradicted(self, formulas: Sequence[z3.BoolRef]) -> str | None:
        """Return nothing if formulas contradict what is fixed, why that is not known, or None if they do not."""
        solver = z3.Solver(ctx=self.theory.context)
        solver.set("timeout", int(self.seconds * 1000))
        solver.add(*self.fixed, *formulas)
        answer = solver.check()
        if answer == z3.sat:
            return None
        return "" if answer == z3.unsat else str(solver.reason_unknown())

    def _timed(self, claim: Claim, assumed: Sequence[Claim], proof: dict[str, Obligation]) -> Open | None:
        """Do as `_extend` does, and note the seconds spent on the claim."""
        began = monotonic()
        found = self._extend(claim, assumed, proof)
        self.spent[claim.name] += monotonic() - began
        return found

    def _extend(self, claim: Claim, assumed: Sequence[Claim], proof: dict[str, Obligation]) -> Open | None:
        """Discharge the obligations of a claim that are not yet in its proof; return the first that fails."""
        for what, formulas in self.questions(claim):
            if what in proof:
                continue
            found: Obligation | str = ""
            for parts in self._attempts(claim, assumed) if what != "initial" else [[]]:
                found = self._refute(claim.name, what, formulas, parts)
                if isinstance(found, Obligation):
                    break
            if isinstance(found, str):
                return Open(claim, what, found)
            proof[what] = found
        return None

    def _together(self, formulas: Iterable[z3.BoolRef]) -> dict[tuple[str, str], str]:
        """Return the edges of formulas taken together, each looked at once and kept, so that its id stays its own."""
        found: dict[tuple[str, str], str] = {}
        for formula in formulas:
            key = formula.get_id()
            if key not in self._edges:
                self._edges[key] = formula, edges([formula])
            found |= self._edges[key][1]
        return found

    def _attempts(self, claim: Claim, assumed: Sequence[Claim]) -> Iterator[list[Claim]]:
        """Yield what to assume before the step: little first, then what is decidable, then everything."""
        yield [part for part in assumed if part is claim]
        yield from self._more([part for part in assumed if part is claim or claim.for_order or not part.for_order])

    def _more(self, assumed: Sequence[Claim]) -> Iterator[list[Claim]]:
        """Yield the claims that keep a question decidable, then all."""
        plain = [part for part in assumed if part.name in self._universal]
        yield plain
        if len(plain) < len(assumed):
            yield list(assumed)

    def questions(self, claim: Claim) -> Iterator[tuple[str, list[z3.BoolRef]]]:
        """Yield what must have no model, by name, with the conjuncts of the action that matter."""
        denied = z3.Not(claim.formula if claim.of_step else self.theory.after(claim.formula))
        if not claim.of_step:
            yield "initial", [self.theory.init, z3.Not(claim.formula)]
        for action in self.theory.actions:
            yield action.name, [*self._relevant(action, denied), denied]

    def _relevant(self, action: Action, denied: z3.BoolRef) -> list[z3.BoolRef]:
        """Return the conjuncts of an action but those about other state functions than the claim's."""
        about = symbols(denied) & self.theory.next_names
        return [part for part, said in zip(action.conjuncts, action.about, strict=True) if said <= about]

    def _refute(
        self, name: str, what: str, formulas: Sequence[z3.BoolRef], assumed: Sequence[Claim]
    ) -> Obligation | str:
        """Return the obligation that formulas have no model beside claims, or why that is not known."""
        solver = z3.Solver(ctx=self.theory.context)
        solver.set("timeout", int(self.seconds * 1000))
        solver.add(*self.fixed, *formulas)
        names = {}
        for part in assumed:
            switch = z3.Bool(f"assume {part.name}", self.theory.context)
            names[switch.get_id()] = part
            solver.add(z3.Implies(switch, part.formula))
        switches = [z3.Bool(f"assume {part.name}", self.theory.context) for part in assumed]
        answer = solver.check(*switches)
        if answer != z3.unsat:
            return "a step breaks it" if answer == z3.sat else f"the solver gave up: {solver.reason_unknown()}"
        core = [names[switch.get_id()] for switch in solver.unsat_core()]
        held = [part.formula for part in core]
        return Obligation(name, what, (*self.fixed, *held, *formulas), tuple(part.name for part in core))

    def _proved(self, claim: Claim, obligations: tuple[Obligation, ...]) -> AnySize:
        needed = dict.fromkeys(name for o in obligations for name in o.needed if name != claim.name)
        return AnySize(claim, obligations, tuple(needed), self._undecided(obligations))

    def _undecided(self, obligations: Iterable[Obligation]) -> tuple[str, ...]:
        """Return the cycle of sorts of the first obligation outside the decidable fragment, none if all are inside."""
        for obligation in obligations:
            found = self._together(obligation.formulas)
            around = cycle(found)
            if around:
                return tuple(f"{found[edge]} ({obligation.what})" for edge in around)
        return ()


def idle(theory: Theory, switches: Mapping[str, bool]) -> list[str]:
    """Return the claims that are to help other claims, and without which those are all proved just the same."""
    proved = {p.claim.name for p in Prover(theory, switches).prove() if isinstance(p, AnySize)}
    found = []
    for claim in theory.claims:
        if claim.auxiliary and not claim.for_order:
            rest = replace(theory, claims=tuple(c for c in theory.claims if c is not claim))
            left = {p.claim.name for p in Prover(rest, switches).prove() if isinstance(p, AnySize)}
            if left == proved - {claim.name}:
                found.append(claim.name)
    return found
