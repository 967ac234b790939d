"""The work of `prove --board --property`: induction on a board, and the board on which plain induction fails."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from time import monotonic

import click

from checker.certificates.folder import KINDS
from checker.engines.protocol import Answer, Holds, Limits, Result, Violated
from checker.engines.registry import engine
from checker.engines.smt.engine import Proved, SmtEngine
from checker.engines.smt.lemmas import Induction
from checker.engines.smt.say import say
from checker.engines.smt.steps import compile_rules
from checker.engines.smt.unroll import Budget
from checker.errors import InputError, InternalError, closest
from checker.pipeline import load_system
from checker.report.words import Words
from checker.rulebook.load import load_board, load_rulebook
from checker.system.model import Goal, Kind, Rule, State, Step, Stratum, TransitionSystem
from checker.traces import evaluator

SECONDS = 60.0
"""What a proof on one board may take, and the search for the board on which plain induction fails."""


@dataclass(frozen=True, slots=True)
class Failure:
    """Why plain induction does not prove a goal.

    board: one without the fault; step: taken from it, shows the fault or leads to `after`, which does. reached: what
    an engine says of whether games reach the board.
    """

    board: State
    step: Step
    after: State | None
    reached: Result


def run_induction(
    rulebook: str, boards: Sequence[str], wanted: Sequence[str], readings: Mapping[str, str], language: str = "en"
) -> int:
    """Prove properties on boards, and show where plain induction alone fails.

    Returns:
        0 if all are proved, 1 if one is violated, 3 if one stays open.

    Raises:
        InputError: the rulebook, a board, a reading or a property is wrong.

    """
    book = load_rulebook(rulebook)
    titles = {p.name: p.title[language] for p in book.properties}
    answers: list[Answer] = []
    for name, layout in [(name, load_board(book, name)) for name in dict.fromkeys(boards)]:
        system = load_system(rulebook, name, readings)
        words = Words(book, layout, language)
        for goal in [_goal(system, property_) for property_ in dict.fromkeys(wanted)]:
            began = monotonic()
            failure = plain_failure(system, goal)
            proved = SmtEngine().prove(system, [goal], Limits(SECONDS), lambda _: None)
            lines = [*_failure(system, failure, words), *_answer(proved, goal), f"  {monotonic() - began:.1f} s"]
            click.echo("\n".join([f"{layout.name}, {goal.name}: {titles[goal.name]}", *lines]))
            answers.append(proved.result.verdicts[0].answer)
    if any(isinstance(answer, Violated) for answer in answers):
        return 1
    return 0 if all(isinstance(answer, Holds) for answer in answers) else 3


def _goal(system: TransitionSystem, name: str) -> Goal:
    if name not in system.goal:
        raise InputError(f'{system.name} has no property "{name}"; {closest(name, list(system.goal))}')
    goal = system.goal[name]
    if goal.kind not in KINDS:
        known = ", ".join(sorted(kind.value for kind in KINDS))
        raise InputError(f'induction proves properties of the kinds {known}; "{name}" is of the kind {goal.kind.value}')
    return goal


def plain_failure(system: TransitionSystem, goal: Goal) -> Failure | None:
    """Return the counterexample to plain induction, None if there is none.

    Raises:
        OutOfBudgetError: it could not be looked for in time.
        InternalError: what the solver found is none for the plain evaluator.

    """
    rules = compile_rules(system, [goal])
    board = Induction(rules, Budget(Limits(SECONDS))).counterexample(goal.name, [])
    if board is None:
        return None
    step, after = _into_fault(system, goal, board)
    return Failure(board, step, after, _reached(system, board))


def _into_fault(system: TransitionSystem, goal: Goal, board: State) -> tuple[Step, State | None]:
    """Return a step from a board that shows the goal, or leads to a board that does."""
    rules = evaluator(system)
    bad = {atom for atom, _ in goal.violated}
    for action in rules.enabled(board):
        ways = list(rules.resolve(board, action))
        for way in ways:
            shows = {Kind.CONFLICT: bool(way.conflicts), Kind.OPEN_OUTCOME: bool(way.stuck) or len(ways) > 1}
            if shows.get(goal.kind, not bad.isdisjoint(way.true - rules.evaluate(board))):
                return Step(action, way.chosen), None
            if way.next is not None and not bad.isdisjoint(rules.evaluate(way.next)):
                return Step(action, way.chosen), way.next
    raise InternalError(f"no step from the board that induction fails on shows {goal.name}")


def _reached(system: TransitionSystem, board: State) -> Result:
    """Ask whether games reach a board: the explicit engine, and where that is too much the symbolic one."""
    atom = len(system.atoms)
    held = tuple(variable.atoms[value] for variable, value in zip(system.variables, board, strict=True))
    strata = (*system.strata, Stratum((Rule(atom, held),), recursive=False))
    goal = Goal("board", Kind.INVARIANT, ((atom, None),))
    asked = replace(system, atoms=(*system.atoms, None), strata=strata, goals=(goal,))
    for name in ("explicit", "symbolic"):
        found = engine(name).check(asked, [goal], Limits(SECONDS / 3), lambda _: None)
        if isinstance(found.verdicts[0].answer, Holds | Violated):
            break
    return found


def _failure(system: TransitionSystem, failure: Failure | None, words: Words) -> Iterator[str]:
    if failure is None:
        yield "  plain induction suffices"
        return
    variables = system.variables
    yield "  plain induction fails: this board may be unreachable, and shows no fault,"
    yield from (f"    {v.name} = {v.domain[value]}" for v, value in zip(variables, failure.board, strict=True))
    action = system.actions[failure.step.action].name
    yield f"  but {action} {'shows it' if failure.after is None else 'leads to one that does'}"
    after = failure.board if failure.after is None else failure.after
    for variable, was, value in zip(variables, failure.board, after, strict=True):
        if was != value:
            yield f"    {words.change(variable.name, variable.domain[was], variable.domain[value])}"
    (verdict,) = failure.reached.verdicts
    match verdict.answer:
        case Violated(trace) if trace is not None:
            said = f"a game of {len(trace.steps)} steps reaches that board"
        case Holds():
            said = f"no game reaches that board; {failure.reached.counts.states or 0:,} boards are reachable"
        case _:
            said = "whether a game reaches that board is not decided within the limits"
    yield f"  the {verdict.engine} engine says: {said}"


def _answer(proved: Proved, goal: Goal) -> Iterator[str]:
    """Yield the proof with the lemmas it needs, or what was found instead."""
    (verdict,) = proved.result.verdicts
    match verdict.answer:
        case Holds(how):
            yield f"  proved: {how}"
        case Violated(trace):
            steps = len(trace.steps) if trace is not None else 0
            yield f"  violated by a game of {steps} steps; see check -p {goal.name}"
        case unknown:
            yield f"  open: {unknown.reason}"
    for proof in proved.proofs:
        others = [net for net in proof.lemmas if net != -proved.rules.bad[goal.name]]
        lemmas = "; ".join(say(proved.rules, net) for net in others)
        yield f"  by {proof.method}{f', with {len(others)} more that hold on every board: {lemmas}' if others else ''}"
