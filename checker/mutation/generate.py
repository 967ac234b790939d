"""Write rulings that cover the rules: every clause that fires, and every two that take part in one step.

A clause takes part in a step if a rule of it fires that reads the step (an event, an effect), or makes the
action taken possible, forced, or someone's to decide. Each ruling is a shortest game to what it covers.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations, islice
from typing import TypeAlias

from checker.engines.protocol import Holds, Limits, Unknown
from checker.engines.registry import engine
from checker.mutation.workbench import as_written
from checker.system.model import Atom, Goal, Kind, Rule, Trace, TransitionSystem
from checker.system.specialise import step_atoms
from checker.system.stratify import stratify
from checker.traces.evaluate import evaluator
from checker.traces.replay import ReplayedStep, replay

PAIRS = 100_000
"""Boards up to which every two clauses are looked for; above, single clauses only."""

Target: TypeAlias = tuple[str, ...]
"""A clause, or two clauses in order, to be covered by one step."""


@dataclass(frozen=True, slots=True)
class GeneratedStep:
    """A step to take, what was open in it, and what it must bring about, all as terms."""

    action: str
    by: tuple[str, ...]
    legal: tuple[str, ...]
    chosen: tuple[str, ...]
    events: tuple[str, ...]
    changes: tuple[tuple[str, str], ...]
    clauses: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Generated:
    """A game that covers something. start: the value of each variable on the first board, as terms.

    ends: its last step leads to a board, so that it can be played; a conflict does not.
    """

    board: str
    start: tuple[tuple[str, str], ...]
    steps: tuple[GeneratedStep, ...]
    covers: tuple[Target, ...]
    ends: bool


def generate(rulebook: str, boards: Sequence[str], seconds: float | None) -> Iterator[tuple[str, list[Generated], str]]:
    """Yield for each board the games that cover what no earlier board does, shortest first.

    Pairs are looked for on boards of up to `PAIRS` reachable boards, single clauses on all. The third item
    says what was left out on the board, and is empty if nothing was.
    """
    covered: set[Target] = set()
    for board in boards:
        system = as_written(rulebook, board)
        if len(list(islice(system.initial_states(), 2))) > 1:
            yield board, [], "it has several initial boards, and a ruling starts on one"
            continue
        yield board, *_on_board(board, system, covered, Limits(seconds))


def _on_board(
    board: str, system: TransitionSystem, covered: set[Target], limits: Limits
) -> tuple[list[Generated], str]:
    counts = engine("symbolic").check(system, (), limits, lambda _: None).counts
    small = counts.complete and (counts.states or 0) <= PAIRS
    marked = _marked(system, covered, pairs=small)
    verdicts = engine("explicit" if small else "symbolic").check(marked, marked.goals, limits, lambda _: None).verdicts
    found = {v.answer.witness for v in verdicts if isinstance(v.answer, Holds) and v.answer.witness is not None}
    games: list[Generated] = []
    parts = _taking_part(system)
    for trace in sorted(found, key=lambda t: (len(t.steps), str(t))):
        game = _game(board, system, _with_step(system, trace), parts)
        new = tuple(t for step in game.steps for t in _targets(step.clauses, parts) if t not in covered)
        if new and game.ends:
            covered.update(new)
            games.append(replace(game, covers=tuple(dict.fromkeys(new))))
    undecided = any(isinstance(v.answer, Unknown) for v in verdicts)
    left = "pairs of clauses, for its size" if not small else ""
    return games, "some clauses, for lack of time" if undecided else left


def _with_step(system: TransitionSystem, trace: Trace) -> Trace:
    """Return a game with a step: what holds at the start already is played with the first step there is."""
    following = [] if trace.steps else evaluator(system).successors(trace.states[0])
    return trace if not following else Trace((*trace.states, following[0][1]), (following[0][0],))


def _marked(system: TransitionSystem, covered: set[Target], pairs: bool) -> TransitionSystem:
    """Return the system with an atom for each clause and pair not covered yet, and a property that wants each."""
    parts = _taking_part(system)
    rules: list[Rule] = []
    atoms = {clause: len(system.atoms) + number for number, clause in enumerate(parts)}
    for clause, part in parts.items():
        rules += (Rule(atoms[clause], body) for body in sorted(part.bodies))
    top = len(system.atoms) + len(parts)
    goals = []
    for target in _targets(parts, parts):
        if target in covered or (len(target) > 1 and not pairs):
            continue
        atom = atoms[target[0]]
        if len(target) > 1:
            atom, top = top, top + 1
            rules.append(Rule(atom, tuple(atoms[clause] for clause in target)))
        goals.append(Goal(" ".join(target), Kind.SOMETIMES, reached=(atom,)))
    names = (*system.atoms, *(None for _ in range(top - len(system.atoms))))
    return replace(system, atoms=names, strata=stratify([*system.rules(), *rules]), goals=tuple(goals))


@dataclass(frozen=True, slots=True)
class _Part:
    """When a clause takes part: all atoms of one of `bodies` hold. acts: it takes part in steps, not in boards only."""

    bodies: frozenset[tuple[Atom, ...]]
    acts: bool


def _taking_part(system: TransitionSystem) -> dict[str, _Part]:
    """Return when each clause takes part in a step; a clause that only says what is so on a board, when it is so."""
    step = step_atoms(system)
    guards: dict[Atom, list[Atom]] = {}
    for action in system.actions:
        for guard in (action.possible, action.forced, *(atom for _, atom in action.by)):
            if guard is not None:
                guards.setdefault(guard, []).append(action.occurs)
    bodies: dict[Atom, set[tuple[Atom, ...]]] = {a: {(a,)} for a in system.fired if a in step}
    for rule in system.rules():
        for atom in rule.body:
            if atom in system.fired and atom not in step:
                bodies.setdefault(atom, set()).update((atom, occurs) for occurs in guards.get(rule.head, ()))
    acting: dict[str, set[tuple[Atom, ...]]] = {}
    being: dict[str, set[tuple[Atom, ...]]] = {}
    for atom, rule_id in system.fired.items():
        for clause in system.sources[rule_id].clauses:
            being.setdefault(clause, set()).add((atom,))
            acting.setdefault(clause, set()).update(bodies.get(atom, ()))
    return {c: _Part(frozenset(acting[c] or being[c]), bool(acting[c])) for c in sorted(being)}


def _targets(clauses: Iterable[str], parts: Mapping[str, _Part]) -> Iterator[Target]:
    """Yield clauses, and the pairs of those that take part in steps."""
    ordered = sorted(set(clauses))
    yield from ((clause,) for clause in ordered)
    yield from combinations([clause for clause in ordered if parts[clause].acts], 2)


def _game(board: str, system: TransitionSystem, trace: Trace, parts: Mapping[str, _Part]) -> Generated:
    """Describe a game, with the next board of its last step where that has one."""
    rules = evaluator(system)
    replayed = replay(system, trace)
    steps = []
    for state, step in zip(replayed.states, replayed.steps, strict=False):
        legal = tuple(str(system.actions[i].name) for i in rules.enabled(state))
        steps.append(_step(step, legal, parts))
    start = [(str(v.name), str(v.domain[i])) for v, i in zip(system.variables, trace.states[0], strict=True)]
    ends = bool(steps) and replayed.steps[-1].after is not None
    return Generated(board, tuple(start), tuple(steps), (), ends)


def _step(step: ReplayedStep, legal: tuple[str, ...], parts: Mapping[str, _Part]) -> GeneratedStep:
    return GeneratedStep(
        action=str(step.action),
        by=tuple(map(str, step.deciders)),
        legal=legal,
        chosen=tuple(map(str, step.chosen)),
        events=tuple(map(str, step.events)),
        changes=tuple((str(change.fluent), str(change.new)) for change in step.changes),
        clauses=tuple(c for c, part in parts.items() if any(step.true.issuperset(body) for body in part.bodies)),
    )
