"""Run a trace again, step by step, and say what happened in each step and by which rule."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from clingo.symbol import Symbol

from checker.errors import InternalError, counted
from checker.system.model import Atom, State, Step, Trace, TransitionSystem
from checker.traces.evaluate import Evaluator, Resolved, evaluator


class ReplayError(InternalError):
    """A trace is not a game of the system, or does not show what it is said to show.

    `step` is the number of the step at fault, from 1; 0 is the initial board.
    """

    def __init__(self, step: int, reason: str) -> None:
        self.step = step
        super().__init__(f"replay: {'initial board' if step == 0 else f'step {step}'}: {reason}")


@dataclass(frozen=True, slots=True)
class Change:
    """A fluent that got another value, with the ids of the rules whose `fired` atoms set it."""

    fluent: Symbol
    old: Symbol
    new: Symbol
    rules: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class ReplayedStep:
    """One step as the rules have it.

    action: its term. deciders: who decides it on this board. forced: it was a forced action.
    guards: the ids of the rules that make it possible, forced, and someone's to decide.
    rules: the ids of the rules of the step that fired. events: what happened, in the order of the terms.
    changes: fluents with another value, in the order of the variables; for a step without a next board,
    every value some rule set, so two entries for a conflict. true: every atom that holds in the step.
    chosen: the effects of the open outcomes, as taken. after: the next board, None where there is none or
    the trace leaves it out.
    """

    action: Symbol
    deciders: tuple[Symbol, ...]
    forced: bool
    guards: tuple[int, ...]
    rules: tuple[int, ...]
    events: tuple[Symbol, ...]
    changes: tuple[Change, ...]
    chosen: tuple[Symbol, ...]
    true: frozenset[Atom]
    after: State | None


@dataclass(frozen=True, slots=True)
class ReplayedTrace:
    """A trace run again. boards: for each state the atoms that hold on it when nothing occurs.

    `loop` is the index of the board to which the last board (the same board again) or the last step returns.
    """

    states: tuple[State, ...]
    boards: tuple[frozenset[Atom], ...]
    steps: tuple[ReplayedStep, ...]
    loop: int | None = None

    def symbols(self, system: TransitionSystem, index: int) -> frozenset[Symbol]:
        """Return what holds on board number `index` as terms, the facts of the system included."""
        named = (system.atoms[atom] for atom in self.boards[index])
        return system.facts | {symbol for symbol in named if symbol is not None}


def replay(system: TransitionSystem, trace: Trace) -> ReplayedTrace:
    """Run `trace` again from the ground rules.

    Raises:
        ReplayError: a state is no board of the system, the first is not initial, an action is not enabled,
            an open outcome is not settled as the rules allow, or a next board differs from the one given.

    """
    rules = evaluator(system)
    _check_shape(system, trace)
    steps = tuple(_replay_step(rules, trace, index) for index in range(len(trace.steps)))
    _check_loop(trace, steps)
    boards = tuple(rules.evaluate(state) for state in trace.states)
    return ReplayedTrace(trace.states, boards, steps, trace.loop)


def _check_shape(system: TransitionSystem, trace: Trace) -> None:
    if len(trace.states) - len(trace.steps) not in (0, 1) or not trace.states:
        raise ReplayError(0, f"{len(trace.states)} boards do not fit {counted(len(trace.steps), 'step')}")
    for index, state in enumerate(trace.states):
        if len(state) != len(system.variables):
            raise ReplayError(index, f"a board of {len(state)} values for {len(system.variables)} variables")
        for variable, value in zip(system.variables, state, strict=True):
            if not 0 <= value < len(variable.domain):
                raise ReplayError(index, f"{variable.name} has no value number {value}")
    for variable, value in zip(system.variables, trace.states[0], strict=True):
        if value not in variable.initial:
            raise ReplayError(0, f"{variable.name} may not hold {variable.domain[value]} at the start")
    if trace.loop is not None and not 0 <= trace.loop < len(trace.steps):
        raise ReplayError(len(trace.steps), f"no step leads on from board {trace.loop}, to which it loops")


def _check_loop(trace: Trace, steps: tuple[ReplayedStep, ...]) -> None:
    if trace.loop is None:
        return
    back = trace.states[-1] if len(trace.states) > len(trace.steps) else steps[-1].after
    if back != trace.states[trace.loop]:
        raise ReplayError(len(steps), f"the run does not return to board {trace.loop}")


def _replay_step(rules: Evaluator, trace: Trace, index: int) -> ReplayedStep:
    """Run step number `index` and compare it with the trace."""
    state, step = trace.states[index], trace.steps[index]
    number = index + 1
    if not 0 <= step.action < len(rules.system.actions):
        raise ReplayError(number, f"there is no action number {step.action}")
    name = rules.system.actions[step.action].name
    if step.action not in rules.enabled(state):
        raise ReplayError(number, f"{name} may not be taken on this board")
    way = _settled(rules, state, step, number, ends=number == len(trace.states))
    if number < len(trace.states):
        expected = trace.states[number]
        if way.next is None:
            raise ReplayError(number, f"{name} has no next board, but the trace goes on: {_why(rules, way)}")
        if way.next != expected:
            found = _differences(rules, way.next, expected)
            raise ReplayError(number, f"{name} leads to another board: {found}")
    return _describe(rules, state, step, way)


def _settled(rules: Evaluator, state: State, step: Step, number: int, ends: bool) -> Resolved:
    """Return the way through the open outcomes that the step takes.

    A step that ends the trace may leave them open, since what it shows may be just that: the first way.
    """
    for way in rules.resolve(state, step.action):
        if frozenset(way.chosen) == frozenset(step.chosen) or (ends and not step.chosen):
            return way
    name = rules.system.actions[step.action].name
    raise ReplayError(number, f"{name}: its open outcomes cannot be settled by the atoms {step.chosen}")


def _why(rules: Evaluator, way: Resolved) -> str:
    """Say why a step has no next board."""
    if way.stuck:
        return "an open outcome has no option"
    names = ", ".join(str(rules.system.variables[variable].name) for variable in way.conflicts)
    return f"two values are set for {names}"


def _differences(rules: Evaluator, found: State, expected: State) -> str:
    parts = [
        f"{variable.name} is {variable.domain[a]}, not {variable.domain[b]}"
        for variable, a, b in zip(rules.system.variables, found, expected, strict=True)
        if a != b
    ]
    return "; ".join(parts)


def _describe(rules: Evaluator, state: State, step: Step, way: Resolved) -> ReplayedStep:
    system = rules.system
    action = system.actions[step.action]
    deciders = [(who, atom) for who, atom in action.by if atom is None or atom in way.true]
    guards = {atom for atom in (action.possible, action.forced) if atom is not None and atom in way.true}
    guards |= {atom for _, atom in deciders if atom is not None}
    fired = {atom for guard in guards for atom in rules.behind(guard, way.true)}
    stepped = [atom for atom in way.true if atom in system.fired and atom in rules.step_atoms]
    taken = [o.effect for outcome in system.outcomes for o in outcome.options if o.chosen in way.chosen]
    return ReplayedStep(
        action=action.name,
        deciders=tuple(who for who, _ in deciders),
        forced=action.forced in way.true,
        guards=_ids(system, fired),
        rules=_ids(system, stepped),
        events=_events(system, way.true),
        changes=_changes(rules, state, way),
        chosen=tuple(taken),
        true=way.true,
        after=way.next,
    )


def _ids(system: TransitionSystem, atoms: Iterable[Atom]) -> tuple[int, ...]:
    return tuple(sorted({system.fired[atom] for atom in atoms}))


def _events(system: TransitionSystem, true: frozenset[Atom]) -> tuple[Symbol, ...]:
    named = (system.atoms[atom] for atom in true)
    return tuple(sorted(s.arguments[0] for s in named if s is not None and s.match("event", 1)))


def _changes(rules: Evaluator, state: State, way: Resolved) -> tuple[Change, ...]:
    system = rules.system
    setters: dict[tuple[int, int], set[Atom]] = {}
    for effect in system.effects:
        if effect.atom in way.true:
            behind = rules.behind(effect.atom, way.true)
            setters.setdefault((effect.variable, effect.value), set()).update(behind)
    changes = []
    for (variable, value), atoms in sorted(setters.items()):
        old = state[variable]
        if value != old or variable in way.conflicts:
            name, domain = system.variables[variable].name, system.variables[variable].domain
            changes.append(Change(name, domain[old], domain[value], _ids(system, atoms)))
    return tuple(changes)
