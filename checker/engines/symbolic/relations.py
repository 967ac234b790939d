"""One transition relation per action: when it is enabled, what it changes, and images of sets of boards."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from checker.engines.symbolic.encoding import AND, Encoding, Function, Substitution
from checker.engines.symbolic.rules import evaluate, inputs
from checker.system.model import Atom, Outcome
from checker.system.specialise import Specialised, StepRules


@dataclass(frozen=True, slots=True)
class Transition:
    """What one action does, as diagrams.

    action: its index. enabled: the boards on which it may be taken. choice: the boards and choices on which
    each open outcome that happens has one open option chosen, or none where none is open. taken: the boards
    and choices with a next board. sets: for each variable and value it may set, when it sets it.
    values: the step's atoms, for those asked for.
    """

    action: int
    enabled: Function
    choice: Function
    taken: Function
    sets: Mapping[int, Mapping[int, Function]]
    values: Mapping[Atom, Function]


@dataclass(frozen=True, slots=True)
class Relation:
    """A transition ready for images.

    relation: current bits, and next bits of the variables that `primed` stands for. changed: the current
    bits of every variable it writes. fixed: what it always writes, as current bits. constants: the bits of
    the variables in `fixed`. The variables it does not write have no next bits at all.
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
        """Return the boards one step before `boards`."""
        before = boards.apply_exists(AND, self.fixed, self.constants)
        if self.to_next is not None:
            before = before.substitute(self.to_next)
        return before.apply_exists(AND, self.relation, self.primed)


def board_values(encoding: Encoding, specialised: Specialised) -> dict[Atom, Function]:
    """Return the diagram of every atom of a board, and of the inputs."""
    return evaluate(encoding, specialised.board, inputs(encoding))


class Transitions:
    """Builds the transition of each action from the rules of its step."""

    def __init__(self, encoding: Encoding, specialised: Specialised, board: Mapping[Atom, Function]) -> None:
        self.encoding, self.specialised, self.board = encoding, specialised, board
        actions = encoding.system.actions
        self.possible = [self._atom(action.possible) for action in actions]
        self.forced = [p & self._atom(action.forced) for p, action in zip(self.possible, actions, strict=True)]
        self.any_forced = encoding.disjunction(self.forced)

    def _atom(self, atom: Atom | None) -> Function:
        return self.encoding.false if atom is None else self.board.get(atom, self.encoding.false)

    def enabled(self, action: int) -> Function:
        """Return the boards on which an action may be taken."""
        return self.possible[action] & (self.forced[action] | ~self.any_forced)

    def transition(self, action: int) -> Transition:
        """Build the transition of an action, keeping the diagrams of the goal atoms of its step."""
        encoding, step = self.encoding, self.specialised.steps[action]
        enabled = self.enabled(action)
        values = evaluate(encoding, step.strata, self.board)
        choice, decided = self._choices(step.outcomes, values)
        sets = self._sets(step, values)
        taken = enabled & decided & ~encoding.disjunction(self.conflicts(sets))
        goals = {atom: values[atom] for atom in step.goals if atom in values}
        return Transition(action, enabled, choice, taken, sets, goals)

    def _choices(self, outcomes: Sequence[Outcome], values: Mapping[Atom, Function]) -> tuple[Function, Function]:
        """Return where choices are proper, and where moreover every outcome that happens is decided."""
        false = self.encoding.false
        mine = {option.chosen for outcome in outcomes for option in outcome.options}
        others = [self.encoding.manager.not_var(b) for a, b in self.encoding.choices.items() if a not in mine]
        choice = decided = self.encoding.conjunction(reversed(others))
        for outcome in outcomes:
            none, one, open_ = self.encoding.true, false, false
            for option in outcome.options:
                chosen, enabled = values[option.chosen], values.get(option.enabled, false)
                none, one = none & ~chosen, (one & ~chosen) | (none & chosen & enabled)
                open_ = open_ | enabled
            fired = values.get(outcome.fired, false)
            settled = fired.ite(one, none)
            choice, decided = choice & (settled | (fired & ~open_ & none)), decided & settled
        return choice, decided

    def _sets(self, step: StepRules, values: Mapping[Atom, Function]) -> dict[int, dict[int, Function]]:
        sets: dict[int, dict[int, Function]] = {}
        for effect in step.effects:
            when = values.get(effect.atom, self.encoding.false)
            if when.satisfiable():
                by_value = sets.setdefault(effect.variable, {})
                by_value[effect.value] = by_value.get(effect.value, self.encoding.false) | when
        return sets

    @staticmethod
    def conflicts(sets: Mapping[int, Mapping[int, Function]]) -> Iterable[Function]:
        """Yield, for each variable, where two values are set."""
        for by_value in sets.values():
            for left, right in combinations(by_value.values(), 2):
                yield left & right

    def relation(self, transition: Transition) -> Relation:
        """Make a transition ready for images: what it always sets becomes a cube, the rest gets next bits."""
        encoding, taken = self.encoding, transition.taken
        fixed: dict[int, tuple[int]] = {}
        varying: list[int] = []
        for variable, by_value in transition.sets.items():
            live = {value: when for value, when in by_value.items() if (when & taken).satisfiable()}
            if len(live) == 1 and not (taken & ~next(iter(live.values()))).satisfiable():
                fixed[variable] = (next(iter(live)),)
            elif live:
                varying.append(variable)
        place = {variable: position for position, variable in enumerate(encoding.order)}
        varying.sort(key=place.__getitem__)
        relation = taken
        for variable in reversed(varying):
            relation = relation & self._change(variable, transition.sets[variable])
        return Relation(
            transition.action, relation.exists(encoding.choice_cube), encoding.cube_of([*fixed, *varying]),
            encoding.boards(fixed), encoding.cube_of(fixed), encoding.cube_of(varying, primed=True),
            encoding.rename(varying, to_next=False) if varying else None,
            encoding.rename(varying, to_next=True) if varying else None,
        )

    def _change(self, variable: int, by_value: Mapping[int, Function]) -> Function:
        """Return how a variable changes: to a value that is set, else not at all."""
        change = self.encoding.same(variable)
        for value, when in by_value.items():
            change = when.ite(self.encoding.equals(variable, value, primed=True), change)
        return change
