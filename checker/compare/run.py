"""The work of `equipoise diff`: compare on every board side by side in processes, print, gate."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import click

from checker.compare.alone import AloneJob, Switch, change_alone, summed_up, switches
from checker.compare.boards import Job, compare_on, unchanged
from checker.compare.clauses import clause_changes, declared_otherwise
from checker.compare.joint import ADDED, CHANGED, REMOVED
from checker.compare.model import BoardComparison, Comparison, RulingChange
from checker.compare.questions import asked_otherwise
from checker.compare.report import PARTS, shortest, to_json, to_text
from checker.compare.rulings import ruling_batches, ruling_changes
from checker.compare.sides import Side, boards_of, laid_otherwise, on_one_side, opened, parse, revisions, titled
from checker.compare.spread import spread
from checker.engines.protocol import Limits
from checker.engines.registry import engine
from checker.errors import InputError
from checker.progress import tell_borrowed

GATES = {ADDED: "behaviour", REMOVED: "behaviour", CHANGED: "behaviour", "verdict": "verdicts", "ruling": "rulings"}
"""What can be forbidden, and the part that has to be looked into for it."""


@dataclass(frozen=True, slots=True)
class DiffRequest:
    """What the command line asks for; an empty tuple of boards means all, of parts too.

    engines: for verdicts, where those of `check` are known already, and for behaviour.
    """

    left: str
    right: str | None
    git: str | None
    boards: tuple[str, ...]
    parts: tuple[str, ...]
    forbid: tuple[str, ...]
    engines: tuple[str, str]
    limits: Limits
    jobs: int | None
    language: str = "en"
    store: Path | None = None


def run_diff(request: DiffRequest, form: str) -> int:
    """Compare and print; 0, or 1 if something changed that `forbid` names, or 3 if that is left open.

    Raises:
        InputError: a side cannot be loaded, the arguments do not say what to compare, or what is forbidden is not.
        InternalError: a game does not show on both sides what the search says it shows.

    """
    for forbidden in request.forbid if request.parts else ():
        if GATES[forbidden] not in request.parts:
            raise InputError(f"--forbid {forbidden} needs --only {GATES[forbidden]}, or no --only")
    for name in request.engines:
        engine(name)  # refused at once, not only where there is something to decide
    with _sides(request) as sides:
        found = compare(request, sides)
    click.echo(to_json(found) if form == "json" else to_text(found), nl=False)
    return gate(found, request.forbid)


@contextmanager
def _sides(request: DiffRequest) -> Iterator[tuple[Side, Side]]:
    if request.git is not None:
        if request.right is not None:
            raise InputError("with --git there is one rulebook, whose revisions are compared")
        with revisions(request.left, request.git) as sides:
            yield sides
    elif request.right is None:
        raise InputError("name two rulebooks to compare, or one with --git REV..REV")
    else:
        yield parse(request.left), parse(request.right)


def compare(request: DiffRequest, sides: tuple[Side, Side]) -> Comparison:
    """Compare two sides in the parts asked for; only what both do not say alike is looked into.

    Raises:
        InputError: a side cannot be loaded, or there is no board to compare on.

    """
    left, right = (opened(side) for side in sides)
    for side in (left, right):
        side.book.require_language(request.language)
    tell_borrowed([left.book, right.book])
    asked = request.parts or tuple(PARTS)
    boards = boards_of(left, right, request.boards)
    on_boards = bool({"verdicts", "behaviour"} & {*asked})
    if on_boards and not boards:
        raise InputError("neither side has a board; name one with --board, or compare only in parts that need none")
    compared_on = boards if on_boards else []
    relaid = list(laid_otherwise(left, right, compared_on))
    jobs = [_job(request, sides, board, asked) for board in (*compared_on, *relaid)]
    changed = switches(left, right) if "readings" in asked else ()
    batches = ruling_batches(left, right, request.boards) if "rulings" in asked else []
    if "ruling" in request.forbid and not batches:
        raise InputError("--forbid ruling needs a ruling; neither side has one on the boards to compare on")
    alike = [unchanged(job) for job in jobs]
    unlike = [job for job, same in zip(jobs, alike, strict=True) if same is None]
    flips = [batch.ids for batch in batches if not batch.same]
    workers = request.jobs or os.cpu_count() or 1
    with spread(workers if len(unlike) + len(flips) + len(changed) > 1 else 1) as each:
        compared = iter(each("boards compared", compare_on, unlike))
        alone = [_alone(request, sides[0], board, changed) for board in boards] if changed else []
        single = each("boards with each reading changed alone", change_alone, alone)
        flipped = each("boards whose rulings are played", _Play(sides, request.language), flips)
    return Comparison(
        left=titled(left),
        right=titled(right),
        asked=tuple(part for part in PARTS if part in asked),
        clauses=clause_changes(left.book, right.book, request.language) if "clauses" in asked else (),
        boards=tuple(next(compared) if same is None else same for same in alike),
        rulings=tuple(change for batch in flipped for change in batch),
        readings=tuple(summed_up(changed, [alone for board in single for alone in board])),
        rulings_played=len({name for batch in batches for name in batch.ids}),
        relaid=tuple(name for name, _ in relaid),
        alone=on_one_side(left, right) if not request.boards else (),
        questions=asked_otherwise(left, right) if "verdicts" in asked else (),
        declared=declared_otherwise(left.book, right.book) if "clauses" in asked else (),
    )


def _job(request: DiffRequest, sides: tuple[Side, Side], board: tuple[str, str], asked: Sequence[str]) -> Job:
    wanted = ("verdicts" in asked, "behaviour" in asked)
    return Job(sides, *board, *wanted, request.engines, request.limits, request.language, request.store)


def _alone(request: DiffRequest, side: Side, board: tuple[str, str], changed: tuple[Switch, ...]) -> AloneJob:
    name, file = board
    return AloneJob(side, name, file, changed, request.engines[1], request.limits, request.language)


@dataclass(frozen=True, slots=True)
class _Play:
    """Plays a batch of rulings, in any process."""

    sides: tuple[Side, Side]
    language: str

    def __call__(self, ids: Sequence[str]) -> list[RulingChange]:
        return ruling_changes(self.sides, ids, self.language)


def gate(found: Comparison, forbid: Sequence[str]) -> int:
    """Return 1 if something forbidden changed, 3 if that is left open, else 0; say on stderr what the 1 is for.

    What one side alone has, and boards that one side alone starts from, count as changed.
    """
    kinds = {p.kind for p in shortest(found.boards) if p.clause is None}
    kinds |= {CHANGED} if any(board.starts or any(board.only) for board in found.boards) else set()
    seen = kinds | ({"verdict"} if any(b.verdicts for b in found.boards) else set())
    seen |= {"ruling"} if found.rulings else set()
    if met := [kind for kind in GATES if kind in seen & set(forbid)]:
        click.echo(f"forbidden, and found: {', '.join(met)}", err=True)
        return 1
    parts = {GATES[forbidden] for forbidden in forbid}
    return 3 if any(_open(board, parts) for board in found.boards) else 0


def _open(board: BoardComparison, parts: set[str]) -> bool:
    """Tell whether a board leaves open what is asked for in some parts."""
    verdicts = "verdicts" in parts and bool(board.trouble or board.undecided)
    return verdicts or ("behaviour" in parts and bool(board.trouble or board.why_open))
