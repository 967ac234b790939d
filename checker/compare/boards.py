"""Compare two sides on one board: the rules themselves, then verdicts, then behaviour."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from time import monotonic
from types import MappingProxyType

from checker.check import Status, check_board
from checker.compare.behaviour import explore
from checker.compare.model import BoardComparison, Parting, VerdictChange
from checker.compare.product import Product, product
from checker.compare.sides import Opened, Side, opened
from checker.engines.protocol import Limits
from checker.errors import InputError
from checker.progress import reporter
from checker.report.model import BoardReport, PropertyReport
from checker.report.summary import summarise
from checker.report.words import Words
from checker.rulebook.model import Board
from checker.store import store_at

UNDECIDED = "unknown"

ANSWERS: Mapping[str, str] = MappingProxyType(
    {
        Status.HOLDS.value: "holds",
        Status.VANISHED.value: "holds",
        Status.VIOLATED.value: "violated",
        Status.KNOWN.value: "violated",
        Status.ABSENT.value: "not on this board",
        Status.UNKNOWN.value: UNDECIDED,
    }
)
"""What a status says of the rules, whatever was expected of them."""

MISSING = "not asked"


@dataclass(frozen=True, slots=True)
class Job:
    """One board to compare, in any process. verdicts, behaviour: whether to look into them. engines: by which."""

    sides: tuple[Side, Side]
    board: str
    file: str
    verdicts: bool
    behaviour: bool
    engines: tuple[str, str]
    limits: Limits
    language: str
    store: Path | None


def unchanged(job: Job) -> BoardComparison | None:
    """Return the comparison of a board on which both sides say the same, without grounding; None on others."""
    start = monotonic()
    left, right = (opened(side) for side in job.sides)
    try:
        same = left.says(left.board(job.file)) == right.says(right.board(job.file))
    except InputError:
        return None
    return BoardComparison(job.board, True, None, "", ((), ()), (), (), (), monotonic() - start) if same else None


def compare_on(job: Job) -> BoardComparison:
    """Compare on one board; a board that one side cannot load is said to be so, and not compared."""
    start = monotonic()
    left, right = (opened(side) for side in job.sides)
    try:
        boards = left.board(job.file), right.board(job.file)
        systems = left.system(boards[0]), right.system(boards[1])
    except InputError as error:
        return BoardComparison(
            job.board, False, None, "", ((), ()), (), (), (), monotonic() - start, str(error.problems[0])
        )
    both = product(*systems)
    changes = tuple(_verdicts(job, (left, right), boards)) if job.verdicts and not both.same else ()
    states, why, partings = _behaviour(job, both, (left, right), boards)
    return BoardComparison(
        board=job.board,
        same=both.same,
        states=states,
        why_open=why,
        only=(tuple(map(str, both.only[0])), tuple(map(str, both.only[1]))),
        starts=tuple(map(str, both.starts)),
        partings=partings,
        verdicts=tuple(change for change in changes if UNDECIDED not in (change.left, change.right)),
        seconds=monotonic() - start,
        undecided=tuple(change.property for change in changes if UNDECIDED in (change.left, change.right)),
    )


def _behaviour(
    job: Job, both: Product, sides: tuple[Opened, Opened], boards: tuple[Board, Board]
) -> tuple[int | None, str, tuple[Parting, ...]]:
    """Search for differences in what can be done; nothing is searched where the rules leave no room for one."""
    if not job.behaviour:
        return None, "", ()
    apart = "boards that only one side starts from" if both.starts else ""
    if not both.system.goals:
        return None, apart, ()
    if any(not variable.initial for variable in both.system.variables):
        return None, "there is no board on which both sides start", ()
    left, right = (Words(s.book, b, job.language) for s, b in zip(sides, boards, strict=True))
    found = explore(both, job.board, (left, right), job.engines[1], job.limits, reporter(job.board))
    return found.states, found.why_open or apart, found.partings


def _verdicts(job: Job, sides: tuple[Opened, Opened], boards: tuple[Board, Board]) -> Iterator[VerdictChange]:
    """Yield each property that is answered otherwise, or undecided; one that a side does not ask is "not asked"."""
    mine, yours = (_checked(job, side, board) for side, board in zip(sides, boards, strict=True))
    left, right = ({p.name: p for p in report.properties} for report in (mine, yours))
    for name in dict.fromkeys([*right, *left]):
        before, after = left.get(name), right.get(name)
        answers = _answer(before), _answer(after)
        if answers[0] != answers[1] or UNDECIDED in answers:
            shown = after if answers[1] == "violated" else before if answers[0] == "violated" else after or before
            assert shown is not None, "one of the two sides asks it"
            game = tuple(step.sentence for step in shown.game.steps) if shown.game else ()
            culprits = shown.culprits if "violated" in answers else ()
            yield VerdictChange(job.board, name, shown.title, *answers, game, culprits)


def _checked(job: Job, side: Opened, board: Board) -> BoardReport:
    store = store_at(job.store) if job.store else None
    report = reporter(f"{board.name} ({side.side.title})")
    result = check_board(
        side.book, side.encoding, board, {}, side.book.properties, job.engines[0], job.limits, report, store=store
    )
    return summarise(result, job.language)


def _answer(wanted: PropertyReport | None) -> str:
    return MISSING if wanted is None else ANSWERS[wanted.status]
