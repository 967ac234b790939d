"""Which rules a property needs, and which properties a clause keeps: leave rules out, and see what falls.

A rule is load-bearing for a property if leaving out that rule alone changes the verdict. Each change comes
with a shortest game, which is replayed under the rules as they then are.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from checker.check import EXISTENTIAL
from checker.engines.protocol import Answer, Holds, Limits, Result, Unknown, Verdict, Violated
from checker.engines.registry import engine
from checker.errors import InputError, closest
from checker.mutation.shown import SMALL, switched_off
from checker.mutation.tally import side_by_side
from checker.mutation.workbench import Readings, as_written, ground_on, opened
from checker.report.words import Words
from checker.rulebook.encoding import Encoding
from checker.rulebook.load import load_board
from checker.rulebook.model import Property, Rulebook
from checker.system.model import Goal, RuleSource, TransitionSystem
from checker.traces.confirm import confirm

LEAST_SECONDS, TIMES = 10.0, 5.0
"""With rules left out a board gets as many seconds at least, and as many times what the rules as written took."""


@dataclass(frozen=True, slots=True)
class Change:
    """A verdict that changes when rules are left out.

    was, now: holds or violated; for a wanted situation happens or does not happen. game: a sentence for each step
    of the shortest game that shows it, which is only possible now, or no longer if `lost`; None where there is none.
    """

    property: str
    board: str
    rules: tuple[RuleSource, ...]
    was: str
    now: str
    game: tuple[str, ...] | None
    lost: bool


@dataclass(frozen=True, slots=True)
class Found:
    """What leaving rules out showed. refused: rules the loader does not do without. open: changes undecided."""

    changes: tuple[Change, ...]
    tried: int
    refused: tuple[RuleSource, ...]
    open: tuple[RuleSource, ...]


@dataclass(frozen=True, slots=True)
class _Case:
    """Rules to leave out on a board, and the properties to ask about; all of them if none is named."""

    rulebook: str
    board: str
    readings: Readings
    language: str
    rules: tuple[int, ...]
    properties: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Outcome:
    case: _Case
    changes: tuple[Change, ...]
    refused: bool
    open: bool


def needs(rulebook: str, wanted: str, boards: Sequence[str], readings: Readings, language: str, jobs: int) -> Found:
    """Leave out each rule in turn and return those that the property's verdict rests on.

    Raises:
        InputError: there is no such property or board.

    """
    book, encoding = opened(rulebook)
    _require(book, wanted)
    cases = []
    for board in boards:
        system = as_written(rulebook, board, readings)
        if wanted not in system.goal:
            raise InputError(f'"{wanted}" asks which rules fire; leave out any rule and it falls')
        for rule in sorted(set(system.fired.values())):
            cases.append(_Case(rulebook, board, readings, language, (rule,), (wanted,)))
    return _run(encoding, cases, jobs)


def falls(rulebook: str, clause: str, boards: Sequence[str], readings: Readings, language: str, jobs: int) -> Found:
    """Leave out all rules of a clause and its sub-clauses at once; return the properties whose verdict changes.

    Raises:
        InputError: there is no such clause, or no rule means it.

    """
    book, encoding = opened(rulebook)
    if clause not in book.version.clauses:
        known = list(book.version.clauses)
        raise InputError(f'version {book.version.name} has no clause "{clause}"; {closest(clause, known)}')
    rules = tuple(s.id for s in encoding.sources if any(_within(c, clause) for c in s.clauses))
    if not rules:
        status = book.version.clauses[clause].status
        raise InputError(f"no rule means clause {clause}; its status is {status}")
    cases = [
        _Case(rulebook, board, readings, language, rules, ())
        for board in boards
        if set(rules) & set(as_written(rulebook, board, readings).fired.values())
    ]
    return _run(encoding, cases, jobs)


def _within(clause: str, outer: str) -> bool:
    return clause == outer or clause.startswith(outer + ".")


def _require(book: Rulebook, name: str) -> Property:
    for wanted in book.properties:
        if wanted.name == name:
            return wanted
    raise InputError(f'there is no property "{name}"; {closest(name, [p.name for p in book.properties])}')


def _run(encoding: Encoding, cases: Sequence[_Case], jobs: int) -> Found:
    outcomes = list(side_by_side("left out", _leave_out, cases, jobs))

    def sources(chosen: Iterable[_Outcome]) -> tuple[RuleSource, ...]:
        return tuple(encoding.sources[r] for r in dict.fromkeys(r for o in chosen for r in o.case.rules))

    return Found(
        changes=tuple(change for outcome in outcomes for change in outcome.changes),
        tried=len({outcome.case.rules for outcome in outcomes}),
        refused=sources(o for o in outcomes if o.refused),
        open=sources(o for o in outcomes if o.open),
    )


def _leave_out(case: _Case) -> _Outcome:
    """Check a board with and without some rules."""
    _, encoding = opened(case.rulebook)
    first = as_written(case.rulebook, case.board, case.readings)
    off = frozenset(case.rules)
    try:
        second = switched_off(first, off) or ground_on(case.rulebook, encoding.without(off), case.board, case.readings)
    except InputError:
        return _Outcome(case, (), True, False)
    before = _before(case.rulebook, case.board, case.readings, case.properties)
    small = before.counts.complete and (before.counts.states or 0) <= SMALL
    limits = Limits(max(LEAST_SECONDS, TIMES * before.seconds))
    after = _check(
        second, [second.goal[v.goal.name] for v in before.verdicts], limits, "explicit" if small else "symbolic"
    )
    changes, undecided = [], False
    for one, other in zip(before.verdicts, after.verdicts, strict=True):
        undecided = undecided or Unknown in (type(one.answer), type(other.answer))
        if {type(one.answer), type(other.answer)} == {Holds, Violated}:
            new = _game(case, second, other.goal, other.answer)
            game = new if new is not None else _game(case, first, one.goal, one.answer)
            rules = tuple(encoding.sources[rule] for rule in case.rules)
            was, now = _said(one), _said(other)
            changes.append(Change(one.goal.name, case.board, rules, was, now, game, new is None))
    return _Outcome(case, tuple(changes), False, undecided)


@lru_cache(maxsize=12)
def _before(rulebook: str, board: str, readings: Readings, properties: tuple[str, ...]) -> Result:
    """Check a board with the rules as written, once in each process."""
    system = as_written(rulebook, board, readings)
    goals = [goal for goal in system.goals if not properties or goal.name in properties]
    return _check(system, goals, Limits(), "symbolic")


def _check(system: TransitionSystem, goals: Sequence[Goal], limits: Limits, name: str) -> Result:
    return engine(name).check(system, goals, limits, lambda _: None)


def _said(verdict: Verdict) -> str:
    if verdict.goal.kind in EXISTENTIAL:
        return "happens" if isinstance(verdict.answer, Holds) else "does not happen"
    return "holds" if isinstance(verdict.answer, Holds) else "violated"


def _game(case: _Case, system: TransitionSystem, goal: Goal, answer: Answer) -> tuple[str, ...] | None:
    """Return a sentence for each step of a verdict's game, replayed; None where it has none."""
    trace = answer.witness if isinstance(answer, Holds) else answer.trace if isinstance(answer, Violated) else None
    if trace is None:
        return None
    book = opened(case.rulebook)[0]
    words = Words(book, load_board(book, case.board), case.language)
    steps = confirm(system, goal, trace).steps
    return tuple(words.action(s.action, " / ".join(map(words.term, s.deciders))) for s in steps)


