"""Ground rules as decision diagrams."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache

from checker.engines.symbolic.diagrams import Function
from checker.engines.symbolic.encoding import Encoding
from checker.system.model import Atom, Literal, Rule, Stratum


def inputs(encoding: Encoding) -> dict[Atom, Function]:
    """Return the diagram of every input atom that a step may read: `now(F, V)` and the chosen options."""
    values = {atom: encoding.manager.var(bit) for atom, bit in encoding.choices.items()}
    for number, variable in enumerate(encoding.system.variables):
        for value, atom in enumerate(variable.atoms):
            values[atom] = encoding.equals(number, value)
    return values


def evaluate(encoding: Encoding, strata: Iterable[Stratum], given: Mapping[Atom, Function]) -> dict[Atom, Function]:
    """Return `given` together with the diagram of every atom that `strata` derive from it.

    An atom without a rule is false. A recursive stratum is closed to its least fixpoint.
    """
    values = dict(given)
    for stratum in strata:
        grown = _derive(encoding, stratum.rules, values)
        while grown and stratum.recursive:
            grown = _derive(encoding, stratum.rules, values)
    return values


def _derive(encoding: Encoding, rules: Iterable[Rule], values: dict[Atom, Function]) -> bool:
    """Add to each head what its rules give for the present `values`; tell whether any head grew."""
    grown = False
    for rule in rules:
        body = _weighted(encoding, rule, values) if rule.weights else _conjunction(encoding, rule, values)
        before = values.get(rule.head, encoding.false)
        values[rule.head] = before | body
        grown = grown or values[rule.head] != before
    return grown


def _literal(encoding: Encoding, literal: Literal, values: Mapping[Atom, Function]) -> Function:
    value = values.get(abs(literal), encoding.false)
    return value if literal > 0 else ~value


def _conjunction(encoding: Encoding, rule: Rule, values: Mapping[Atom, Function]) -> Function:
    return encoding.conjunction(_literal(encoding, literal, values) for literal in rule.body)


def _weighted(encoding: Encoding, rule: Rule, values: Mapping[Atom, Function]) -> Function:
    """Return where the weights of the true literals add up to the bound, heaviest literals first."""
    pairs = sorted(zip(rule.weights, rule.body, strict=True), key=lambda pair: -pair[0])
    literals = [_literal(encoding, literal, values) for _, literal in pairs]
    left = [sum(weight for weight, _ in pairs[place:]) for place in range(len(pairs) + 1)]

    @cache
    def enough(place: int, bound: int) -> Function:
        if bound <= 0:
            return encoding.true
        if bound > left[place]:
            return encoding.false
        return literals[place].ite(enough(place + 1, bound - pairs[place][0]), enough(place + 1, bound))

    return enough(0, rule.bound)
