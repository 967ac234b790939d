"""Which sorts of a formula depend on which: the test for a fragment that solvers decide.

An edge from sort S to sort T means that a T may depend on an S: a function takes an S to a T, or a T exists
for every S. Without a cycle there are finitely many terms to try, so every question has an answer (the
stratified fragment around Bernays, Schoenfinkel and Ramsey; Ge and de Moura 2009).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import pairwise

import z3

Edges = Mapping[tuple[str, str], str]
"""Each edge with what it comes from."""


def edges(formulas: Iterable[z3.BoolRef]) -> dict[tuple[str, str], str]:
    """Return the edges of the formulas taken together, as assertions."""
    found = _Walk()
    for formula in formulas:
        found.visit(formula, positive=True, universal=())
    return found.edges


def cycle(found: Edges) -> list[tuple[str, str]]:
    """Return the edges of a cycle, a shortest one; the empty list if there is none."""
    after: dict[str, list[str]] = {}
    for start, end in found:
        after.setdefault(start, []).append(end)
    best: list[str] = []
    for root in sorted(after):
        path = _shortest(after, root)
        if path and (not best or len(path) < len(best)):
            best = path
    return list(pairwise(best))


def _shortest(after: Mapping[str, list[str]], root: str) -> list[str]:
    """Return the shortest path from `root` back to it."""
    paths = [[root]]
    seen: set[str] = set()
    for path in paths:
        for sort in after.get(path[-1], ()):
            if sort == root:
                return [*path, root]
            if sort not in seen:
                seen.add(sort)
                paths.append([*path, sort])
    return []


class _Walk:
    """Goes through formulas with the sign they stand under and the universal sorts around them."""

    def __init__(self) -> None:
        self.edges: dict[tuple[str, str], str] = {}
        self._seen: set[tuple[int, bool, tuple[str, ...]]] = set()

    def visit(self, term: z3.ExprRef, positive: bool, universal: tuple[str, ...]) -> None:
        """Collect the edges of a Boolean term."""
        key = (term.get_id(), positive, universal)
        if key in self._seen:
            return
        self._seen.add(key)
        if z3.is_quantifier(term):
            self._quantifier(term, positive, universal)
        elif z3.is_not(term):
            self.visit(term.arg(0), not positive, universal)
        elif z3.is_implies(term):
            self.visit(term.arg(0), not positive, universal)
            self.visit(term.arg(1), positive, universal)
        elif z3.is_and(term) or z3.is_or(term):
            for part in term.children():
                self.visit(part, positive, universal)
        elif z3.is_app(term):
            self._application(term, universal)

    def _quantifier(self, term: z3.QuantifierRef, positive: bool, universal: tuple[str, ...]) -> None:
        sorts = [term.var_sort(place).name() for place in range(term.num_vars())]
        if term.is_forall() == positive:
            self.visit(term.body(), positive, tuple(sorted({*universal, *sorts})))
            return
        for sort in sorts:
            for outer in universal:
                self.edges.setdefault((outer, sort), f"for every {outer} there is some {sort}")
        self.visit(term.body(), positive, universal)

    def _application(self, term: z3.ExprRef, universal: tuple[str, ...]) -> None:
        """Collect the edges of a function; Boolean arguments, as of =, stand under both signs."""
        declared = term.decl()
        if declared.kind() == z3.Z3_OP_UNINTERPRETED and term.sort_kind() != z3.Z3_BOOL_SORT:
            for place in range(declared.arity()):
                edge = (declared.domain(place).name(), term.sort().name())
                self.edges.setdefault(edge, f"the function {declared.name()}")
        for part in term.children():
            if part.sort_kind() == z3.Z3_BOOL_SORT:
                self.visit(part, True, universal)
                self.visit(part, False, universal)
            elif z3.is_app(part):
                self._application(part, universal)
