"""What each reading keeps and breaks on one board, and the shortest game that tells it from the one taken.

Where the ground rules are the same under both, so is everything else, and nothing is checked: verdicts are
decided and games are looked for only on boards where the reading makes a difference.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import TypeAlias

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
from checker.rulebook.model import Board
from checker.store import VerdictStore
from checker.system.model import TransitionSystem

Choice: TypeAlias = tuple[tuple[str, str], ...]
"""Values of readings that are chosen together: of one reading, or of two."""

BASE: Choice = ()
"""What the board or the version says, or the default."""


@dataclass(frozen=True, slots=True)
class ReadingJob:
    """One board to look at under several choices, in any process."""

    rulebook: str
    board: str
    choices: tuple[Choice, ...]
    engine: str
    limits: Limits
    language: str
    store: Path | None


@dataclass(frozen=True, slots=True)
class Told:
    """What one board says of a choice, against what is taken there otherwise.

    same: the ground rules are the same. broken: the properties that do not hold, known findings included.
    base: those without the choice. parting: a shortest game that tells the two apart, None if there is none.
    why_open: why that is not known. Where the rules are the same the other fields are empty.
    """

    choice: Choice
    board: str
    objects: int
    same: bool
    broken: tuple[str, ...] = ()
    base: tuple[str, ...] = ()
    parting: Parting | None = None
    why_open: str = ""


def tell(job: ReadingJob) -> list[Told]:
    """Look at a board under every choice.

    Raises:
        InputError: a file is wrong, or there is no such reading or value.

    """
    base = opened(Side("as taken", job.rulebook))
    board = base.board(job.board)
    system, objects = base.system(board), len(board.objects)
    without: tuple[str, ...] | None = None
    found = []
    for choice in job.choices:
        side = opened(Side(title(choice), job.rulebook, choice))
        both = product(system, side.system(side.board(job.board)))
        if both.same:
            found.append(Told(choice, job.board, objects, True))
            continue
        without = _broken(job, base, system) if without is None else without
        broken = _broken(job, side, both.right.system)
        boards = (board, side.board(job.board))
        parting, why = parting_of(both, job.board, (base, side), boards, job.engine, job.limits, job.language)
        found.append(Told(choice, job.board, objects, False, broken, without, parting, why))
    return found


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


def _broken(job: ReadingJob, side: Opened, system: TransitionSystem) -> tuple[str, ...]:
    """Return the properties that a board breaks under a side's readings; an undecided one is marked so."""
    board = side.board(job.board)
    store = VerdictStore(job.store) if job.store else None
    asked, report = side.book.properties, reporter(system.name)
    result = check_board(side.book, side.encoding, board, {}, asked, job.engine, job.limits, report, store=store)
    answers = {judged.property.name: ANSWERS[judged.status.value] for judged in result.judged}
    marks = {"violated": "", "unknown": " (undecided)"}
    return tuple(f"{name}{marks[answer]}" for name, answer in answers.items() if answer in marks)
