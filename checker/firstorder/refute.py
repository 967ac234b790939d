"""Refute claims with small boards: a short game to a fault, or a board one step before one."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import z3

from checker.firstorder.boards import FirstOrderBoard, Universe
from checker.firstorder.prove import Question
from checker.firstorder.theory import Claim, Renaming, Theory, declarations, rename

MOST = 3
"""The most elements tried of each sort."""


@dataclass(frozen=True, slots=True)
class SmallGame:
    """A game on a small board that ends in a fault.

    actions: what was done, with its parameters. boards: one more than actions. A step claim is broken by
    the last action. from_start: whether the first board is one that games start with; if not, it is one
    that the other claims allow, and perhaps no game reaches it.
    """

    claim: Claim
    boards: tuple[FirstOrderBoard, ...]
    actions: tuple[str, ...]
    from_start: bool


@dataclass(frozen=True, slots=True)
class TwoOutcomes:
    """A board from which something has two outcomes.

    boards, actions: a game that leads to the board, the last one. ways: what is done there, in one way and in the
    other. ends: the boards that they lead to. from_start: as of a `SmallGame`.
    """

    boards: tuple[FirstOrderBoard, ...]
    actions: tuple[str, ...]
    ways: tuple[tuple[str, ...], tuple[str, ...]]
    ends: tuple[FirstOrderBoard, FirstOrderBoard]
    from_start: bool


def shortest_game(
    theory: Theory, claim: Claim, switches: Mapping[str, bool], depth: int = 5, seconds: float = 10.0
) -> SmallGame | None:
    """Return a shortest game of at most `depth` steps on a smallest board that breaks a claim, if there is one."""
    games = [_Game(theory, switches, sizes) for sizes in _sizes(theory)]
    for game in games:
        game.add(theory.init)
    for steps in range(depth + 1):
        for game in games:
            if steps:
                game.step()
            found = game.find(claim, seconds, from_start=True) if steps or not claim.of_step else None
            if found is not None:
                return found
    return None


def step_from_any_board(
    theory: Theory, claim: Claim, assumed: Sequence[Claim], switches: Mapping[str, bool], seconds: float = 10.0
) -> SmallGame | None:
    """Return one step to a fault from a smallest board on which the `assumed` claims and the claim hold."""
    for sizes in _sizes(theory):
        game = _Game(theory, switches, sizes)
        held = [part.formula for part in assumed if not part.of_step]
        game.add(*held, *([] if claim.of_step else [claim.formula]))
        game.step()
        found = game.find(claim, seconds, from_start=False)
        if found is not None:
            return found
    return None


def never_possible(
    theory: Theory, held: Sequence[Claim], switches: Mapping[str, bool], seconds: float = 10.0
) -> tuple[str, ...]:
    """Return the actions that are possible on no small board with claims of boards: to speak of them says nothing."""
    left = {action.name: None for action in theory.actions}
    for sizes in _sizes(theory):
        game = _Game(theory, switches, sizes)
        game.add(*(claim.formula for claim in held))
        game.step()
        for name in game.possible(left, seconds):
            del left[name]
        if not left:
            break
    return tuple(left)


def met_on_small_boards(
    theory: Theory,
    asked: Sequence[tuple[Claim, z3.BoolRef]],
    held: Sequence[Claim],
    switches: Mapping[str, bool],
    seconds: float = 10.0,
) -> list[bool]:
    """Tell of each formula, about boards or steps as its claim is, if a small board with the other claims meets it."""
    met = [False] * len(asked)
    for sizes in _sizes(theory):
        game = _Game(theory, switches, sizes)
        game.suppose(held)
        for of_step in (False, True):
            if of_step:
                game.step()
            for number, (claim, formula) in enumerate(asked):
                if claim.of_step is of_step and not met[number]:
                    met[number] = game.meets(formula, [part for part in held if part is not claim], seconds)
        if all(met):
            break
    return met


def two_outcomes(
    theory: Theory,
    question: Question,
    held: Sequence[Claim],
    switches: Mapping[str, bool],
    depth: int = 4,
    seconds: float = 10.0,
) -> TwoOutcomes | None:
    """Return a smallest board that answers a question: at the end of a short game, else any with `held`, else None."""
    games = [_Game(theory, switches, sizes) for sizes in _sizes(theory)]
    for game in games:
        game.add(theory.init)
    for steps in range(depth + 1):
        for game in games:
            if steps:
                game.step()
            found = game.answer(question, seconds, from_start=True)
            if found is not None:
                return found
    for sizes in _sizes(theory):
        game = _Game(theory, switches, sizes)
        game.add(*(claim.formula for claim in held))
        found = game.answer(question, seconds, from_start=False)
        if found is not None:
            return found
    return None


def _sizes(theory: Theory) -> Iterator[dict[str, int]]:
    """Yield sizes of the sorts: one of each, then two of each, and so on."""
    for size in range(1, MOST + 1):
        yield dict.fromkeys(theory.sorts, size)


class _Game:
    """A game of growing length on a board of so many elements, as assertions."""

    def __init__(self, theory: Theory, switches: Mapping[str, bool], sizes: Mapping[str, int]) -> None:
        self.theory = theory
        self.universe = Universe([(theory.sorts[name], size) for name, size in sizes.items()])
        self.solver = z3.Solver(ctx=theory.context)
        self._taken: list[list[tuple[z3.BoolRef, str, list[z3.ExprRef]]]] = []
        self._shifts: list[Renaming] = []
        self._known = {f.name() for f in (*dict(theory.rigid).values(), *(f.now for f in theory.state))}
        self.add(*theory.axioms, *theory.chosen(switches))
        self._close(0)

    def add(self, *formulas: z3.BoolRef) -> None:
        """Assert formulas about board 0."""
        self.solver.add(*map(self.universe.ground, formulas))

    def step(self) -> None:
        """Take an action on the last board."""
        number = len(self._taken)
        taken = []
        for action in self.theory.actions:
            switch = z3.Bool(f"step {number} {action.name}", self.theory.context)
            params = [z3.Const(f"step {number} {param}", param.sort()) for param in action.params]
            pairs = list(zip(action.params, params, strict=True))
            for part in action.conjuncts:
                renamed = self._shifted(part, number)
                self.solver.add(z3.Implies(switch, z3.substitute(renamed, *pairs) if pairs else renamed))
            self.solver.add(*self.universe.closed(param.decl() for param in params))
            taken.append((switch, action.name, params))
        self.solver.add(z3.Or([switch for switch, _, _ in taken]))
        self._taken.append(taken)
        self._close(number + 1)

    def find(self, claim: Claim, seconds: float, from_start: bool) -> SmallGame | None:
        """Return a game whose last board, or last step, breaks the claim."""
        steps = len(self._taken)
        self.solver.set("timeout", int(seconds * 1000))
        self.solver.push()
        self.solver.add(z3.Not(self._shifted(claim.formula, steps - claim.of_step)))
        model = self.solver.model() if self.solver.check() == z3.sat else None
        self.solver.pop()
        if model is None:
            return None
        boards = tuple(self.universe.board(model, self.theory.functions_at(n)) for n in range(steps + 1))
        return SmallGame(claim, boards, tuple(self._said(model, taken) for taken in self._taken), from_start)

    def possible(self, names: Collection[str], seconds: float) -> list[str]:
        """Return those of the actions named that the last step can be."""
        self.solver.set("timeout", int(seconds * 1000))
        taken = self._taken[-1]
        return [name for switch, name, _ in taken if name in names and self.solver.check(switch) != z3.unsat]

    def suppose(self, claims: Iterable[Claim]) -> None:
        """Let claims hold of board 0 where they are named."""
        for claim in claims:
            self.solver.add(z3.Implies(self._supposed(claim), self.universe.ground(claim.formula)))

    def meets(self, formula: z3.BoolRef, claims: Iterable[Claim], seconds: float) -> bool:
        """Tell whether board 0, with claims that were supposed, and the first step if there is one meet a formula."""
        self.solver.set("timeout", int(seconds * 1000))
        self.solver.push()
        self.solver.add(self._shifted(formula, 0))
        answer = self.solver.check(*map(self._supposed, claims))
        self.solver.pop()
        return bool(answer == z3.sat)

    def _supposed(self, claim: Claim) -> z3.BoolRef:
        return z3.Bool(f"suppose {claim.name}", self.theory.context)

    def answer(self, question: Question, seconds: float, from_start: bool) -> TwoOutcomes | None:
        """Return how the last board answers a question."""
        steps = len(self._taken)
        params = [param for way in question.ways for _, arguments in way for param in arguments]
        asked = {f.name(): f for formula in question.whole for f in declarations(formula)}
        own = [f for name, f in asked.items() if name not in self._known]
        self.solver.set("timeout", int(seconds * 1000))
        self.solver.push()
        self.solver.add(*(self._shifted(formula, steps) for formula in question.whole))
        self.solver.add(*self.universe.closed([*own, *(param.decl() for param in params)]))
        model = self.solver.model() if self.solver.check() == z3.sat else None
        self.solver.pop()
        if model is None:
            return None
        boards = tuple(self.universe.board(model, self.theory.functions_at(n)) for n in range(steps + 1))
        left, right = (self.universe.board(model, end) for end in question.ends)
        ways = [tuple(self._call(model, name, arguments) for name, arguments in way) for way in question.ways]
        actions = tuple(self._said(model, taken) for taken in self._taken)
        return TwoOutcomes(boards, actions, (ways[0], ways[1]), (left, right), from_start)

    def _call(self, model: z3.ModelRef, name: str, arguments: Sequence[z3.ExprRef]) -> str:
        said = ", ".join(self.universe.name(model, argument) for argument in arguments)
        return f"{name}({said})" if said else name

    def _shifted(self, formula: z3.BoolRef, number: int) -> z3.BoolRef:
        while number >= len(self._shifts):
            self._shifts.append(self.theory.shift(len(self._shifts)))
        return rename(self.universe.ground(formula), self._shifts[number])

    def _close(self, number: int) -> None:
        functions = dict(self.theory.functions_at(number)).values()
        self.solver.add(*self.universe.closed(functions))

    def _said(self, model: z3.ModelRef, taken: Sequence[tuple[z3.BoolRef, str, list[z3.ExprRef]]]) -> str:
        for switch, name, params in taken:
            if z3.is_true(model.eval(switch, model_completion=True)):
                return self._call(model, name, params)
        raise AssertionError("some action is taken in every step")
