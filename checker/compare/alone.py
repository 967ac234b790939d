"""The readings two sides of one rulebook choose otherwise, each changed alone: what it does by itself."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from checker.compare.model import Parting, ReadingChange
from checker.compare.product import product
from checker.compare.readings import parting_of
from checker.compare.sides import Opened, Side, opened
from checker.engines.protocol import Limits
from checker.errors import InputError
from checker.rulebook.model import Board


@dataclass(frozen=True, slots=True)
class Switch:
    """A reading and its values on the left and on the right."""

    reading: str
    left: str
    right: str


@dataclass(frozen=True, slots=True)
class AloneJob:
    """One board on which to change readings of the left side one by one, in any process."""

    side: Side
    board: str
    file: str
    switches: tuple[Switch, ...]
    engine: str
    limits: Limits
    language: str


@dataclass(frozen=True, slots=True)
class Alone:
    """What changing one reading alone does on one board; `objects` is how many the board has."""

    reading: str
    objects: int
    parting: Parting | None
    why_open: str


def switches(left: Opened, right: Opened) -> tuple[Switch, ...]:
    """Return the readings that two sides of the same rulebook choose otherwise; none for two rulebooks."""
    if left.book.path.resolve() != right.book.path.resolve() or left.book.encoding != right.book.encoding:
        return ()
    nowhere = Board("", left.book.path, "", {}, {}, {})
    mine, yours = (side.book.choose(nowhere, {}) for side in (left, right))
    return tuple(Switch(name, mine[name], yours[name]) for name in mine if mine[name] != yours[name])


def change_alone(job: AloneJob) -> list[Alone]:
    """Change each reading alone on a board, unless the board chooses it itself or cannot be loaded."""
    base = opened(job.side)
    try:
        board = base.board(job.file)
        system = base.system(board)
    except InputError:
        return []
    found = []
    for switch in job.switches:
        if switch.reading in board.readings:
            continue
        side = opened(replace(job.side, given=(*job.side.given, (switch.reading, switch.right))))
        both = product(system, side.system(board))
        parting, why = parting_of(both, job.board, (base, side), (board, board), job.engine, job.limits, job.language)
        found.append(Alone(switch.reading, len(board.objects), parting, why))
    return found


def summed_up(switches: Sequence[Switch], found: Sequence[Alone]) -> Iterator[ReadingChange]:
    """Yield each reading with the shortest of its games, on the smallest board among those."""
    for switch in switches:
        own = [alone for alone in found if alone.reading == switch.reading]
        shown = [(len(a.parting.steps), a.objects, a.parting.board, a.parting) for a in own if a.parting is not None]
        best = min(shown, key=lambda one: one[:3], default=None)
        open_ = tuple(dict.fromkeys(alone.why_open for alone in own if alone.why_open))
        yield ReadingChange(switch.reading, switch.left, switch.right, best[3] if best else None, len(shown), open_)
