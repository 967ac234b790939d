"""Properties of single boards and steps: what breaks or reaches them, and the game that shows it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from checker.engines.budget import BudgetSpentError
from checker.engines.protocol import Answer, Further, Holds, Shown, Unknown, Violated
from checker.engines.symbolic.diagrams import Function
from checker.engines.symbolic.different import further_games
from checker.engines.symbolic.reach import Space
from checker.engines.symbolic.relations import Moves
from checker.engines.symbolic.search import Game, Target, shortest
from checker.system.model import Atom, Goal, Kind, Outcome, Trace, TransitionSystem, rule_name


def watched(system: TransitionSystem, goals: Iterable[Goal], games: int = 1) -> Iterator[Atom]:
    """Yield the atoms that the goals ask about; `games` as in `Limits`."""
    if games > 1:
        yield from system.fired
    for goal in goals:
        yield from (atom for atom, _ in goal.violated)
        yield from (*goal.reached, *goal.resolution, *goal.pending, *goal.answered)
        if goal.kind is Kind.RULES_FIRE:
            yield from system.fired


def everywhere(space: Space) -> str:
    """Say that all boards were looked at."""
    return f"all {space.encoding.count(space.reached):,} reachable boards"


def step_value(moves: Moves, action: int, atom: Atom) -> Function:
    """Return the steps of an action in which an atom of the step holds; none for an atom of the board."""
    return moves.transitions[action].values.get(atom, moves.encoding.false)


def on_board(moves: Moves, atoms: Iterable[Atom]) -> Function:
    """Return the boards on which one of some atoms holds."""
    return moves.encoding.disjunction(moves.board_atom(atom) for atom in atoms)


def atom_target(moves: Moves, atoms: Iterable[Atom]) -> Target:
    """Return the boards and steps in which one of some atoms holds."""
    listed = list(atoms)
    steps = {
        t.action: t.steps & moves.encoding.disjunction(t.values[a] for a in listed if a in t.values)
        for t in moves.transitions
    }
    return Target(moves, on_board(moves, listed), steps)


def decide_found(space: Space, goal: Goal) -> Answer:
    """Decide a property that a single board or step breaks or reaches.

    The set of boards may tell without a game when the budget ends.
    """
    target = _target(space.moves, goal)
    shown = (space.reached & (target.ready(0) | target.ready(1))).satisfiable()
    if not shown:
        return _never(space, goal)
    try:
        found = shortest(space, target)
    except BudgetSpentError as spent:
        return _without_game(goal, f"a reachable board or step shows it, but the game was not found in time: {spent}")
    if found is None:
        return Unknown(space.stopped, len(space.rings) - 1)
    game = target.finish(*found)
    trace = Trace(game.states, game.steps)
    if goal.kind is Kind.SOMETIMES:
        return Holds("a shortest game reaches it", trace)
    countable = space.complete and not any(s.satisfiable() for s in target.steps.values())
    breaking = space.encoding.count(space.reached & target.board) if countable else None
    further = _further(space, goal, target, game) if space.budget.limits.games > 1 else None
    return Violated(trace, _culprits(space.moves, goal, game), breaking=breaking, further=further)


def _further(space: Space, goal: Goal, target: Target, first: Game) -> Further:
    games, complete = further_games(space, goal, target, first)
    shown = (Shown(Trace(game.states, game.steps), _culprits(space.moves, goal, game)) for game in games)
    return Further(tuple(shown), complete)


def _never(space: Space, goal: Goal) -> Answer:
    if not space.complete:
        return Unknown(space.stopped, len(space.rings) - 1)
    if goal.kind is Kind.SOMETIMES:
        return Violated(None, (goal.name,), note=f"not on {everywhere(space)}")
    return Holds(everywhere(space))


def _without_game(goal: Goal, note: str) -> Answer:
    return Holds(note) if goal.kind is Kind.SOMETIMES else Violated(None, shortest=False, note=note)


def _target(moves: Moves, goal: Goal) -> Target:
    if goal.kind is Kind.CONFLICT:
        disjunction = moves.encoding.disjunction
        return Target(moves, moves.encoding.false, {t.action: disjunction(t.clashes()) for t in moves.transitions})
    if goal.kind is Kind.OPEN_OUTCOME:
        steps = {t.action: t.stuck | t.several for t in moves.transitions}
        return Target(moves, moves.encoding.false, steps)
    return atom_target(moves, goal.reached if goal.kind is Kind.SOMETIMES else [a for a, _ in goal.violated])


def _culprits(moves: Moves, goal: Goal, game: Game) -> tuple[str, ...]:
    """Name what breaks a property at the end of a game."""
    in_step = len(game.steps) == len(game.states)
    bits = moves.encoding.assignment(game.states[-1], game.steps[-1].chosen if in_step else ())
    if goal.kind is Kind.CONFLICT:
        return _clash(moves, game.steps[-1].action, bits)
    if goal.kind is Kind.OPEN_OUTCOME:
        return open_options(moves, game.steps[-1].action, bits)
    values = moves.transitions[game.steps[-1].action].values if in_step else moves.board
    named = (str(c) for atom, c in goal.violated if c is not None and atom in values and values[atom].eval(bits))
    return tuple(sorted(set(named)))


def _clash(moves: Moves, action: int, bits: list[tuple[int, bool]]) -> tuple[str, ...]:
    for number, by_value in moves.transitions[action].sets.items():
        variable = moves.encoding.system.variables[number]
        values = [str(variable.domain[value]) for value in sorted(by_value) if by_value[value].eval(bits)]
        if len(values) > 1:
            return (str(variable.name), *values)
    raise AssertionError("a clash sets a variable to two values")


def open_options(moves: Moves, action: int, bits: list[tuple[int, bool]]) -> tuple[str, ...]:
    """Name the options of the outcomes that a step leaves open; all of them where none is to be had."""
    named: list[str] = []
    values = moves.transitions[action].values
    for outcome in moves.encoding.system.outcomes:
        if outcome.fired in values and values[outcome.fired].eval(bits):
            ways = [o for o in outcome.options if o.enabled in values and values[o.enabled].eval(bits)]
            if len(ways) != 1:
                named += [str(option.effect) for option in ways or outcome.options]
    return tuple(sorted(named))


def outcome_atoms(outcomes: Iterable[Outcome]) -> Iterator[Atom]:
    """Yield the atoms that say which outcomes a step leaves open."""
    for outcome in outcomes:
        yield outcome.fired
        yield from (option.enabled for option in outcome.options)


def decide_actions(space: Space) -> Answer:
    """Decide whether every action can be taken on some reachable board."""
    transitions = space.moves.transitions
    dead = [t.action for t in transitions if not (space.reached & t.enabled).satisfiable()]
    if not dead:
        return Holds("every action is taken on a reachable board")
    if not space.complete:
        return Unknown(space.stopped, len(space.rings) - 1)
    return Violated(None, tuple(str(space.encoding.system.actions[action].name) for action in dead))


def decide_rules(space: Space) -> Answer:
    """Decide whether every rule fires on some reachable board or in some step from one."""
    system, left = space.encoding.system, {source.id: source for source in space.encoding.system.sources}
    for atom, rule in system.fired.items():
        if rule in left and (space.reached & space.moves.board_atom(atom)).satisfiable():
            del left[rule]
    for transition in space.moves.transitions:
        steps = space.reached & transition.steps
        for atom, value in transition.values.items():
            if system.fired.get(atom) in left and (steps & value).satisfiable():
                del left[system.fired[atom]]
    if not left:
        return Holds("every rule fires on a reachable board")
    if not space.complete:
        return Unknown(space.stopped, len(space.rings) - 1)
    return Violated(None, tuple(rule_name(source) for source in left.values()))
