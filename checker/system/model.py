"""The narrow waist: what an engine may know of a rulebook on one board."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import Enum
from functools import cached_property
from itertools import product
from typing import TypeAlias

from clingo.symbol import Symbol

Atom: TypeAlias = int
"""Index into `TransitionSystem.atoms`, 1 or more; atoms are never negative."""

Literal: TypeAlias = int
"""An atom, or minus the atom for its default negation."""

State: TypeAlias = tuple[int, ...]
"""A board: for each variable, in order, the index of its value in the variable's domain."""


@dataclass(frozen=True, slots=True)
class Rule:
    """A ground rule `head :- body`, or with weights `head :- bound <= #sum { weight : literal }`.

    `weights` is empty for a plain conjunction; otherwise it has one positive weight per literal of `body`.
    """

    head: Atom
    body: tuple[Literal, ...]
    weights: tuple[int, ...] = ()
    bound: int = 0


@dataclass(frozen=True, slots=True)
class Stratum:
    """The rules of atoms that are evaluated together; a recursive stratum is a least fixpoint."""

    rules: tuple[Rule, ...]
    recursive: bool


@dataclass(frozen=True, slots=True)
class Variable:
    """A state variable with its finite domain; `atoms[i]` is `now(name, domain[i])`."""

    name: Symbol
    domain: tuple[Symbol, ...]
    initial: tuple[int, ...]
    atoms: tuple[Atom, ...]

    @property
    def bits(self) -> int:
        """The bits a binary code of the domain needs."""
        return (len(self.domain) - 1).bit_length()


@dataclass(frozen=True, slots=True)
class Effect:
    """`set(variable, value)`, made true by `atom`; `value` is an index into the domain."""

    variable: int
    value: int
    atom: Atom


@dataclass(frozen=True, slots=True)
class Action:
    """A ground action. `possible` and `forced` are None where no ground rule derives them.

    `by` lists who may decide it, each with the atom that says so; None means always.
    """

    name: Symbol
    occurs: Atom
    possible: Atom | None
    forced: Atom | None
    by: tuple[tuple[Symbol, Atom | None], ...]


@dataclass(frozen=True, slots=True)
class Outcome:
    """An open outcome: when `fired` holds, exactly one option whose `enabled` holds is chosen.

    Choosing option i makes the input atom `options[i].chosen` true.
    """

    fired: Atom
    options: tuple[Option, ...]


@dataclass(frozen=True, slots=True)
class Option:
    """One way an open outcome may go: open to choice if `enabled`, taken if `chosen`."""

    enabled: Atom
    chosen: Atom
    effect: Symbol


class Kind(Enum):
    """What a property asks (see `rulebook.schema.json`)."""

    INVARIANT = "invariant"
    STEP = "step"
    SOMETIMES = "sometimes"
    CONFLICT = "conflict"
    OPEN_OUTCOME = "open_outcome"
    TERMINATION = "termination"
    ACTIONS_REACHABLE = "actions_reachable"
    RULES_FIRE = "rules_fire"
    DETERMINISM = "determinism"
    RESPONSE = "response"


@dataclass(frozen=True, slots=True)
class Goal:
    """A property as atoms: what makes it violated, reached, pending, answered, or starts its resolution.

    Each field maps a ground atom to its culprit (None where the predicate has none).
    """

    name: str
    kind: Kind
    violated: tuple[tuple[Atom, Symbol | None], ...] = ()
    reached: tuple[Atom, ...] = ()
    resolution: tuple[Atom, ...] = ()
    pending: tuple[Atom, ...] = ()
    answered: tuple[Atom, ...] = ()


@dataclass(frozen=True, slots=True)
class RuleSource:
    """A rule of the rulebook: where it stands and which clauses it means."""

    id: int
    file: str
    line: int
    column: int
    text: str
    clauses: tuple[str, ...]
    assumption: str | None


def rule_name(source: RuleSource) -> str:
    """Name a rule by its place and clauses, as reports and RULES_FIRE culprits do."""
    return f"{source.file}:{source.line} {', '.join(source.clauses)}".rstrip()


def by_place(name: str) -> tuple[str, int, str]:
    """Return a key to sort names of rules by, file by file in the order of their lines; other names as they are."""
    found = re.fullmatch(r"(.*?):(\d+)(.*)", name, re.DOTALL)
    return (found[1], int(found[2]), found[3]) if found else (name, 0, "")


@dataclass(frozen=True)
class TransitionSystem:
    """A rulebook on one board, ground.

    atoms: the symbol of each atom, None for auxiliary ones; index 0 is unused.
    strata: all rules in an order in which each stratum reads only earlier ones.
    inputs are the atoms `now(F, V)`, `occurs(A)` and the chosen options; no rule derives them.
    facts: atoms that always hold, kept for words and drawing; no rule body mentions them.
    fired: for each provenance atom the id of its rule in `sources`.
    A step takes one action whose `possible` holds; while some possible action is forced it must be a
    forced one. Fluents that no true effect sets keep their value; two values for one are a conflict, and
    such a step has no next board.
    """

    name: str
    atoms: tuple[Symbol | None, ...]
    strata: tuple[Stratum, ...]
    variables: tuple[Variable, ...]
    actions: tuple[Action, ...]
    effects: tuple[Effect, ...]
    outcomes: tuple[Outcome, ...]
    goals: tuple[Goal, ...]
    facts: frozenset[Symbol]
    fired: Mapping[Atom, int]
    sources: tuple[RuleSource, ...]

    @property
    def bits(self) -> int:
        """The bits of one packed board."""
        return sum(variable.bits for variable in self.variables)

    @cached_property
    def atom_of(self) -> Mapping[Symbol, Atom]:
        """The atom of each symbol that is not a fact."""
        return {symbol: atom for atom, symbol in enumerate(self.atoms) if symbol is not None}

    @cached_property
    def goal(self) -> Mapping[str, Goal]:
        """The properties by name."""
        return {goal.name: goal for goal in self.goals}

    def rules(self) -> Iterator[Rule]:
        """Yield every rule in the order of evaluation."""
        for stratum in self.strata:
            yield from stratum.rules

    def initial_states(self) -> Iterator[State]:
        """Yield every initial board: the product of the variables' initial values."""
        yield from product(*(variable.initial for variable in self.variables))


@dataclass(frozen=True, slots=True)
class Step:
    """One step of a trace: the index of the action taken and the `chosen` atoms of its open outcomes."""

    action: int
    chosen: tuple[Atom, ...] = ()


@dataclass(frozen=True, slots=True)
class Trace:
    """A game, from an initial board.

    `states` has one more entry than `steps`, unless the last step breaks a step property or conflicts: then
    it has no next board and both have the same length. `loop` is the index of the state to which a lasso
    returns from the last state.
    """

    states: tuple[State, ...]
    steps: tuple[Step, ...]
    loop: int | None = None