def to_text(book: Rulebook, found: Found, language: str) -> str:
    """Return each change, shortest game first, and what could not be told."""
    titles = {p.name: p.title[language] for p in book.properties}
    lines: list[str] = []
    for change, boards in _shortest(found.changes):
        rules = ", ".join(f"{s.file}:{s.line} ({', '.join(s.clauses) or 'model'})" for s in change.rules)
        others = f", and {boards - 1} more" if boards > 1 else ""
        lines.append(f"{change.property}: {titles[change.property]}")
        lines.append(f"    {change.was}; {change.now} without {rules}, on {change.board}{others}")
        if change.game is not None:
            kind = "game no longer possible" if change.lost else "shortest game"
            lines.append(f"    {kind}, {len(change.game)} steps:")
            lines += [f"    {number:>4}. {sentence}" for number, sentence in enumerate(change.game, start=1)]
    lines += _listed("the loader does not do without", found.refused)
    lines += _listed("not decided in time without", found.open)
    changed = len({(c.property, c.rules) for c in found.changes})
    lines.append(f"{changed} changes; {found.tried} rules or sets of rules left out")
    return "\n".join(lines) + "\n"


def _listed(what: str, sources: Sequence[RuleSource]) -> Iterator[str]:
    """Yield a line for each file, with the lines of its rules."""
    files: dict[str, list[int]] = {}
    for source in sources:
        files.setdefault(source.file, []).append(source.line)
    for file, lines in files.items():
        yield f"{what} {file}:{','.join(map(str, sorted(lines)))}"


def _shortest(changes: Iterable[Change]) -> list[tuple[Change, int]]:
    """Return for each property and set of rules the change with the shortest game, and on how many boards it is."""
    best: dict[tuple[str, tuple[RuleSource, ...]], tuple[Change, int]] = {}
    for change in changes:
        key = (change.property, change.rules)
        known, boards = best.get(key, (change, 0))
        best[key] = (min(known, change, key=_order), boards + 1)
    return sorted(best.values(), key=lambda pair: _order(pair[0]))


def _order(change: Change) -> tuple[float, str, int, str]:
    length = float("inf") if change.game is None else len(change.game)
    return length, change.property, change.rules[0].id, change.board
