"""Show a model of first-order formulas as a board: which cards there are, and what is true of them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import product

import z3


@dataclass(frozen=True, slots=True)
class FirstOrderBoard:
    """A small board, with each function as a table from its arguments to its value.

    elements: the names of what there is, by sort. values: "true" and "false" for what holds or not.
    """

    elements: Mapping[str, tuple[str, ...]]
    values: Mapping[str, Mapping[tuple[str, ...], str]]

    def holds(self, name: str, *arguments: str) -> bool:
        """Tell whether a predicate holds of elements."""
        return self.values[name][arguments] == "true"

    def lines(self) -> list[str]:
        """Say what is true of each element, one line for each, then what is true of none in particular."""
        told: dict[str, list[str]] = {name: [] for names in self.elements.values() for name in names}
        rest: list[str] = []
        for function, table in self.values.items():
            for arguments, value in table.items():
                if value != "false":
                    said = function if value == "true" else f"{function} {value}"
                    place = told[arguments[0]] if arguments else rest
                    place.append(" ".join((said, *arguments[1:])) if value == "true" else said)
        return [f"{name}: {', '.join(said)}" for name, said in told.items() if said] + rest


class Universe:
    """At most so many elements of each sort, as constants that name them all.

    Over them formulas need no quantifiers, and the search is one over truth values.
    """

    def __init__(self, sizes: Sequence[tuple[z3.SortRef, int]]) -> None:
        self.constants = {
            sort.name(): [z3.Const(f"{sort.name().lower()}_{n}", sort) for n in range(1, size + 1)]
            for sort, size in sizes
        }
        self._ground: dict[int, tuple[z3.BoolRef, z3.BoolRef]] = {}
        self._has: dict[int, tuple[z3.ExprRef, bool]] = {}

    def closed(self, functions: Iterable[z3.FuncDeclRef]) -> list[z3.BoolRef]:
        """Return the formulas that say that functions have no other values than these."""
        found = []
        for function in functions:
            if function.range().kind() == z3.Z3_UNINTERPRETED_SORT:
                values = self.constants[function.range().name()]
                for arguments in product(*self._rows(function)):
                    found.append(z3.Or([function(*arguments) == value for value in values]))
        return found

    def ground(self, formula: z3.BoolRef) -> z3.BoolRef:
        """Return a formula with each quantifier written out over the elements."""
        key = formula.get_id()
        if key not in self._ground:
            self._ground[key] = formula, self._written_out(formula)
        return self._ground[key][1]

    def _written_out(self, formula: z3.BoolRef) -> z3.BoolRef:
        if z3.is_quantifier(formula):
            rows = [self.constants[formula.var_sort(place).name()] for place in range(formula.num_vars())]
            body = formula.body()
            ways = [z3.substitute_vars(body, *reversed(values)) for values in product(*rows)]
            if self._quantified(body):
                ways = [self.ground(way) for way in ways]
            return z3.And(ways) if formula.is_forall() else z3.Or(ways)
        if self._quantified(formula):
            parts = [self.ground(p) if p.sort_kind() == z3.Z3_BOOL_SORT else p for p in formula.children()]
            return formula.decl()(*parts)
        return formula

    def _quantified(self, formula: z3.ExprRef) -> bool:
        key = formula.get_id()
        if key not in self._has:
            found = z3.is_quantifier(formula) or any(
                self._quantified(part) for part in formula.children() if part.sort_kind() == z3.Z3_BOOL_SORT
            )
            self._has[key] = formula, found
        return self._has[key][1]

    def _rows(self, function: z3.FuncDeclRef) -> list[list[z3.ExprRef]]:
        return [self.constants[function.domain(place).name()] for place in range(function.arity())]

    def board(self, model: z3.ModelRef, functions: Iterable[tuple[str, z3.FuncDeclRef]]) -> FirstOrderBoard:
        """Read functions off a model, each under the name given for it."""
        named: dict[str, dict[str, z3.ExprRef]] = {}
        for sort, constants in self.constants.items():
            values: dict[str, z3.ExprRef] = {}
            for constant in constants:
                values.setdefault(str(model.eval(constant, model_completion=True)), constant)
            named[sort] = {f"{sort.lower()}{n}": c for n, c in enumerate(values.values(), 1)}
        names = {
            str(model.eval(constant, model_completion=True)): name
            for row in named.values()
            for name, constant in row.items()
        }
        tables = {}
        for shown, function in functions:
            rows = [named[function.domain(place).name()] for place in range(function.arity())]
            tables[shown] = {
                arguments: self._value(model, function, [row[a] for row, a in zip(rows, arguments, strict=True)], names)
                for arguments in product(*rows)
            }
        return FirstOrderBoard({sort: tuple(row) for sort, row in named.items()}, tables)

    @staticmethod
    def _value(
        model: z3.ModelRef, function: z3.FuncDeclRef, arguments: Sequence[z3.ExprRef], names: Mapping[str, str]
    ) -> str:
        value = str(model.eval(function(*arguments), model_completion=True))
        return names.get(value, value.lower())

    def name(self, model: z3.ModelRef, term: z3.ExprRef) -> str:
        """Return the name of the element that a term is in a model."""
        value = str(model.eval(term, model_completion=True))
        seen: dict[str, int] = {}
        for constant in self.constants[term.sort().name()]:
            seen.setdefault(str(model.eval(constant, model_completion=True)), len(seen) + 1)
        return f"{term.sort().name().lower()}{seen[value]}"
