"""Try every mutant: on the boards that have its rule, smallest first, then on rulings, until one notices."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import groupby

from checker.engines.protocol import Limits
from checker.errors import InputError
from checker.mutation.mutants import Mutant, mutants
from checker.mutation.product import compare, same_rules
from checker.mutation.shown import SMALL, Kill, Shown, noticed, show, switched_off
from checker.mutation.tally import side_by_side
from checker.mutation.workbench import as_written, ground_on, opened
from checker.rulebook.encoding import Encoding
from checker.rulebook.model import Rulebook
from checker.rulings.load import load_rulings
from checker.rulings.play import play
from checker.system.model import RuleSource, TransitionSystem

LEAST_SECONDS, TIMES = 10.0, 5.0
"""A mutant gets as many seconds on a board at least, and as many times what the rules as written took."""

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
    """One mutant with what became of it. boards: those on which it was found to be no different."""

    source: RuleSource
    operator: str
    change: str
    fate: str
    kill: Kill | None = None
    survival: Survival | None = None
    boards: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Baseline:
    """The rules as written: what each board shows, smallest first, and the clauses each ruling plays."""

    shown: tuple[Shown, ...]
    rulings: tuple[tuple[str, frozenset[str]], ...]


@dataclass(frozen=True, slots=True)
class _Alive:
    """A mutant on a board that does not notice it. same: its ground rules are the same as those as written."""

    before: Shown
    second: TransitionSystem
    same: bool


def run(plan: Plan) -> Iterator[Tried]:
    """Try every mutant of the plan, side by side in processes; the order is that of the work.

    Raises:
        InputError: the rulebook or a board is wrong, or no rule is in the files named.

    """
    encoding = opened(plan.rulebook)[1]
    rules = [s.id for s in encoding.sources if not plan.files or _in(s, plan.files)]
    if not rules:
        raise InputError(f"no tagged rule stands in {', '.join(plan.files)}; name a file such as attach.lp")
    shown = list(side_by_side("boards as they are", partial(_show, plan.rulebook), plan.boards, plan.jobs))
    shown.sort(key=lambda s: (s.states, s.board))
    setups = _setups(plan.rulebook) if plan.rulings else []
    played = side_by_side("rulings as they are", partial(_play, plan.rulebook), setups, plan.jobs)
    baseline = Baseline(tuple(shown), tuple(ruling for group in played for ruling in group))
    for group in side_by_side("rules", partial(_try_rule, plan, baseline), rules, plan.jobs):
        yield from group


def _in(source: RuleSource, files: Sequence[str]) -> bool:
    return any(source.file == name or source.file.endswith("/" + name) for name in files)


def _show(rulebook: str, board: str) -> Shown:
    return show(board, as_written(rulebook, board), Limits(), "symbolic")


def _setups(rulebook: str) -> list[str]:
    """Return the boards that the rulings of this version are played on."""
    book = opened(rulebook)[0]
    return sorted({r.board for r in load_rulings(book) if book.version.name in r.versions})


def _play(rulebook: str, board: str) -> list[tuple[str, frozenset[str]]]:
    """Return the rulings of a board that pass, with the clauses they cite or that fire in them."""
    book, encoding = opened(rulebook)
    rulings = [r for r in load_rulings(book) if r.board == board and book.version.name in r.versions]
    clauses = {ruling.id: set(ruling.clauses) for ruling in rulings}
    failed: set[str] = set()
    for played in play(book, encoding, rulings):
        clauses[played.ruling.id] |= played.clauses
        failed |= {played.ruling.id} if played.failure else set()
    return [(name, frozenset(found)) for name, found in clauses.items() if name not in failed]


def _try_rule(plan: Plan, baseline: Baseline, rule: int) -> list[Tried]:
    """Try every mutant of one rule."""
    _, encoding = opened(plan.rulebook)
    own = list(mutants(encoding, [rule]))[:: plan.sample]
    return [_try(plan, baseline, mutant) for mutant in own]


def _try(plan: Plan, baseline: Baseline, mutant: Mutant) -> Tried:
    """Hold one mutant against the boards, then the rulings; compare what nobody noticed with the rules as written."""
    book, encoding = opened(plan.rulebook)
    source = encoding.sources[mutant.rule]
    result = Tried(source, mutant.operator, mutant.change, REFUSED)
    faulty = mutant.put_into(encoding)
    try:
        alive = _on_boards(plan, baseline, mutant, faulty)
        if not any(mutant.rule in before.rules for before in baseline.shown):
            ground_on(plan.rulebook, faulty, baseline.shown[0].board)
    except InputError:
        return result
    kill = alive if isinstance(alive, Kill) else _by_ruling(book, faulty, baseline, source)
    if isinstance(alive, Kill) or kill is not None:
        return replace(result, fate=KILLED, kill=kill)
    return _compared(plan, alive, result)


def _on_boards(plan: Plan, baseline: Baseline, mutant: Mutant, faulty: Encoding) -> Kill | list[_Alive]:
    """Return how the first board notices a mutant, or its system on each board that has the rule and does not.

    Raises:
        InputError: the loader refuses the mutant.

    """
    alive: list[_Alive] = []
    for before in baseline.shown:
        if mutant.rule not in before.rules:
            continue
        first = as_written(plan.rulebook, before.board)
        second = _with(plan, faulty, first, before.board, mutant)
        same = same_rules(first, second)
        if not same:
            kill = noticed(before, show(before.board, second, _limits(before), _engine(before)))
            if kill is not None:
                return kill
        alive.append(_Alive(before, second, same))
    return alive


def _compared(plan: Plan, alive: Sequence[_Alive], result: Tried) -> Tried:
    """Say what becomes of a mutant that nobody noticed: does it differ from the rules as written, and where."""
    same: list[str] = []
    for on in alive:
        board = on.before.board
        first = as_written(plan.rulebook, board)
        if not on.same:
            found = compare(first, on.second, _limits(on.before), _engine(on.before))
            if found.trace is not None:
                game = tuple(str(first.actions[step.action].name) for step in found.trace.steps)
                return replace(result, fate=SURVIVED, survival=Survival(board, game, found.differing))
            if not found.same:
                continue
        same.append(board)
    fate = SURVIVED if not alive else SAME if len(same) == len(alive) else OPEN
    return replace(result, fate=fate, boards=tuple(same))


def _with(plan: Plan, faulty: Encoding, first: TransitionSystem, board: str, mutant: Mutant) -> TransitionSystem:
    """Return the board's system with the fault: without grounding again where the rule is only left out."""
    off = None if mutant.nodes else switched_off(first, frozenset({mutant.rule}))
    return off or ground_on(plan.rulebook, faulty, board)


