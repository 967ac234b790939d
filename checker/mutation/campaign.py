"""Try every mutant: on the boards where its rule says something else, smallest first, and on rulings.

A mutant is done with once a property or a ruling notices it. That only a shortest game's length or the count of
boards changed is kept, and the search goes on for better. What nothing notices is held against the rules as
written: does it differ from them at all, and after which game.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import groupby

from checker.engines.protocol import Limits
from checker.errors import InputError, counted
from checker.mutation.infection import lay, shows
from checker.mutation.mutants import Mutant
from checker.mutation.product import compare, same_rules
from checker.mutation.ruled import noticed_by_rulings, setups_of
from checker.mutation.shown import SMALL, WEAK, Kill, Shown, noticed, show, switched_off
from checker.mutation.tally import Workers
from checker.mutation.workbench import as_written, faults, ground_on, opened
from checker.rulings.play import Setup
from checker.system.model import RuleSource, TransitionSystem

LEAST_SECONDS, TIMES = 10.0, 5.0
"""A mutant gets as many seconds on a board at least, and as many times what the rules as written took."""

BIG = 100_000
"""Boards with more reachable boards than this come last, after the rulings, for mutants not noticed at all so far."""

PARTS, LONG_SECONDS = 4, 1.0
"""Jobs for each process on a board, or one if checking it takes longer than that: each job searches the board anew."""

KILLED, SURVIVED, SAME, REFUSED, OPEN = "killed", "survived", "same", "refused", "open"
"""What becomes of a mutant: `same` survives but differs on no board checked, `open` was not decided in time."""


@dataclass(frozen=True, slots=True)
class Plan:
    """What to try. rulebook: with its version. boards: by name. files: only rules of these; all if empty.

    sample: only every so many-th mutant, counted through each rule's own.
    """

    rulebook: str
    boards: tuple[str, ...]
    files: tuple[str, ...]
    rulings: bool
    sample: int
    jobs: int


@dataclass(frozen=True, slots=True)
class Survival:
    """A game after which a survivor differs: its board, its actions as terms, and what then differs."""

    board: str
    actions: tuple[str, ...]
    differing: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Tried:
    """One mutant with what became of it.

    boards: those on which its rule says something else, and all steps and properties are the same nevertheless.
    """

    source: RuleSource
    operator: str
    change: str
    fate: str
    kill: Kill | None = None
    survival: Survival | None = None
    boards: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Ran:
    """The mutants of a plan. whole: every one was tried to the end; else the run was interrupted."""

    tried: tuple[Tried, ...]
    whole: bool


def run(plan: Plan) -> Ran:
    """Try every mutant of the plan, side by side in processes.

    Raises:
        InputError: the rulebook or a board is wrong, or no rule is in the files named.

    """
    campaign = _Campaign(plan)
    try:
        with Workers(plan.jobs) as workers:
            campaign.go(workers)
    except KeyboardInterrupt:
        return Ran(campaign.result(), False)
    return Ran(campaign.result(), True)


@dataclass(slots=True)
class _Standing:
    """A mutant under trial. kill: how it is noticed, so far. there: boards on which it may differ, unnoticed."""

    number: int
    fate: str | None = None
    kill: Kill | None = None
    there: list[Shown] = field(default_factory=list)
    tried: Tried | None = None


@dataclass(frozen=True, slots=True)
class _Met:
    """What a mutant, by its number, does on a board: the loader refuses it, it is noticed, or may differ unnoticed."""

    number: int
    refused: bool = False
    kill: Kill | None = None


class _Campaign:
    """The mutants of a plan, phase by phase."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self.faults = faults(plan.rulebook, plan.files, plan.sample)
        self.standing = [_Standing(number) for number in range(len(self.faults))]
        self.rules_seen: set[int] = set()

    def go(self, workers: Workers) -> None:
        plan = self.plan
        shown = list(workers.over("boards as they are", partial(_show, plan.rulebook), plan.boards))
        shown.sort(key=lambda s: (s.states, s.board))
        self.rules_seen = {rule for board in shown for rule in board.rules}
        small = [board for board in shown if board.states <= BIG]
        for board in small:
            self._on_board(workers, board, f"board {shown.index(board) + 1} of {len(shown)}")
        if plan.rulings:
            self._on_rulings(workers)
        self._settle_for_weak()
        for board in shown[len(small) :]:
            self._on_board(workers, board, f"board {shown.index(board) + 1} of {len(shown)}")
            self._settle_for_weak()
        self._compare(workers)

    def _alive(self) -> list[int]:
        return [standing.number for standing in self.standing if standing.fate is None]

    def _on_board(self, workers: Workers, board: Shown, where: str) -> None:
        alive = self._alive()
        parts = self.plan.jobs * (PARTS if board.seconds <= LONG_SECONDS else 1)
        size = max(1, -(-len(alive) // parts))
        label = f"{where}, {board.board}, {counted(len(alive), 'mutant')} left"
        work = partial(_meet, self.plan, board)
        batches = [tuple(alive[first : first + size]) for first in range(0, len(alive), size)]
        for batch in workers.over(label, work, batches):
            for met in batch:
                self._take(met, board)

    def _take(self, met: _Met, board: Shown) -> None:
        standing = self.standing[met.number]
        if met.refused:
            standing.fate, standing.kill = REFUSED, None
        elif met.kill is None:
            standing.there.append(board)
        else:
            standing.kill = standing.kill or met.kill
            if met.kill.by not in WEAK:
                standing.fate, standing.kill = KILLED, met.kill

    def _on_rulings(self, workers: Workers) -> None:
        alive = self._alive()
        setups = setups_of(opened(self.plan.rulebook)[0])
        label = f"boards of rulings, {counted(len(alive), 'mutant')} left"
        for kills in workers.over(label, partial(_rule, self.plan, tuple(alive)), setups):
            for number, kill in kills:
                standing = self.standing[number]
                known = standing.kill if standing.fate == KILLED else None
                if known is None or kill.board < known.board:
                    standing.fate, standing.kill = KILLED, kill

    def _settle_for_weak(self) -> None:
        for standing in self.standing:
            if standing.fate is None and standing.kill is not None:
                standing.fate = KILLED

    def _compare(self, workers: Workers) -> None:
        left = []
        for standing in self.standing:
            if standing.fate is None and self.faults[standing.number].rule not in self.rules_seen:
                standing.tried = replace(self._tried(standing), fate=SURVIVED)
            elif standing.fate is None:
                left.append(standing)
        work = partial(_compared, self.plan)
        items = [(standing.number, tuple(standing.there)) for standing in left]
        for number, tried in workers.over("survivors held against the rules as written", work, items):
            self.standing[number].tried = tried

    def result(self) -> tuple[Tried, ...]:
        return tuple(map(self._tried, self.standing))

    def _tried(self, standing: _Standing) -> Tried:
        if standing.tried is not None:
            return standing.tried
        mutant = self.faults[standing.number]
        source = opened(self.plan.rulebook)[1].sources[mutant.rule]
        fate = standing.fate or (OPEN if standing.kill is None else KILLED)
        return Tried(source, mutant.operator, mutant.change, fate, standing.kill)


def _show(rulebook: str, board: str) -> Shown:
    return show(board, as_written(rulebook, board), Limits(), "symbolic")


def _meet(plan: Plan, board: Shown, numbers: tuple[int, ...]) -> list[_Met]:
    """Hold mutants against a board; those that cannot differ from the rules as written there are left out."""
    encoding = opened(plan.rulebook)[1]
    written = as_written(plan.rulebook, board.board)
    own = [faults(plan.rulebook, plan.files, plan.sample)[number] for number in numbers]
    laid = lay(encoding, written, own)
    found = [_Met(numbers[n], refused=True) for n in sorted(laid.unsafe)]
    for n in sorted(shows(laid, _limits(board), _engine(board)) - laid.unsafe):
        try:
            second = laid.with_fault(n) if n in laid.apart else _with(plan, own[n], written, board.board)
        except InputError:
            found.append(_Met(numbers[n], refused=True))
            continue
        if n in laid.unclear and same_rules(written, second):
            continue
        after = show(board.board, second, _limits(board), _engine(board))
        found.append(_Met(numbers[n], kill=noticed(board, after)))
    return found


def _rule(plan: Plan, numbers: tuple[int, ...], setup: Setup) -> list[tuple[int, Kill]]:
    """Hold mutants against the rulings of a board."""
    book, encoding = opened(plan.rulebook)
    own = [faults(plan.rulebook, plan.files, plan.sample)[number] for number in numbers]
    return [(numbers[n], kill) for n, kill in noticed_by_rulings(book, encoding, setup, own)]


def _compared(plan: Plan, left: tuple[int, tuple[Shown, ...]]) -> tuple[int, Tried]:
    """Say what becomes of a mutant that nobody noticed: does it differ from the rules as written, and where."""
    number, there = left
    encoding = opened(plan.rulebook)[1]
    mutant = faults(plan.rulebook, plan.files, plan.sample)[number]
    result = Tried(encoding.sources[mutant.rule], mutant.operator, mutant.change, SAME)
    undecided: list[str] = []
    for board in there:
        first = as_written(plan.rulebook, board.board)
        found = compare(first, _with(plan, mutant, first, board.board), _limits(board), _engine(board))
        if found.trace is not None:
            game = tuple(str(first.actions[step.action].name) for step in found.trace.steps)
            survival = Survival(board.board, game, found.differing)
            return number, replace(result, fate=SURVIVED, survival=survival)
        if not found.same:
            undecided.append(board.board)
    decided = tuple(board.board for board in there if board.board not in undecided)
    return number, replace(result, fate=OPEN if undecided else SAME, boards=decided)


def _with(plan: Plan, mutant: Mutant, first: TransitionSystem, board: str) -> TransitionSystem:
    """Return the board's system with the fault: without grounding again where the rule is only left out.

    Raises:
        InputError: the loader refuses the mutant.

    """
    off = None if mutant.nodes else switched_off(first, frozenset({mutant.rule}))
    return off or ground_on(plan.rulebook, mutant.put_into(opened(plan.rulebook)[1]), board)


def _limits(before: Shown) -> Limits:
    return Limits(max(LEAST_SECONDS, TIMES * before.seconds))


def _engine(before: Shown) -> str:
    return "explicit" if before.complete and before.states <= SMALL else "symbolic"


def by_rule(tried: Sequence[Tried]) -> list[tuple[RuleSource, list[Tried]]]:
    """Return what was tried, rule by rule, in the order of the rulebook."""
    ordered = sorted(tried, key=lambda t: t.source.id)
    return [(group[0].source, group) for _, g in groupby(ordered, key=lambda t: t.source.id) if (group := list(g))]
