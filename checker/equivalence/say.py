"""Say on which board two encodings part, and how."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import z3

from checker.engines.smt.steps import StepNets
from checker.equivalence.view import View
from checker.system.model import State
from checker.traces import Evaluator


@dataclass(frozen=True, slots=True)
class Difference:
    """A board and an action on which two encodings differ.

    what: "guard"; "outcome"; or "board", of a step to a board that is not compared. rules, theory: what each says;
    of outcomes only where they differ. fired: the clauses of the rules that fire in the steps, if they may be
    taken. clauses: those the theory's actions cite.
    """

    action: str
    what: str
    board: tuple[str, ...]
    rules: tuple[str, ...]
    theory: tuple[str, ...]
    fired: tuple[str, ...]
    clauses: tuple[str, ...]

    def lines(self) -> list[str]:
        """Say it, the board first."""
        sides = [f"the rules{_by(self.fired)}: {'; '.join(self.rules)}"]
        sides += [f"the first-order encoding{_by(self.clauses)}: {'; '.join(self.theory)}"] if self.theory else []
        return [f"{self.action}: {self.what}", f"  on {', '.join(self.board)}", *(f"  {side}" for side in sides)]


class Sayer:
    """Says differences on one view, with the plain evaluator for the clauses behind a step."""

    def __init__(self, view: View) -> None:
        self.view = view
        self.rules = Evaluator(view.system)

    def guard(
        self, name: str, steps: Sequence[StepNets], board: State, allowed: tuple[bool, bool], clauses: tuple[str, ...]
    ) -> Difference:
        """Say that one of the two allows what the other does not."""
        rules, theory = (("allowed",) if yes else ("not allowed",) for yes in allowed)
        fired = self._fired(steps, board) if allowed[0] else ()
        return Difference(name, "guard", self.view.said(board), rules, theory, fired, clauses)

    def outcome(
        self,
        name: str,
        steps: Sequence[StepNets],
        board: State,
        model: z3.ModelRef,
        sides: tuple[Mapping[str, z3.FuncDeclRef], Mapping[str, z3.FuncDeclRef]],
        clauses: tuple[str, ...],
    ) -> Difference:
        """Say how the outcomes of the two sides differ in a model, function by function."""
        named = {_read(model, constant): str(symbol) for symbol, constant in self.view.constants.items()}
        rules, theory = [], []
        for function in self.view.compared:
            for row in self.view.rows(function.next):
                ours, theirs = (_read(model, side[function.name](*row)) for side in sides)
                if ours != theirs:
                    term = f"{function.name}({', '.join(named[_read(model, x)] for x in row)})"
                    rules.append(f"{term} = {named.get(ours, ours)}")
                    theory.append(f"{term} = {named.get(theirs, theirs)}")
        fired = self._fired(steps, board)
        return Difference(name, "outcome", self.view.said(board), tuple(rules), tuple(theory), fired, clauses)

    def stuck(self, name: str, steps: Sequence[StepNets], board: State) -> Difference:
        """Say that steps have no next board."""
        fired = self._fired(steps, board)
        return Difference(name, "outcome", self.view.said(board), ("no next board",), (), fired, ())

    def strays(self, name: str, step: StepNets, board: State, broken: Sequence[str]) -> Difference:
        """Say that a step leads to a board that is not compared: which claims fail, or why `shared.lp` forbids it."""
        never = self.view.shared.never
        found = {
            str(symbol)
            for resolved in self.rules.resolve(board, step.action)
            for atom in (self.rules.evaluate(resolved.next) if resolved.next is not None else ())
            if (symbol := self.view.system.atoms[atom]) is not None and symbol.name in never
        }
        fired = self._fired([step], board)
        return Difference(name, "board", self.view.said(board), (*sorted(found), *broken), (), fired, ())

    def _fired(self, steps: Sequence[StepNets], board: State) -> tuple[str, ...]:
        """Return the clauses of the rules that fire in steps and not on their boards alone."""
        system, now = self.view.system, board
        ids: set[int] = set()
        for step in steps:
            resolved = next(self.rules.resolve(now, step.action))
            ids |= {system.fired[a] for a in resolved.true - self.rules.evaluate(now) if a in system.fired}
            if resolved.next is None:
                break
            now = resolved.next
        return tuple(dict.fromkeys(c for source in system.sources if source.id in ids for c in source.clauses))


def _read(model: z3.ModelRef, term: z3.ExprRef) -> str:
    return str(model.eval(term, model_completion=True))


def _by(clauses: Iterable[str]) -> str:
    said = ", ".join(clauses)
    return f" ({said})" if said else ""
