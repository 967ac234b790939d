"""Ground rules compiled to operations on bit vectors, one bit per state of a chunk."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby

import numpy as np

from checker.engines.explicit.bits import Words, constant
from checker.system.model import Atom, Literal, Rule, Stratum


class Values:
    """The bit vectors of literals on one chunk, negations made when first asked for.

    `outer` holds those of the board while a step is evaluated on top of it. No vector is ever changed.
    """

    def __init__(self, width: int, outer: Values | None = None) -> None:
        self.width = width
        self._outer = outer
        self._known: dict[Literal, Words] = {}
        self._constants: tuple[Words, Words]
        if outer is None:
            self._constants = constant(width, False), constant(width, True)
        else:
            self._constants = outer._constants

    def __setitem__(self, atom: Atom, vector: Words) -> None:
        self._known[atom] = vector

    def __getitem__(self, lit: Literal) -> Words:
        """Return the vector of a literal; an atom that nothing derives is false."""
        found = self._known.get(lit)
        if found is not None:
            return found
        if self._outer is not None and abs(lit) not in self._known:
            return self._outer[lit]
        positive = self._known.get(-lit) if lit < 0 else None
        found = self._known[lit] = ~positive if positive is not None else self.constant(lit < 0)
        return found

    def constant(self, true: bool) -> Words:
        """Return the vector of a constant."""
        return self._constants[true]


@dataclass(frozen=True, slots=True)
class Definition:
    """All rules of one atom: plain bodies, and weighted ones."""

    head: Atom
    bodies: tuple[tuple[Literal, ...], ...]
    weighted: tuple[Rule, ...]

    def evaluate(self, values: Values) -> Words:
        """Return where some body holds."""
        result: Words | None = None
        for body in self.bodies:
            holds = conjunction(values, body)
            result = holds if result is None else result | holds
        for rule in self.weighted:
            holds = _at_least(values, rule)
            result = holds if result is None else result | holds
        return values.constant(False) if result is None else result


@dataclass(frozen=True, slots=True)
class Block:
    """Definitions evaluated once in order, or until nothing grows if they are recursive."""

    definitions: tuple[Definition, ...]
    recursive: bool


@dataclass(frozen=True)
class Program:
    """Compiled rules: blocks in an order of evaluation."""

    blocks: tuple[Block, ...]

    @cached_property
    def heads(self) -> frozenset[Atom]:
        """The atoms that some rule may make true."""
        return frozenset(d.head for block in self.blocks for d in block.definitions)

    @cached_property
    def always(self) -> frozenset[Atom]:
        """The atoms that are true whatever the inputs."""
        return frozenset(d.head for block in self.blocks for d in block.definitions if () in d.bodies)

    def run(self, values: Values) -> None:
        """Evaluate every head on top of the inputs in `values`."""
        for block in self.blocks:
            if block.recursive:
                _least_fixpoint(block, values)
            else:
                for definition in block.definitions:
                    values[definition.head] = definition.evaluate(values)


def compile_rules(strata: Iterable[Stratum], fixed: Mapping[Atom, bool] | None = None) -> Program:
    """Compile strata, given the truth of some input atoms.

    Args:
        strata: rules, each stratum after those it reads.
        fixed: inputs with a known value, such as the chosen options; they vanish from the bodies.

    """
    known = dict(fixed or {})
    blocks = []
    for stratum in strata:
        rules = [left for rule in stratum.rules if (left := _reduce(rule, known)) is not None]
        if not stratum.recursive:
            heads = {rule.head for rule in rules}
            known.update((rule.head, False) for rule in stratum.rules if rule.head not in heads)
        definitions = tuple(_definitions(rules))
        if definitions:
            blocks.append(Block(definitions, stratum.recursive))
    return Program(tuple(blocks))


def _definitions(rules: Sequence[Rule]) -> Iterable[Definition]:
    ordered = sorted(rules, key=lambda rule: rule.head)
    for head, group in groupby(ordered, key=lambda rule: rule.head):
        same = list(group)
        plain = tuple(rule.body for rule in same if not rule.weights)
        yield Definition(head, plain, tuple(rule for rule in same if rule.weights))


def _reduce(rule: Rule, known: Mapping[Atom, bool]) -> Rule | None:
    """Return what is left of a rule, or None if its body is false."""
    unknown = [i for i, lit in enumerate(rule.body) if abs(lit) not in known]
    if len(unknown) == len(rule.body):
        return rule
    body = tuple(rule.body[i] for i in unknown)
    true = [i for i, lit in enumerate(rule.body) if abs(lit) in known and known[abs(lit)] == (lit > 0)]
    if not rule.weights:
        return Rule(rule.head, body) if len(true) + len(body) == len(rule.body) else None
    bound = rule.bound - sum(rule.weights[i] for i in true)
    if bound <= 0:
        return Rule(rule.head, ())
    weights = tuple(rule.weights[i] for i in unknown)
    return Rule(rule.head, body, weights, bound) if sum(weights) >= bound else None


def conjunction(values: Values, body: Sequence[Literal]) -> Words:
    """Return where all literals hold."""
    if not body:
        return values.constant(True)
    first = values[body[0]]
    if len(body) == 1:
        return first
    result = first & values[body[1]]
    for lit in body[2:]:
        result &= values[lit]
    return result


def _least_fixpoint(block: Block, values: Values) -> None:
    for definition in block.definitions:
        values[definition.head] = values.constant(False)
    grown = True
    while grown:
        grown = False
        for definition in block.definitions:
            before, after = values[definition.head], definition.evaluate(values)
            if not np.array_equal(before, after):
                values[definition.head] = after
                grown = True


def _at_least(values: Values, rule: Rule) -> Words:
    """Return where the weights of the true literals of a weighted rule add up to its bound."""
    digits = [values.constant(False) for _ in range(sum(rule.weights).bit_length())]
    for lit, weight in zip(rule.body, rule.weights, strict=True):
        carry = values.constant(False)
        for place, digit in enumerate(digits):
            term = values[lit] if weight >> place & 1 else None
            total = digit ^ carry
            carry = digit & carry
            if term is not None:
                carry |= total & term
                total = total ^ term
            digits[place] = total
    enough = values.constant(True)
    for place, digit in enumerate(digits):
        enough = enough & digit if rule.bound >> place & 1 else enough | digit
    return enough
