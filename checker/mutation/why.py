"""Which rules a property needs, and which properties a clause keeps: leave rules out, and see what falls.

A rule is load-bearing for a property if leaving out that rule alone changes the verdict. Each change comes
with a shortest game, which is replayed under the rules as they then are. Where a proof is found, its unsatisfiable
core says which rules it leans on; a rule outside the core cannot be load-bearing, and is not tried.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache, partial

from checker.check import EXISTENTIAL
from checker.engines.protocol import Answer, Holds, Limits, Result, Unknown, Verdict, Violated
from checker.engines.registry import engine
from checker.errors import InputError, closest, counted
from checker.mutation.leaning import leaning
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
    """What leaving rules out showed.

    refused: rules the loader does not do without. open: changes undecided. leaning: per board with a proof, what the
    proof is and the rules it leans on. spared: rules that no board needs to be tried without.
    """

    changes: tuple[Change, ...]
    tried: int
    refused: tuple[RuleSource, ...]
    open: tuple[RuleSource, ...]
    leaning: tuple[Lean, ...] = ()
    spared: int = 0


@dataclass(frozen=True, slots=True)
class Lean:
    """A board on which a property is proved: what the proof is, and the rules it leans on."""

    board: str
    how: str
    rules: tuple[RuleSource, ...]


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


def needs(
    rulebook: str,
    wanted: str,
    boards: Sequence[str],
    readings: Readings,
    language: str,
    jobs: int,
    minimal: bool = False,
) -> Found:
    """Leave out each rule in turn and return those that the property's verdict rests on.

    With `minimal` the rules that a proof leans on are a minimal core of it.

    Raises:
        InputError: there is no such property or board.

    """
    book, encoding = opened(rulebook)
    _require(book, wanted)
    rules = {}
    for board in boards:
        system = as_written(rulebook, board, readings)
        if wanted not in system.goal:
            raise InputError(f'"{wanted}" asks which rules fire; leave out any rule and it falls')
        rules[board] = set(system.fired.values())
    ask = partial(_lean, rulebook, wanted, readings, minimal)
    proofs = [proof for proof in side_by_side("proofs", ask, boards, jobs) if proof is not None]
    proofs.sort(key=lambda proof: boards.index(proof.board))
    left = rules | {proof.board: rules[proof.board] - proof.spared for proof in proofs}
    cases = [
        _Case(rulebook, board, readings, language, (rule,), (wanted,))
        for board in boards
        for rule in sorted(left[board])
    ]
    found = _run(encoding, cases, jobs)
    leaning = tuple(Lean(p.board, p.how, tuple(encoding.sources[r] for r in sorted(p.rules))) for p in proofs)
    spared = set().union(*rules.values()) - set().union(*left.values())
    return replace(found, leaning=leaning, spared=len(spared))


@dataclass(frozen=True, slots=True)
class _Leaning:
    """A proof on a board. rules: what it leans on. spared: what need not be left out to see that nothing changes."""

    board: str
    how: str
    rules: frozenset[int]
    spared: frozenset[int]


def _lean(rulebook: str, wanted: str, readings: Readings, minimal: bool, board: str) -> _Leaning | None:
    system = as_written(rulebook, board, readings)
    found = leaning(system, system.goal[wanted], minimal)
    if found is None:
        return None
    # A rule that takes grounding to leave out may change more than the proof knows of.
    spared = {r for r in set(system.fired.values()) - found.rules if switched_off(system, frozenset({r})) is not None}
    return _Leaning(board, found.how, found.rules, frozenset(spared))


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
            lines.append(f"    {kind}, {counted(len(change.game), 'step')}:")
            lines += [f"    {number:>4}. {sentence}" for number, sentence in enumerate(change.game, start=1)]
    lines += _leaning(found.leaning)
    lines += _listed("the loader does not do without", found.refused)
    lines += _listed("not decided in time without", found.open)
    changed = len({(c.property, c.rules) for c in found.changes})
    spared = f"; {found.spared} more not tried, since no proof leans on them" if found.spared else ""
    tried = counted(found.tried, "rule or set of rules", "rules or sets of rules")
    lines.append(f"{counted(changed, 'change')}; {tried} left out{spared}")
    return "\n".join(lines) + "\n"


def _leaning(leaning: Sequence[Lean]) -> Iterator[str]:
    """Yield what the proofs lean on, boards with the same rules together."""
    boards: dict[tuple[str, tuple[RuleSource, ...]], list[str]] = {}
    for lean in leaning:
        boards.setdefault((lean.how, lean.rules), []).append(lean.board)
    for (how, sources), names in boards.items():
        clauses = ", ".join(dict.fromkeys(c for source in sources for c in source.clauses))
        rules = ", ".join(line.strip() for line in _listed("", sources))
        said = f"{clauses or 'assumptions of the model'} in {rules}" if sources else "no rule"
        yield f"the proof on {', '.join(names)} ({how}) leans on {said}"


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
