"""The readings on which two sides of one rulebook part, each changed alone: what it does by itself.

They part on what both fix otherwise, and on what one side fixes and the other leaves open: then each value that
the open side allows and the other does not.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from checker.compare.model import Parting, ReadingChange
from checker.compare.product import product
from checker.compare.readings import Spoken, parting_of
from checker.compare.sides import Opened, Side, opened
from checker.engines.protocol import Limits
from checker.errors import InputError
from checker.rulebook.facts import facts
from checker.rulebook.model import Board
from checker.system.model import TransitionSystem


@dataclass(frozen=True, slots=True)
class Switch:
    """A reading with a value on the left and one on the right; open: the side that leaves it open, or none."""

    reading: str
    left: str
    right: str
    open: str = ""


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

    switch: Switch
    objects: int
    parting: Parting | None
    why_open: str


def switches(left: Opened, right: Opened) -> tuple[Switch, ...]:
    """Return the readings on which two sides of the same rulebook part; none for two rulebooks."""
    if left.book.path.resolve() != right.book.path.resolve() or left.book.encoding != right.book.encoding:
        return ()
    return tuple(switch for name in left.book.readings for switch in _parted(left, right, name))


def _parted(left: Opened, right: Opened, name: str) -> Iterator[Switch]:
    mine, yours = (side.book.version.readings.get(name) for side in (left, right))
    if mine is not None and yours is not None:
        yield from [Switch(name, mine, yours)] if mine != yours else []
    elif yours is not None:
        yield from (Switch(name, value, yours, "left") for value in left.book.readings[name].values if value != yours)
    elif mine is not None:
        yield from (Switch(name, mine, value, "right") for value in right.book.readings[name].values if value != mine)


def change_alone(job: AloneJob) -> list[Alone]:
    """Change each reading alone on a board, whatever the board itself chooses; nothing if it cannot be loaded."""
    table = _Table(job)
    found = []
    try:
        named = table.spoken_of()
    except InputError:
        return []
    for switch in (switch for switch in job.switches if switch.reading in named):
        sides = tuple(table.lay(switch.reading, value) for value in (switch.left, switch.right))
        (left, mine, before), (right, yours, after) = sides
        both, boards = product(before, after), (mine, yours)
        parting, why = parting_of(both, job.board, (left, right), boards, job.engine, job.limits, job.language)
        found.append(Alone(switch, len(mine.objects), parting, why))
    return found


class _Table:
    """A board under the left side's readings but for one; systems are ground once for each choice."""

    def __init__(self, job: AloneJob) -> None:
        self.job = job
        self._systems: dict[object, TransitionSystem] = {}

    def spoken_of(self) -> frozenset[str]:
        """Return the readings that can make a difference on the board.

        Raises:
            InputError: the board does not fit the rulebook.

        """
        side = opened(self.job.side)
        return Spoken(side, side.board(self.job.file)).names

    def lay(self, reading: str, value: str) -> tuple[Opened, Board, TransitionSystem]:
        """Return the side, the board and its rules with a value chosen."""
        side = opened(replace(self.job.side, given=(*self.job.side.given, (reading, value))))
        board = side.board(self.job.file)
        key = tuple(facts(side.book, board, side.book.choose(board, {})))
        if key not in self._systems:
            self._systems[key] = side.system(board, ())
        return side, board, self._systems[key]


def summed_up(switches: Sequence[Switch], found: Sequence[Alone]) -> Iterator[ReadingChange]:
    """Yield each reading with the shortest of its games, on the smallest board among those."""
    for switch in switches:
        own = [alone for alone in found if alone.switch == switch]
        shown = [(len(a.parting.steps), a.objects, a.parting.board, a.parting) for a in own if a.parting is not None]
        best = min(shown, key=lambda one: one[:3], default=None)
        unsure = tuple(dict.fromkeys(alone.why_open for alone in own if alone.why_open))
        game = best[3] if best else None
        yield ReadingChange(switch.reading, switch.left, switch.right, switch.open, game, len(shown), unsure)
