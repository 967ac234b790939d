"""The work of `equipoise readings`: a table to decide by, and a set of values that keeps everything."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import combinations, product
from pathlib import Path

import click

from checker.compare.model import Parting
from checker.compare.readings import Choice, ReadingJob, Told, tell, title
from checker.compare.report import side_by_side
from checker.compare.run import spread
from checker.engines.protocol import Limits
from checker.errors import InputError, closest
from checker.rulebook.load import load_board, load_rulebook
from checker.rulebook.model import Reading, Rulebook

NONE_FITS = "no set is recommended: every value of some reading breaks something, or leaves it undecided"


@dataclass(frozen=True, slots=True)
class ReadingsRequest:
    """What the command line asks for; empty tuples mean all, of readings those the version does not fix."""

    rulebook: str
    boards: tuple[str, ...]
    names: tuple[str, ...]
    pairs: bool
    engine: str
    limits: Limits
    jobs: int | None
    language: str = "en"
    store: Path | None = None


@dataclass(frozen=True, slots=True)
class Summary:
    """A choice over all boards.

    taken: it is what is taken anyway. matters: the boards where it changes the ground rules. breaks and keeps:
    properties, with the board, that are broken under the choice and not otherwise, and the reverse. broken:
    all that are broken under it on those boards. parting: the shortest game on the smallest board that tells
    it from what is taken. undecided: boards where something is open.
    """

    choice: Choice
    taken: bool
    matters: tuple[str, ...]
    breaks: tuple[str, ...]
    keeps: tuple[str, ...]
    parting: Parting | None
    undecided: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Decision:
    """Everything `equipoise readings` found. recommended: see `candidates`; None if there is no such set."""

    rulebook: str
    boards: tuple[str, ...]
    summaries: tuple[Summary, ...]
    recommended: Choice | None
    note: str


def run_readings(request: ReadingsRequest, form: str) -> int:
    """Compare readings and print a table; 0, or 3 if something is undecided.

    Raises:
        InputError: there is no such reading or board, or a file is wrong.

    """
    found = decide(request)
    if form == "json":
        click.echo(json.dumps(asdict(found), ensure_ascii=False, indent=2))
    else:
        click.echo("\n".join(_text(found, load_rulebook(request.rulebook), request.language)))
    return 3 if any(summary.undecided for summary in found.summaries) else 0


def decide(request: ReadingsRequest) -> Decision:
    """Look at every choice on every board, boards side by side in processes."""
    book = load_rulebook(request.rulebook)
    boards = request.boards or book.board_names()
    for name in boards:
        load_board(book, name)
    choices = tuple(_choices(_chosen(book, request.names), request.pairs))
    with spread(min(request.jobs or os.cpu_count() or 1, len(boards))) as each:
        told = [one for board in each(tell, [_job(request, name, choices) for name in boards]) for one in board]
        summaries = tuple(_summary(book, choice, [t for t in told if t.choice == choice]) for choice in choices)
        recommended, note = None, NONE_FITS
        for wanted in candidates(summaries):
            jobs = [_job(request, name, (wanted,)) for name in boards]
            checked = [one for board in each(tell, jobs) for one in board]
            recommended, note = _confirmed(book, wanted, checked, summaries)
            if recommended:
                break
    return Decision(request.rulebook, tuple(boards), summaries, recommended, note)


def candidates(summaries: Sequence[Summary]) -> list[Choice]:
    """Return sets of one value for each reading, each breaking nothing, on any board, that is kept otherwise.

    First the values that mend most, the value taken where that does not decide; then, for each reading that
    mends something, its value with those taken. None at all where every value of some reading breaks something.
    """
    by_name: dict[str, list[Summary]] = {}
    for summary in summaries:
        if len(summary.choice) == 1 and not summary.breaks and not summary.undecided:
            by_name.setdefault(summary.choice[0][0], []).append(summary)
    if by_name.keys() != {name for summary in summaries for name, _ in summary.choice}:
        return []
    best = {name: max(fit, key=lambda s: (len(s.keeps), s.taken)) for name, fit in by_name.items()}
    plain = {name: next((s for s in fit if s.taken), best[name]) for name, fit in by_name.items()}
    sets = [best, *(plain | {name: one} for name, one in best.items() if one.keeps)]
    return list(dict.fromkeys(tuple(one.choice[0] for one in found.values()) for found in sets))


def _confirmed(
    book: Rulebook, wanted: Choice, checked: Sequence[Told], summaries: Iterable[Summary]
) -> tuple[Choice | None, str]:
    """Say whether values break nothing together either, and mend together all that each mends alone."""
    together = _summary(book, wanted, checked)
    owed = {name for one in summaries if one.choice and {*one.choice} <= {*wanted} for name in one.keeps}
    lost = [*together.breaks, *together.undecided, *sorted(owed - {*together.keeps})]
    if lost:
        return None, f"values that each break nothing do so together: {', '.join(lost)}"
    kept = f"; they mend {', '.join(together.keeps)}" if together.keeps else ""
    return wanted, f"together they break nothing that is kept otherwise{kept}"


def _job(request: ReadingsRequest, board: str, choices: tuple[Choice, ...]) -> ReadingJob:
    return ReadingJob(request.rulebook, board, choices, request.engine, request.limits, request.language, request.store)


def _chosen(book: Rulebook, names: Sequence[str]) -> list[Reading]:
    """Return the readings to look at: those named, else all that no version fixes."""
    for name in names:
        if name not in book.readings:
            raise InputError(f'{book.name} has no reading "{name}"; {closest(name, list(book.readings))}')
    if names:
        return [book.readings[name] for name in names]
    fixed = {n for v in book.versions for n in load_rulebook(f"{book.folder}@{v}").version.readings}
    return [reading for name, reading in book.readings.items() if name not in fixed]


def _choices(readings: Sequence[Reading], pairs: bool) -> Iterator[Choice]:
    """Yield every value of every reading, and of pairs of readings the values other than the defaults."""
    for reading in readings:
        yield from (((reading.name, value),) for value in reading.values)
    for first, second in combinations(readings, 2) if pairs else ():
        others = ([(r.name, v) for v in r.values if v != r.default] for r in (first, second))
        yield from product(*others)


def _summary(book: Rulebook, choice: Choice, told: Sequence[Told]) -> Summary:
    different = sorted((t for t in told if not t.same), key=lambda t: (t.objects, t.board))
    partings = [t.parting for t in different if t.parting is not None]
    return Summary(
        choice=choice,
        taken=all(book.version.readings.get(name, book.readings[name].default) == value for name, value in choice),
        matters=tuple(t.board for t in different),
        breaks=tuple(f"{name} on {t.board}" for t in different for name in t.broken if name not in t.base),
        keeps=tuple(f"{name} on {t.board}" for t in different for name in t.base if name not in t.broken),
        parting=partings[0] if partings else None,
        undecided=tuple(t.board for t in different if t.why_open or any("(undecided)" in n for n in t.broken)),
    )


def _text(found: Decision, book: Rulebook, language: str) -> Iterator[str]:
    yield f"{found.rulebook}: {len(found.boards)} boards; every value against what each board takes without it"
    for name, group in _by_reading(found.summaries).items():
        reading = book.readings.get(name)
        yield ""
        yield f"{name}: {reading.question[language]}" if reading else name
        yield from (line for summary in group for line in _lines(summary))
    yield ""
    if found.recommended:
        yield f"recommended: {title(found.recommended)}"
    yield found.note


def _by_reading(summaries: Iterable[Summary]) -> Mapping[str, list[Summary]]:
    groups: dict[str, list[Summary]] = {}
    for summary in summaries:
        groups.setdefault(" and ".join(name for name, _ in summary.choice), []).append(summary)
    return groups


def _lines(summary: Summary) -> Iterator[str]:
    said = ", ".join(value for _, value in summary.choice) + (" (taken)" if summary.taken else "")
    if not summary.matters:
        yield f"  {said}: the same rules on every board"
        return
    apart = "" if summary.parting else "; no game tells it from what is taken, exhaustively"
    if not summary.parting and summary.undecided:
        apart = "; no game was found that tells it from what is taken"
    yield f"  {said}: other rules on {len(summary.matters)} boards{apart}"
    for heading, names in (("breaks", summary.breaks), ("mends", summary.keeps), ("undecided on", summary.undecided)):
        if names:
            yield f"    {heading} {', '.join(names)}"
    if summary.parting is not None:
        yield from _game(summary.parting)


def _game(parting: Parting) -> Iterator[str]:
    yield f"    told apart on {parting.board} after {len(parting.steps)} steps (left as taken, right as chosen):"
    yield from (f"    {number}. {step}" for number, step in enumerate(parting.steps, start=1))
    yield from (f"    => {line}" for line in parting.ending)
    yield from side_by_side(parting.rows)