def _limits(before: Shown) -> Limits:
    return Limits(max(LEAST_SECONDS, TIMES * before.seconds))


def _engine(before: Shown) -> str:
    return "explicit" if before.complete and before.states <= SMALL else "symbolic"


def _by_ruling(book: Rulebook, faulty: Encoding, baseline: Baseline, source: RuleSource) -> Kill | None:
    """Return the first ruling about a clause of the rule that no longer goes as ruled."""
    clauses = frozenset(source.clauses)
    asked = {name for name, cited in baseline.rulings if not clauses or clauses & cited}
    try:
        for played in play(book, faulty, (r for r in load_rulings(book) if r.id in asked), strict=False):
            if played.failure is not None:
                failure = played.failure
                what = f"step {failure.step}: expected {failure.expected}; {failure.actual}"
                return Kill("ruling", played.ruling.id, what)
    except InputError as error:
        return Kill("ruling", "", error.problems[0].message)
    return None


def by_rule(tried: Sequence[Tried]) -> list[tuple[RuleSource, list[Tried]]]:
    """Return what was tried, rule by rule, in the order of the rulebook."""
    ordered = sorted(tried, key=lambda t: t.source.id)
    return [(group[0].source, group) for _, g in groupby(ordered, key=lambda t: t.source.id) if (group := list(g))]
