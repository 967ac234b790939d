"""What each reading keeps and breaks on one board, and the shortest game that tells it from the one taken.

A reading that no ground rule of a board speaks of, whatever values readings have, changes nothing there: so most
choices need not even be ground. Verdicts are decided only where the rules are others; games are looked for on the
smallest boards first, until one is found.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TypeAlias

from clingo import ast
from clingo.ast import AST
from clingo.symbol import Function, Symbol

from checker.check import check_board
from checker.compare.behaviour import explore
from checker.compare.boards import ANSWERS
from checker.compare.joint import EVENTS
from checker.compare.model import Parting
from checker.compare.product import CLAUSE, Product, product
from checker.compare.sides import Opened, Side, opened
from checker.engines.protocol import Limits
from checker.progress import reporter
from checker.report.words import Words
from checker.rulebook.facts import facts, to_symbol
from checker.rulebook.model import Board, Reading
from checker.store import store_at
from checker.system.ground import ground
from checker.system.model import Atom, TransitionSystem

Choice: TypeAlias = tuple[tuple[str, str], ...]
"""Values of readings that are chosen together."""


PAIRS_UP_TO = 1_000_000
"""Reachable boards up to which two readings are looked at together; verdicts on more take many seconds each."""


@dataclass(frozen=True, slots=True)
class ReadingJob:
    """One board to look at under several choices, in any process.

    together: choices are told only where there are rules for each of their readings; otherwise for one of them.
    """

    rulebook: str
    board: str
    choices: tuple[Choice, ...]
    together: bool
    engine: str
    limits: Limits
    language: str
    store: Path | None


@dataclass(frozen=True, slots=True)
class Told:
    """What one board says of a choice that changes its ground rules, against what is taken there otherwise.

    broken: the properties that do not hold, known findings included; undecided ones are marked so. base: those
    without the choice.
    """

    choice: Choice
    board: str
    objects: int
    broken: tuple[str, ...]
    base: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ApartJob:
    """A choice to tell from what is taken otherwise, on one of some boards, the first that will do."""

    rulebook: str
    boards: tuple[str, ...]
    choice: Choice
    engine: str
    limits: Limits
    language: str


@dataclass(frozen=True, slots=True)
class BoardTold:
    """What one board says. pairs_left: it has too many reachable boards to be looked at under two readings at once."""

    board: str
    told: tuple[Told, ...]
    pairs_left: bool


def tell(job: ReadingJob) -> BoardTold:
    """Look at a board under every choice that changes its rules.

    Raises:
        InputError: a file is wrong, or there is no such reading or value.

    """
    table = _Table(job)
    alone = [choice for choice in job.choices if len(choice) == 1 or not job.together]
    told = [one for choice in alone if (one := table.told(choice)) is not None]
    moved = {one.choice[0] for one in told}
    pairs = [c for c in job.choices if len(c) == 2 and job.together and table.may_differ(c[0], c[1], moved)]
    if not pairs or not table.small():
        return BoardTold(job.board, tuple(told), bool(pairs))
    return BoardTold(job.board, (*told, *(one for c in pairs if (one := table.told(c)) is not None)), False)


class _Table:
    """A board, to be looked at under one choice after another."""

    def __init__(self, job: ReadingJob) -> None:
        self.job = job
        self.base = opened(Side("as taken", job.rulebook))
        self.board = self.base.board(job.board)
        self.spoken = Spoken(self.base, self.board)
        self._system: TransitionSystem | None = None
        self._without: tuple[tuple[str, ...], int | None] | None = None

    def told(self, choice: Choice) -> Told | None:
        """Return what a choice does, None where it leaves the rules as they are."""
        some = all if self.job.together else any
        if not some(name in self.spoken.names for name, _ in choice):
            return None
        side = opened(Side(title(choice), self.job.rulebook, choice))
        board = side.board(self.job.board)
        if side.says(board) == self.base.says(self.board):
            return None
        both = product(self._taken(), side.system(board))
        if both.same:
            return None
        broken, _ = _broken(self.job, side, both.right.system)
        return Told(choice, self.job.board, len(self.board.objects), broken, self.without()[0])

    def without(self) -> tuple[tuple[str, ...], int | None]:
        """Return what is broken without a choice, and how many boards can be reached."""
        if self._without is None:
            self._without = _broken(self.job, self.base, self._taken())
        return self._without

    def small(self) -> bool:
        """Tell whether the board is small enough to be looked at under two readings at once."""
        states = self.without()[1]
        return states is not None and states <= PAIRS_UP_TO

    def may_differ(self, one: tuple[str, str], other: tuple[str, str], moved: Container[tuple[str, str]]) -> bool:
        """Tell whether two values may do something together that neither does alone.

        Those that change rules alone may. Others only where the rules for one can come into force by the other.
        """
        return (one in moved and other in moved) or self.spoken.touch(one[0], other[0])

    def _taken(self) -> TransitionSystem:
        if self._system is None:
            self._system = self.base.system(self.board)
        return self._system


def told_apart(job: ApartJob) -> tuple[Parting | None, str]:
    """Return a shortest game that tells a choice from what is taken otherwise, and why there may be one not found."""
    base, side = opened(Side("as taken", job.rulebook)), opened(Side(title(job.choice), job.rulebook, job.choice))
    undecided = ""
    for name in job.boards:
        boards = base.board(name), side.board(name)
        both = product(base.system(boards[0], ()), side.system(boards[1], ()))
        parting, why = parting_of(both, name, (base, side), boards, job.engine, job.limits, job.language)
        if parting is not None:
            return parting, ""
        undecided = undecided or why
    return None, undecided


class Spoken:
    """What the ground rules of a board say of readings, whatever values those have.

    The rules are ground with every value of every reading left open, which keeps each rule that any choice would.
    names: the readings that some rule speaks of.
    """

    def __init__(self, side: Opened, board: Board) -> None:
        given = [f for f in facts(side.book, board, side.book.choose(board, {})) if not f.match("reading", 2)]
        program = ground(side.encoding.plus(_left_open(side.book.readings.values())), given)
        reading = {a: s.arguments[0].name for a, s in program.symbols.items() if s.match("reading", 2)}
        self._rules: dict[str, set[Atom]] = {}
        self._heads: dict[Atom, set[Atom]] = {}
        for rule in program.rules:
            body = {abs(lit) for lit in rule.body}
            for name in {reading[atom] for atom in body if atom in reading}:
                self._rules.setdefault(name, set()).update({rule.head, *body} - reading.keys())
            for atom in body:
                self._heads.setdefault(atom, set()).add(rule.head)
        for atom, brought in _inputs(program.symbols):
            self._heads.setdefault(atom, set()).add(brought)
        self._first = {
            name: {head for atom in reading if reading[atom] == name for head in self._heads.get(atom, ())}
            for name in self._rules
        }
        self._after: dict[str, set[Atom]] = {}
        self.names = frozenset(self._rules)

    def touch(self, one: str, other: str) -> bool:
        """Tell whether a rule that speaks of one reading has a part that rests on the other, or is there by it."""
        if not {one, other} <= self.names:
            return False
        pairs = ((one, other), (other, one))
        return any(not self._rules[a].isdisjoint(self._rests_on(b)) for a, b in pairs)

    def _rests_on(self, name: str) -> set[Atom]:
        """Return the atoms that rest on a reading."""
        if name not in self._after:
            seen = set(self._first[name])
            waiting = list(seen)
            while waiting:
                fresh = self._heads.get(waiting.pop(), set()) - seen
                seen |= fresh
                waiting += fresh
            self._after[name] = seen
        return self._after[name]


def _inputs(symbols: Mapping[Atom, Symbol]) -> Iterator[tuple[Atom, Atom]]:
    """Yield what declares an action or a value, with the input that is there by it and that rules may read."""
    known = {symbol: atom for atom, symbol in symbols.items()}
    for symbol, atom in known.items():
        if symbol.match("action", 1) or symbol.match("fluent", 2):
            brought = known.get(Function("occurs" if symbol.name == "action" else "now", symbol.arguments))
            if brought is not None:
                yield atom, brought


def _left_open(readings: Iterable[Reading]) -> list[AST]:
    """Return a declaration for each value of each reading that it may hold or not."""
    atoms = [Function("reading", [Function(r.name), to_symbol(value)]) for r in readings for value in r.values]
    found: list[AST] = []
    ast.parse_string("".join(f"#external {atom}.\n" for atom in atoms), found.append)
    return [node for node in found if node.ast_type == ast.ASTType.External]


def title(choice: Choice) -> str:
    """Say a choice as the command line takes it."""
    return " ".join(f"{name}={value}" for name, value in choice)


def parting_of(
    both: Product,
    board: str,
    sides: tuple[Opened, Opened],
    boards: tuple[Board, Board],
    engine_name: str,
    limits: Limits,
    language: str,
) -> tuple[Parting | None, str]:
    """Return a shortest game after which two sides differ, and why there may be one not found.

    One in which only other things happen, on the same boards, is returned if there is no other.
    """
    kinds = tuple(goal for goal in both.system.goals if not goal.name.startswith(CLAUSE))
    if not kinds:
        return None, ""
    left, right = (Words(side.book, laid, language) for side, laid in zip(sides, boards, strict=True))
    alone = replace(both, system=replace(both.system, goals=kinds))
    found = explore(alone, board, (left, right), engine_name, limits, reporter(board))
    best = min(found.partings, key=lambda parting: (parting.kind == EVENTS, len(parting.steps)), default=None)
    return best, found.why_open


def _broken(job: ReadingJob, side: Opened, system: TransitionSystem) -> tuple[tuple[str, ...], int | None]:
    """Return the properties that a board breaks under a side's readings, and how many boards can be reached.

    An undecided property is marked so; the number is None if not all boards were visited.
    """
    board = side.board(job.board)
    store = store_at(job.store) if job.store else None
    asked, report = side.book.properties, reporter(system.name)
    result = check_board(side.book, side.encoding, board, {}, asked, job.engine, job.limits, report, store=store)
    answers = {judged.property.name: ANSWERS[judged.status.value] for judged in result.judged}
    marks = {"violated": "", "unknown": " (undecided)"}
    names = tuple(f"{name}{marks[answer]}" for name, answer in answers.items() if answer in marks)
    return names, result.counts.states if result.counts.complete else None
