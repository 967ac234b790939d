"""Copy the ground rules of one step, once per step of a game, into clingo through its backend."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain

from clingo import Backend, Control

from checker.system.model import Atom, Goal, Kind, Literal, Rule, TransitionSystem


class Unrolling:
    """A game of some length as an answer set program over copies of the atoms.

    The program starts with one board. `add_step` adds a step from the last board, `add_board` the board
    after it; the calls alternate. Literals are clingo's program literals. `steps` counts the steps added;
    the atoms of a step are copied with those of the board it starts from.
    """

    def __init__(self, system: TransitionSystem, goals: Iterable[Goal] = (), initial: bool = True) -> None:
        """Make the program with its first board.

        Args:
            system: the ground rulebook.
            goals: the properties that will be asked about.
            initial: start from the initial boards; otherwise from any combination of values at all.

        """
        self.system = system
        self.control = Control(["--warn=none"])
        self.step_atoms = _dependent(system)
        rules = _relevant(system, goals)
        self._board_rules = [rule for rule in rules if rule.head not in self.step_atoms]
        self._step_rules = [rule for rule in rules if rule.head in self.step_atoms]
        self.steps = 0
        self._copies: list[dict[Atom, Literal]] = []
        self._conflicts: dict[int, Literal] = {}
        self._stuck: list[Literal] = []
        with self.control.backend() as backend:
            self._copies.append({})
            for variable in system.variables:
                values = variable.initial if initial else range(len(variable.domain))
                atoms = [self._literal(backend, variable.atoms[value]) for value in values]
                backend.add_rule(atoms, choice=True)
                _exactly_one(backend, atoms)
            self._copy(backend, self._board_rules)

    def _literal(self, backend: Backend, literal: Literal, board: int = -1) -> Literal:
        """Return the copy of `literal` for one board, the last by default."""
        copies = self._copies[board]
        atom = abs(literal)
        if atom not in copies:
            copies[atom] = backend.add_atom()
        return copies[atom] if literal > 0 else -copies[atom]

    def _copy(self, backend: Backend, rules: Iterable[Rule]) -> None:
        for rule in rules:
            head = [self._literal(backend, rule.head)]
            body = [self._literal(backend, literal) for literal in rule.body]
            if rule.weights:
                weighted = list(zip(body, rule.weights, strict=True))
                backend.add_weight_rule(head, rule.bound, weighted)
            else:
                backend.add_rule(head, body)

    def add_step(self) -> None:
        """Add a step from the last board: exactly one enabled action occurs, open outcomes are settled.

        The step may yet conflict or be stuck; `add_board` rules that out.
        """
        self.steps += 1
        with self.control.backend() as backend:
            self._add_actions(backend)
            self._copy(backend, self._step_rules)
            self._stuck = [self._add_outcome(backend, number) for number in range(len(self.system.outcomes))]
            self._add_conflicts(backend)

    def _add_actions(self, backend: Backend) -> None:
        actions = [action for action in self.system.actions if action.possible is not None]
        occurs = [self._literal(backend, action.occurs) for action in actions]
        backend.add_rule(occurs, choice=True)
        _exactly_one(backend, occurs)
        pressing = backend.add_atom()
        for action in actions:
            happens = self._literal(backend, action.occurs)
            possible = self._literal(backend, action.possible or 0)
            backend.add_rule([], [happens, -possible])
            if action.forced is None:
                backend.add_rule([], [happens, pressing])
            else:
                forced = self._literal(backend, action.forced)
                backend.add_rule([pressing], [possible, forced])
                backend.add_rule([], [happens, pressing, -forced])

    def _add_outcome(self, backend: Backend, number: int) -> Literal:
        """Let the outcome choose one enabled option; return the literal that says it fired and has none."""
        outcome = self.system.outcomes[number]
        fired = self._literal(backend, outcome.fired)
        chosen, some, stuck = [], backend.add_atom(), backend.add_atom()
        for option in outcome.options:
            enabled = self._literal(backend, option.enabled)
            chosen.append(self._literal(backend, option.chosen))
            backend.add_rule([chosen[-1]], [fired, enabled], choice=True)
            backend.add_rule([some], [fired, enabled])
        backend.add_weight_rule([], 2, [(literal, 1) for literal in chosen])
        backend.add_rule([], [some, *(-literal for literal in chosen)])
        backend.add_rule([stuck], [fired, -some])
        return stuck

    def _add_conflicts(self, backend: Backend) -> None:
        """For each variable that effects may set to several values, define that two of them do."""
        self._conflicts = {}
        for variable, setters in _setters(self.system).items():
            if len(setters) > 1:
                copies = ([self._literal(backend, atom) for atom in atoms] for atoms in setters.values())
                values = [_any(backend, literals) for literals in copies]
                self._conflicts[variable] = backend.add_atom()
                backend.add_weight_rule([self._conflicts[variable]], 2, [(value, 1) for value in values])

    def add_board(self) -> None:
        """Add the board after the last step, which must have one: no conflict, nothing stuck."""
        setters = _setters(self.system)
        with self.control.backend() as backend:
            for broken in chain(self._stuck, self._conflicts.values()):
                backend.add_rule([], [broken])
            self._copies.append({})
            for number, variable in enumerate(self.system.variables):
                effects = setters.get(number, {})
                sets = [self._literal(backend, atom, -2) for atoms in effects.values() for atom in atoms]
                changed = _any(backend, sets)
                for value, atom in enumerate(variable.atoms):
                    after = self._literal(backend, atom)
                    backend.add_rule([after], [self._literal(backend, atom, -2), -changed])
                    for effect in effects.get(value, ()):
                        backend.add_rule([after], [self._literal(backend, effect, -2)])
            self._copy(backend, self._board_rules)

    def ask_board(self, goal: Goal) -> Literal | None:
        """Return the literal that says the last board shows `goal`; None if no board can."""
        atoms = [atom for atom in goal_atoms(goal) if atom not in self.step_atoms]
        return self._define(atoms) if atoms else None

    def ask_step(self, goal: Goal) -> Literal | None:
        """Return the literal that says the last step shows `goal`; None if no step can."""
        if goal.kind is Kind.CONFLICT:
            return self._define_any(self._conflicts.values())
        if goal.kind is Kind.OPEN_OUTCOME:
            return self._define_open()
        atoms = [atom for atom in goal_atoms(goal) if atom in self.step_atoms]
        return self._define(atoms) if atoms else None

    def _define(self, atoms: Sequence[Atom]) -> Literal:
        with self.control.backend() as backend:
            return _any(backend, [self._literal(backend, atom) for atom in atoms])

    def _define_any(self, literals: Iterable[Literal]) -> Literal | None:
        found = list(literals)
        if not found:
            return None
        with self.control.backend() as backend:
            return _any(backend, found)

    def _define_open(self) -> Literal | None:
        with self.control.backend() as backend:
            several = []
            for outcome in self.system.outcomes:
                enabled = {self._literal(backend, option.enabled) for option in outcome.options}
                several.append(backend.add_atom())
                enough = backend.add_atom()
                backend.add_weight_rule([enough], 2, [(literal, 1) for literal in sorted(enabled)])
                backend.add_rule([several[-1]], [self._literal(backend, outcome.fired), enough])
        return self._define_any([*several, *self._stuck])

    def forbid(self, literal: Literal) -> None:
        """Rule out what was searched for and not found, so that later searches need not try again."""
        with self.control.backend() as backend:
            backend.add_rule([], [literal])

    def board_literals(self, board: int) -> Iterator[list[Literal]]:
        """Yield for each variable the literals of its values on board number `board`, 0 for the first.

        A value that the board cannot hold has the literal 0.
        """
        for variable in self.system.variables:
            yield [self._copies[board].get(atom, 0) for atom in variable.atoms]

    def copy_of(self, atom: Atom, board: int = -1) -> Literal:
        """Return the literal of `atom` on a board, 0 if it has none there and so is false."""
        return self._copies[board].get(atom, 0)

    @property
    def boards(self) -> int:
        """How many boards the game has so far."""
        return len(self._copies)


def goal_atoms(goal: Goal) -> tuple[Atom, ...]:
    """Return the atoms of which one shows the goal."""
    return goal.reached if goal.kind is Kind.SOMETIMES else tuple(atom for atom, _ in goal.violated)


def _any(backend: Backend, literals: Iterable[Literal]) -> Literal:
    """Define a literal that holds if one of `literals` does."""
    atom: Literal = backend.add_atom()
    for literal in literals:
        backend.add_rule([atom], [literal])
    return atom


def _exactly_one(backend: Backend, atoms: Sequence[Literal]) -> None:
    backend.add_rule([], [-atom for atom in atoms])
    backend.add_weight_rule([], 2, [(atom, 1) for atom in atoms])


def _setters(system: TransitionSystem) -> dict[int, dict[int, list[Atom]]]:
    """Group the effect atoms by variable and value."""
    found: dict[int, dict[int, list[Atom]]] = {}
    for effect in system.effects:
        found.setdefault(effect.variable, {}).setdefault(effect.value, []).append(effect.atom)
    return found


def _inputs(system: TransitionSystem) -> set[Atom]:
    """Return the inputs of a step: `occurs` and the chosen options."""
    options = (option for outcome in system.outcomes for option in outcome.options)
    return {action.occurs for action in system.actions} | {option.chosen for option in options}


def _dependent(system: TransitionSystem) -> frozenset[Atom]:
    """Return the atoms that depend on the step."""
    reached = _inputs(system)
    for stratum in system.strata:
        before = -1
        while before != len(reached):
            before = len(reached)
            for rule in stratum.rules:
                if not reached.isdisjoint(map(abs, rule.body)):
                    reached.add(rule.head)
            if not stratum.recursive:
                break
    return frozenset(reached)


def _relevant(system: TransitionSystem, goals: Iterable[Goal]) -> list[Rule]:
    """Return the rules that guards, effects, outcomes and the goals depend on, in order."""
    needed = {atom for action in system.actions for atom in (action.possible, action.forced) if atom}
    needed |= {effect.atom for effect in system.effects}
    needed |= {outcome.fired for outcome in system.outcomes}
    needed |= {option.enabled for outcome in system.outcomes for option in outcome.options}
    needed |= {atom for goal in goals for atom in goal_atoms(goal)}
    kept: list[tuple[Rule, ...]] = []
    for stratum in reversed(system.strata):
        if not needed.isdisjoint(rule.head for rule in stratum.rules):
            kept.append(stratum.rules)
            needed.update(abs(literal) for rule in stratum.rules for literal in rule.body)
    return [rule for rules in reversed(kept) for rule in rules]
