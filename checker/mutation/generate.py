"""Write rulings that cover the rules: every clause that fires, and every two that take part in one step.

A clause takes part in a step if a rule of it fires that reads the step (an event, an effect), or makes the
action taken possible, forced, or someone's to decide. Two clauses are reachable together if both take part in one
step of some game. A clause whose rules only say what is so on a board is covered by a step from such a board.
Each ruling is a shortest game to what it covers, over all boards of up to `SMALL_ENOUGH` reachable boards; larger
boards are asked only for what no such board shows.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from functools import partial
from itertools import combinations, islice
from typing import TypeAlias

from checker.engines.protocol import Holds, Limits, Unknown, Violated
from checker.engines.registry import engine
from checker.mutation.tally import Workers
from checker.mutation.workbench import as_written
from checker.system.model import Atom, Goal, Kind, Rule, RuleSource, Trace, TransitionSystem, rule_name
from checker.system.specialise import step_atoms
from checker.system.stratify import stratify
from checker.traces.evaluate import evaluator
from checker.traces.replay import ReplayedStep, replay

SMALL_ENOUGH = 50_000
"""Boards up to which the explicit engine looks for everything at once; above, it is first asked what there is."""

LARGE = "everything, for its size"
"""What is left out of a large board at first."""

LATE = "some of it, for lack of time"
"""What is left out of a board that is not searched to the end."""

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


@dataclass(frozen=True, slots=True)
class Found:
    """The games of one board, each with all it covers. left: what was left out on the board, if anything."""

    board: str
    games: tuple[Generated, ...]
    left: str = ""


def generate(
    rulebook: str, boards: Sequence[str], seconds: float | None, jobs: int = 1
) -> tuple[list[Generated], dict[str, str]]:
    """Return games that cover everything the boards show, shortest first, each with what no game before it covers.

    Boards are searched side by side in processes. `seconds` is for each of them.

    Returns:
        the games, and for each board on which something was left out what that was.

    """
    with Workers(jobs) as workers:
        found = list(workers.over("boards", partial(_search, rulebook, seconds), boards))
        shown = frozenset(target for one in found for game in one.games for target in game.covers)
        large = [one.board for one in found if one.left == LARGE]
        found = [one for one in found if one.left != LARGE]
        found += workers.over("large boards", partial(_search_large, rulebook, seconds, shown), large)
    place = {board: number for number, board in enumerate(boards)}
    games = [game for one in found for game in one.games]
    games.sort(key=lambda game: (len(game.steps), place[game.board], [step.action for step in game.steps]))
    return list(_new(games)), {one.board: one.left for one in found if one.left}


def _new(games: Iterable[Generated]) -> Iterator[Generated]:
    """Yield each game that covers something no game before it does, with that."""
    covered: set[Target] = set()
    for game in games:
        new = tuple(target for target in game.covers if target not in covered)
        if new:
            covered.update(new)
            yield replace(game, covers=new)


def _search(rulebook: str, seconds: float | None, board: str) -> Found:
    """Look for games to everything that a board shows, unless it is large."""
    system = as_written(rulebook, board)
    if len(list(islice(system.initial_states(), 2))) > 1:
        return Found(board, (), "everything: it has several initial boards, and a ruling starts on one")
    limits = Limits(seconds)
    counts = engine("symbolic").check(system, (), limits, lambda _: None).counts
    if not counts.complete or (counts.states or 0) > SMALL_ENOUGH:
        return Found(board, (), LARGE)
    return _games(board, system, _marked(system, frozenset()), limits, "explicit")


def _search_large(rulebook: str, seconds: float | None, covered: frozenset[Target], board: str) -> Found:
    """Look for games to what only a large board shows: first what there is, then a game to each."""
    system, limits = as_written(rulebook, board), Limits(seconds)
    marked = _marked(system, covered)
    atoms = {goal.reached[0]: number for number, goal in enumerate(marked.goals)}
    named = tuple(RuleSource(n, "target", n, 0, "", (), None) for n in atoms.values())
    asked = replace(marked, fired=atoms, sources=named)
    answer = (
        engine("symbolic").check(asked, (Goal("fire", Kind.RULES_FIRE),), limits, lambda _: None).verdicts[0].answer
    )
    dead = set(answer.culprits) if isinstance(answer, Violated) else set()
    there = tuple(goal for goal, source in zip(marked.goals, named, strict=True) if rule_name(source) not in dead)
    return _games(board, system, replace(marked, goals=there), limits, "symbolic")


def _games(board: str, system: TransitionSystem, marked: TransitionSystem, limits: Limits, name: str) -> Found:
    """Return a shortest game to each property of a marked system, without those that other games cover too."""
    verdicts = engine(name).check(marked, marked.goals, limits, lambda _: None).verdicts if marked.goals else ()
    wanted: dict[Trace, set[Target]] = {}
    for verdict in verdicts:
        if isinstance(verdict.answer, Holds) and verdict.answer.witness is not None:
            wanted.setdefault(verdict.answer.witness, set()).add(tuple(verdict.goal.name.split()))
    parts = _taking_part(system)
    games: list[Generated] = []
    covered: set[Target] = set()
    for trace in sorted(wanted, key=lambda t: (len(t.steps), str(t))):
        games += _covering(board, system, trace, wanted[trace] - covered, parts)
        covered.update(target for game in games[-1:] for target in game.covers)
    undecided = any(isinstance(verdict.answer, Unknown) for verdict in verdicts)
    return Found(board, tuple(games), LATE if undecided else "")


def _covering(
    board: str, system: TransitionSystem, trace: Trace, wanted: set[Target], parts: Mapping[str, _Part]
) -> Iterator[Generated]:
    """Yield a game that shows what is wanted, one step longer where that is so only on its last board."""
    for played in (trace, _with_step(system, trace)) if wanted else ():
        game = _game(board, system, played, parts)
        covers = tuple(dict.fromkeys(t for step in game.steps for t in _targets(step.clauses, parts)))
        if game.ends and wanted.issubset(covers):
            yield replace(game, covers=covers)
            return


def _with_step(system: TransitionSystem, trace: Trace) -> Trace:
    """Return a game with one more step: what holds on its last board is played with the first step there is."""
    ended = len(trace.states) == len(trace.steps)
    following = [] if ended else evaluator(system).successors(trace.states[-1])
    return trace if not following else Trace((*trace.states, following[0][1]), (*trace.steps, following[0][0]))


def _marked(system: TransitionSystem, covered: AbstractSet[Target]) -> TransitionSystem:
    """Return the system with an atom for each clause and pair not covered yet, and a property that wants each."""
    parts = _taking_part(system)
    rules: list[Rule] = []
    atoms = {clause: len(system.atoms) + number for number, clause in enumerate(parts)}
    for clause, part in parts.items():
        rules += (Rule(atoms[clause], body) for body in sorted(part.bodies))
    top = len(system.atoms) + len(parts)
    goals = []
    for target in _targets(parts, parts):
        if target in covered:
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
