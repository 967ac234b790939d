"""Prove that two encodings of a game take the same steps on a board, or show a board on which they do not.

Compared is every board on which the theory's claims hold and which `shared.lp` does not call impossible, with every
action of the rules, and every action of the theory that `shared.toml` does not leave out. That is more than the
boards of games: those the rules begin with are among them, and no step of the rules leads out of them (`strays`).

Where the rules take several steps for one of the theory, their circuits are put one behind the other; where the
theory takes several for one of the rules, as many as there are cards, its formulas are.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product

import z3
from clingo.symbol import Symbol

from checker.engines.smt.steps import StepNets
from checker.equivalence.entry import Entry, Way
from checker.equivalence.say import Difference, Sayer
from checker.equivalence.shared import Shared, match
from checker.equivalence.solving import Questions
from checker.equivalence.view import View
from checker.errors import InputError, InternalError
from checker.firstorder.theory import Claim, Theory, rename, renaming
from checker.system.model import TransitionSystem

SECONDS = 60.0
"""What the solver may take for one question."""

Steps = tuple[StepNets, ...]


@dataclass(frozen=True, slots=True)
class Compared:
    """Steps of the rules held against the theory; `differs` is None if they are proved to agree.

    action: the steps of the rules; of what only the theory has, the pattern that nothing fits. likes: the theory's
    actions of which some compared board has one as their like. happens: some compared board allows the steps.
    """

    action: str
    likes: tuple[str, ...]
    happens: bool
    differs: Difference | None


def compare(
    system: TransitionSystem,
    theory: Theory,
    shared: Shared,
    chosen: Mapping[str, bool],
    claims: Sequence[Claim],
    seconds: float = SECONDS,
    only: Sequence[str] = (),
) -> Iterator[Compared]:
    """Compare the actions of a board.

    Args:
        system: the rules on the board, those of `shared.rules` among them.
        theory: the first-order encoding.
        shared: what they have in common.
        chosen: switches of the theory, those of the board's readings.
        claims: what holds on every board to be compared; that games begin there and steps keep it is shown too.
        seconds: what the solver may take for one question.
        only: compare the steps whose name begins with one of these; all if there are none.

    Yields:
        Each way to take an entry's steps, then what only the theory allows, then what the theory does not see.

    Raises:
        InputError: `shared.toml` does not fit the two encodings.
        InternalError: the solver gives up, or an action of the theory does not say all of what is next.

    """
    comparison = _Comparison(View(system, theory, shared), chosen, claims, seconds)
    comparison.require_starts()
    yield from comparison.derived()
    named = [(system.actions[step.action].name, step) for step in comparison.view.rules.steps]
    told = set()
    for shared_action in shared.actions:
        ways = list(shared_action.matches(named, system.facts))
        told |= {step.action for steps, _ in ways for step in steps}
        wanted = [way for way in ways if not only or comparison.name(way[0]).startswith(tuple(only))]
        if wanted or not only:
            entry = Entry(comparison.view, shared_action)
            comparison.require_one_outcome(entry)
            yield from (comparison.way(entry, *way) for way in wanted)
            yield from comparison.missing(entry, [values for _, values in ways])
    for name, step in named:
        unseen = any(match(pattern, name, {}) is not None for pattern in shared.unseen)
        if not unseen and step.action not in told:
            raise InputError(f"shared.toml says nothing of {name}, an action of the rules")
        if not only or str(name).startswith(tuple(only)):
            if unseen:
                yield comparison.unseen(step)
            if (strays := comparison.strays(step)) is not None:
                yield strays


class _Comparison:
    """The questions about one board, in one solver."""

    def __init__(self, view: View, chosen: Mapping[str, bool], claims: Sequence[Claim], seconds: float) -> None:
        self.view, self.theory = view, view.theory
        self.ask = Questions(view, chosen, claims, seconds)
        self.sayer = Sayer(view)
        self._next = {f.name: f.next for f in self.theory.state}
        self._idle = z3.And([self._same(f.now, f.next) for f in view.compared])
        self._parts = z3.Not(z3.And([self._same(f.next, _other(f.next)) for f in view.compared]))

    def require_starts(self) -> None:
        """Raise unless the boards that games start with are among those compared."""
        start, never = map(self.view.formula, (self.view.rules.initial, self.view.never))
        claims = z3.And(self.ask.claims)
        self.ask.require_not(
            z3.And(start, z3.Or(never, z3.Not(claims))), "a board that games start with is not compared"
        )
        self.ask.add(z3.Not(never), claims)
        if not self.ask.solved(z3.BoolVal(True, self.theory.context)):
            raise InputError("no board satisfies the claims, so that a comparison would say nothing")

    def derived(self) -> Iterator[Compared]:
        """Yield the actions by which functions are derived that do more where the rules take no such step."""
        known = {action.name: action for action in self.theory.actions}
        for function in self.theory.state:
            name = self.view.shared.functions[function.name].derived
            if name is None:
                continue
            no = z3.BoolVal(False, self.theory.context)
            parts = [self.view.universe.ground(part) for part in known[name].conjuncts]
            taken = z3.substitute(z3.And(parts), (function.now(), no))
            board = self.ask.board(z3.And(function.now(), taken, z3.Not(self._idle)))
            if board is not None:
                now = {f.name: f.now for f in self.theory.state}
                sides = now, self._next
                differs = self.sayer.outcome(name, (), board, self.ask.last, sides, known[name].clauses)
                yield Compared(name, (), False, differs)

    def way(self, entry: Entry, steps: Steps, values: Mapping[str, Symbol]) -> Compared:
        """Compare one way to take the steps of an entry."""
        likes = entry.with_values(values)
        may = self.view.formula(self.view.may(steps))
        with self.ask.scope(likes.closed):
            self.ask.require_not(
                z3.And(may, z3.Not(likes.somewhere)), f"shared.toml: `where` of {entry.shared} leaves out boards"
            )
            self.ask.add(likes.where)
            self.ask.require_not(z3.And(may, likes.shown), f"shared.toml: what is `unseen` of {entry.shared} is seen")
            self.ask.add(likes.unseen)
            calm = self.view.formula(self.view.calm(steps[0].action))
            board = self.ask.board(z3.And(likes.wanted, calm, z3.Not(may)))
            if board is not None:
                return Compared(self.name(steps), (), False, self._guards(entry, steps, likes, may, board))
            if (stuck := self._stuck(steps, may)) is not None:
                return Compared(self.name(steps), (), True, stuck)
            with self.ask.scope(self._seen_after(steps)):
                differs, happens, named = self._steps(entry, steps, likes, may)
            return Compared(self.name(steps), named, happens, differs)

    def _stuck(self, steps: Steps, may: z3.BoolRef) -> Difference | None:
        """Return a board on which steps have no next one, since two rules contradict each other or none speaks."""
        board = self.ask.board(z3.And(may, z3.Not(self.view.formula(self.view.goes_on(steps)))))
        return None if board is None else self.sayer.stuck(self.name(steps), steps, board)

    def _steps(
        self, entry: Entry, steps: Steps, likes: Way, may: z3.BoolRef
    ) -> tuple[Difference | None, bool, tuple[str, ...]]:
        idle = self._idle if entry.shared.idle else z3.BoolVal(False, self.theory.context)
        board = self.ask.board(z3.And(may, z3.Not(likes.wanted), z3.Not(z3.And(z3.Not(likes.allowed), idle))))
        if board is not None:
            return self._guards(entry, steps, likes, may, board), True, ()
        if entry.shared.one_by_one:
            differs = self._one_by_one(entry, steps, may)
        else:
            differs = self._outcomes(entry, steps, likes, may)
        happening = [like.action.name for like in likes.likes if self.ask.solved(z3.And(may, like.allowed))]
        return differs, self.ask.solved(may), tuple(dict.fromkeys(happening))

    def _outcomes(self, entry: Entry, steps: Steps, likes: Way, may: z3.BoolRef) -> Difference | None:
        """Compare what follows, for each action of the theory that is allowed, or the first of them."""
        for number, like in enumerate(likes.likes):
            before = likes.likes[:number] if entry.shared.first else ()
            this = z3.And(like.allowed, *(z3.Not(other.allowed) for other in before))
            board = self.ask.board(z3.And(may, this, z3.Not(like.effect)))
            if board is not None:
                with self.ask.scope([*self.view.fixed(board), self._elsewhere(like.effect)]):
                    true = z3.BoolVal(True, self.theory.context)
                    model = self.ask.require(true, f"{like.action.name} has no outcome where it is allowed")
                other = {f.name: _other(f.next) for f in self.theory.state}
                clauses = like.action.clauses
                return self.sayer.outcome(self.name(steps), steps, board, model, (self._next, other), clauses)
        return None

    def _one_by_one(self, entry: Entry, steps: Steps, may: z3.BoolRef) -> Difference | None:
        """Compare what follows with the outcome of the theory's actions, taken until none is allowed, in any order."""
        rounds = max(len(found) for found in self.view.elements.values())
        with self.ask.scope(entry.one_by_one(rounds)):
            last = dict(self.theory.functions_at(rounds))
            differs = [z3.Not(self._same(f.next, last[f.name])) for f in self.view.compared]
            wrong = z3.Or(entry.due(rounds), *differs)
            board = self.ask.board(z3.And(may, wrong))
            if board is None:
                return None
            model = self.ask.last
            clauses = tuple(dict.fromkeys(c for action in entry.actions for c in action.clauses))
            return self.sayer.outcome(self.name(steps), steps, board, model, (self._next, last), clauses)

    def missing(self, entry: Entry, known: Sequence[Mapping[str, Symbol]]) -> Iterator[Compared]:
        """Yield arguments for which the theory allows what the rules have no action for."""
        have = {tuple(values[letter] for letter in entry.bound) for values in known}
        calm = self.view.formula(self.view.calm())
        for row in product(*(self.view.elements[entry.letters[letter]] for letter in entry.bound)):
            values = dict(zip(entry.bound, row, strict=True))
            if row in have or not entry.concerns(values):
                continue
            likes = entry.with_values(values)
            with self.ask.scope([*likes.closed, likes.where]):
                board = self.ask.board(z3.And(likes.wanted, calm))
            if board is not None:
                said = ", ".join(f"{letter}={symbol}" for letter, symbol in values.items())
                clauses = tuple(dict.fromkeys(c for action in entry.actions for c in action.clauses))
                differs = self.sayer.guard(f"{entry.shared}: {said}", (), board, (False, True), clauses)
                yield Compared(str(entry.shared), (), False, differs)

    def unseen(self, step: StepNets) -> Compared:
        """Compare a step of which the theory sees nothing."""
        may = self.view.formula(step.guard)
        differs = self._stuck((step,), may)
        if differs is not None:
            return Compared(self.name((step,)), (), True, differs)
        with self.ask.scope(self._seen_after((step,))):
            happens = self.ask.solved(may)
            board = self.ask.board(z3.And(may, z3.Not(self._idle)))
            if board is not None:
                now = {f.name: f.now for f in self.theory.state}
                differs = self.sayer.outcome(self.name((step,)), (step,), board, self.ask.last, (self._next, now), ())
        return Compared(self.name((step,)), (), happens, differs)

    def strays(self, step: StepNets) -> Compared | None:
        """Return a board from which a step leads to one that is not compared, None if there is none."""
        (never,) = self.view.before((step,), [self.view.never])
        taken = z3.And(*map(self.view.formula, (step.guard, step.ways, step.goes_on)))
        held = z3.And(z3.Not(self.view.formula(never)), *(claim for _, claim in self.ask.claims_after))
        after = self.view.after((step,))
        torn = self.view.formula(self.view.torn(after))
        self.ask.require_not(z3.And(taken, torn), f"shared.toml: two values are seen after {self.name((step,))}")
        with self.ask.scope(self.ask.sees_after(after)):
            board = self.ask.board(z3.And(taken, z3.Not(held)))
            if board is None:
                return None
            broken = [name for name, claim in self.ask.claims_after if z3.is_false(self.ask.last.eval(claim))]
        return Compared(self.name((step,)), (), True, self.sayer.strays(self.name((step,)), step, board, broken))

    def _guards(self, entry: Entry, steps: Steps, likes: Way, may: z3.BoolRef, board: tuple[int, ...]) -> Difference:
        with self.ask.scope(self.view.fixed(board)):
            allowed = self.ask.solved(may), self.ask.solved(likes.wanted)
        clauses = tuple(dict.fromkeys(c for action in entry.actions for c in action.clauses))
        return self.sayer.guard(self.name(steps), steps, board, allowed, clauses)

    def _seen_after(self, steps: Steps) -> Iterator[z3.BoolRef]:
        """Yield what is seen after steps: of what no step changes too, and what is not seen stays as it was."""
        after = self.view.after(steps)
        torn = z3.And(*map(self.view.formula, (self.view.may(steps), self.view.torn(after))))
        self.ask.require_not(torn, f"shared.toml: two values are seen after {self.name(steps)}")
        yield from self.ask.sees_after(after)
        yield self.view.formula(self.view.ways(steps))

    def name(self, steps: Steps) -> str:
        """Return the names of steps, in a row."""
        return ", then ".join(str(self.view.system.actions[step.action].name) for step in steps)

    def require_one_outcome(self, entry: Entry) -> None:
        """Raise unless each of the theory's actions has at most one outcome, but those that leave something open."""
        likes = entry.with_values({})
        for like in (like for like in likes.likes if not like.action.open):
            with self.ask.scope(likes.closed):
                several = z3.And(like.allowed, like.effect, self._elsewhere(like.effect), self._parts)
                self.ask.require_not(several, f"{like.action.name} has several outcomes", InternalError)

    def _elsewhere(self, effect: z3.BoolRef) -> z3.BoolRef:
        return rename(effect, renaming((f.next, _other(f.next)) for f in self.theory.state))

    def _same(self, one: z3.FuncDeclRef, other: z3.FuncDeclRef) -> z3.BoolRef:
        return z3.And([one(*row) == other(*row) for row in self.view.rows(one)])


def _other(function: z3.FuncDeclRef) -> z3.FuncDeclRef:
    """Return a function like the next one, for a second outcome of the same step."""
    sorts = [function.domain(place) for place in range(function.arity())]
    return z3.Function(f"{function.name()}.other", *sorts, function.range())
