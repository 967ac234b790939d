"""One transition relation per action: when it is enabled, what it changes, and images of sets of boards."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

from checker.engines.symbolic.diagrams import AND, Function, Substitution
from checker.engines.symbolic.encoding import NEXT, Encoding
from checker.engines.symbolic.rules import evaluate, inputs
from checker.system.model import Atom, Outcome
from checker.system.specialise import Specialised, StepRules


@dataclass(frozen=True, slots=True)
class Transition:
    """What one action does, as diagrams over boards and choices of open outcomes.

    action: its index. enabled: the boards on which it may be taken. steps: those with proper choices: one
    open option of each outcome that happens, none of an outcome without one. stuck: the steps in which an
    outcome has no option. several: those in which one has two or more. taken: the steps with a next board.
    sets: when each variable is set to each value. values: the atoms of the step that were asked for.
    """

    action: int
    enabled: Function
    steps: Function
    stuck: Function
    several: Function
    taken: Function
    sets: Mapping[int, Mapping[int, Function]]
    values: Mapping[Atom, Function]

    def clashes(self) -> Iterator[Function]:
        """Yield, for each variable and two values, when both are set."""
        for by_value in self.sets.values():
            for left, right in combinations(by_value.values(), 2):
                yield self.steps & left & right


@dataclass(frozen=True, slots=True)
class Relation:
    """A transition ready for images.

    relation: over current bits, and the next bits of variables whose new value varies. changed: the current
    bits of all variables it writes. fixed: the values it always writes, as current bits; constants: the bits
    of those variables. primed: the next bits in `relation`. A variable it does not write is left alone.
    """

    action: int
    relation: Function
    changed: Function
    fixed: Function
    constants: Function
    primed: Function
    to_current: Substitution | None
    to_next: Substitution | None

    def image(self, boards: Function) -> Function:
        """Return the boards one step after `boards`."""
        after = boards.apply_exists(AND, self.relation, self.changed)
        if self.to_current is not None:
            after = after.substitute(self.to_current)
        return after & self.fixed

    def preimage(self, boards: Function) -> Function:
        """Return the boards one step before `boards`; bits of other copies than these two pass through."""
        before = boards.apply_exists(AND, self.fixed, self.constants)
        if self.to_next is not None:
            before = before.substitute(self.to_next)
        return before.apply_exists(AND, self.relation, self.primed)

    def top(self) -> int:
        """Return the level of the topmost bit it changes; below all others if it changes nothing."""
        level = self.changed.node_level()
        return 1 << 30 if level is None else level


class Moves:
    """The transitions and relations of every action of a system.

    board: the diagram of every atom of a board. forced: for each action the boards on which it is possible
    and forced. busy: the boards on which some action is.
    """

    def __init__(self, encoding: Encoding, specialised: Specialised) -> None:
        self.encoding = encoding
        self.board = evaluate(encoding, specialised.board, inputs(encoding))
        actions = encoding.system.actions
        self._possible = [self.board_atom(action.possible) for action in actions]
        self.forced = [
            possible & self.board_atom(action.forced) for possible, action in zip(self._possible, actions, strict=True)
        ]
        self.busy = encoding.disjunction(self.forced)
        self.transitions = [self._transition(step) for step in specialised.steps]
        relations = map(self.with_choices, self.transitions)
        self.relations = [replace(r, relation=r.relation.exists(encoding.choice_cube)) for r in relations]

    def board_atom(self, atom: Atom | None) -> Function:
        """Return the boards on which an atom holds; none if there is no such atom."""
        return self.encoding.false if atom is None else self.board.get(atom, self.encoding.false)

    def _transition(self, step: StepRules) -> Transition:
        encoding, action = self.encoding, step.action
        enabled = self._possible[action] & (self.forced[action] | ~self.busy)
        values = evaluate(encoding, step.strata, self.board)
        steps, stuck, several = enabled & self._unchosen(step.outcomes), encoding.false, encoding.false
        for outcome in step.outcomes:
            proper, none, two = self._choice(outcome, values)
            steps, stuck, several = steps & proper, stuck | none, several | two
        sets = self._sets(step, values)
        goals = {atom: values[atom] for atom in step.goals if atom in values}
        draft = Transition(action, enabled, steps, steps & stuck, steps & several, steps, sets, goals)
        return replace(draft, taken=steps & ~stuck & ~encoding.disjunction(draft.clashes()))

    def _unchosen(self, outcomes: Sequence[Outcome]) -> Function:
        """Return where no option of an outcome that cannot happen in this step is chosen."""
        mine = {option.chosen for outcome in outcomes for option in outcome.options}
        bits = [bit for atom, bit in self.encoding.choices.items() if atom not in mine]
        return self.encoding.conjunction(self.encoding.manager.not_var(bit) for bit in reversed(bits))

    def _choice(self, outcome: Outcome, values: Mapping[Atom, Function]) -> tuple[Function, Function, Function]:
        """Return where an outcome's choice is proper, where it happens without an option, and with several."""
        none, one = self.encoding.true, self.encoding.false
        some = several = self.encoding.false
        for option in outcome.options:
            chosen, open_ = values[option.chosen], values.get(option.enabled, self.encoding.false)
            none, one = none & ~chosen, (one & ~chosen) | (none & chosen & open_)
            some, several = some | open_, several | (some & open_)
        fired = values.get(outcome.fired, self.encoding.false)
        return (fired & some).ite(one, none), fired & ~some, fired & several

    def _sets(self, step: StepRules, values: Mapping[Atom, Function]) -> dict[int, dict[int, Function]]:
        sets: dict[int, dict[int, Function]] = {}
        for effect in step.effects:
            if effect.value in self.encoding.values[effect.variable]:
                by_value = sets.setdefault(effect.variable, {})
                when = values.get(effect.atom, self.encoding.false)
                by_value[effect.value] = by_value.get(effect.value, self.encoding.false) | when
        return sets

    def with_choices(self, transition: Transition) -> Relation:
        """Make a transition ready for images: what it always sets becomes a cube, the rest gets next bits.

        The choices of open outcomes are left in its relation; `relations` are without.
        """
        encoding, taken = self.encoding, transition.taken
        fixed: dict[int, tuple[int]] = {}
        varying: list[int] = []
        for variable in encoding.order:
            by_value = transition.sets.get(variable, {})
            live = {value: when for value, when in by_value.items() if (when & taken).satisfiable()}
            if len(live) == 1 and not (taken & ~next(iter(live.values()))).satisfiable():
                fixed[variable] = (next(iter(live)),)
            elif live:
                varying.append(variable)
        relation = taken
        for variable in reversed(varying):
            relation = relation & self._change(variable, transition.sets[variable])
        return Relation(
            action=transition.action,
            relation=relation,
            changed=encoding.cube_of([*fixed, *varying]),
            fixed=encoding.boards(fixed),
            constants=encoding.cube_of(fixed),
            primed=encoding.cube_of(varying, NEXT),
            to_current=encoding.rename(varying, to_next=False),
            to_next=encoding.rename(varying, to_next=True),
        )

    def _change(self, variable: int, by_value: Mapping[int, Function]) -> Function:
        """Return how a variable changes: to a value that is set, else not at all."""
        change = self.encoding.same([variable], NEXT)
        for value, when in by_value.items():
            change = when.ite(self.encoding.equals(variable, value, NEXT), change)
        return change
