"""The work of `equipoise readings`: what to decide by, and a set of values that keeps everything."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, product
from pathlib import Path

import click

from checker.compare.decision import Decision, Summary, to_json, to_markdown, to_text
from checker.compare.model import Parting
from checker.compare.readings import ApartJob, BoardTold, Choice, ReadingJob, Told, tell, told_apart
from checker.compare.spread import Each, spread
from checker.engines.protocol import Limits
from checker.errors import InputError, closest
from checker.rulebook.load import load_board, load_rulebook
from checker.rulebook.model import Reading, Rulebook

NONE_FITS = "no set is recommended: every value of some reading breaks something, or leaves it undecided"

NO_GAME: tuple[Parting | None, str] = (None, "")
"""What is known of a choice that changes no rules: no game tells it apart."""


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


def run_readings(request: ReadingsRequest, form: str) -> int:
    """Compare readings and print a table; 0, or 3 if something is undecided.

    Raises:
        InputError: there is no such reading or board, or a file is wrong.

    """
    found = decide(request)
    book = load_rulebook(request.rulebook)
    if form == "json":
        click.echo(to_json(found), nl=False)
    else:
        click.echo((to_markdown if form == "markdown" else to_text)(found, book, request.language), nl=False)
    return 3 if any(one.undecided or one.why_open for one in (*found.summaries, *found.pairs)) else 0


def decide(request: ReadingsRequest) -> Decision:
    """Look at every choice on every board, boards side by side in processes."""
    book = load_rulebook(request.rulebook)
    book.require_language(request.language)
    boards = request.boards or book.board_names()
    if not boards:
        raise InputError(f"{book.name} has no board; name one with --board")
    sizes = {name: len(load_board(book, name).objects) for name in boards}
    readings = _chosen(book, request.names)
    single, paired = tuple(_singles(readings)), tuple(_pairs(book, readings)) if request.pairs else ()
    with spread(min(request.jobs or os.cpu_count() or 1, len(boards))) as each:
        found = _tell(request, each, (*single, *paired), tuple(boards), together=True)
        told = [one for board in found for one in board.told]
        games = _games(request, each, single, told, sizes)
        alone: dict[tuple[Choice, str], tuple[str, ...]] = {
            (t.choice, t.board): t.broken for t in told if len(t.choice) == 1
        }
        summaries = tuple(
            _summary(book, choice, _of(choice, told), {}, games.get(choice, NO_GAME)) for choice in single
        )
        pairs = (_summary(book, choice, _of(choice, told), alone, NO_GAME) for choice in paired)
        recommended, note = _recommended(request, each, book, summaries)
    beyond = tuple(pair for pair in pairs if pair.breaks or pair.keeps or pair.undecided)
    left = tuple(board.board for board in found if board.pairs_left)
    return Decision(request.rulebook, tuple(boards), summaries, beyond, len(paired), left, recommended, note)


def _tell(
    request: ReadingsRequest, each: Each, choices: tuple[Choice, ...], boards: tuple[str, ...], together: bool
) -> list[BoardTold]:
    how = (request.engine, request.limits, request.language, request.store)
    jobs = [ReadingJob(request.rulebook, name, choices, together, *how) for name in boards]
    return each("boards looked at under every reading", tell, jobs)


def _games(
    request: ReadingsRequest, each: Each, choices: Iterable[Choice], told: Sequence[Told], sizes: Mapping[str, int]
) -> dict[Choice, tuple[Parting | None, str]]:
    """Return for each choice the game that tells it apart, looked for on the smallest boards first."""
    how = (request.engine, request.limits, request.language)
    jobs = []
    for choice in choices:
        boards = sorted({t.board for t in _of(choice, told)}, key=lambda name: (sizes[name], name))
        jobs += [ApartJob(request.rulebook, tuple(boards), choice, *how)] if boards else []
    found = each("readings told apart", told_apart, jobs)
    return {job.choice: game for job, game in zip(jobs, found, strict=True)}


def _of(choice: Choice, told: Iterable[Told]) -> list[Told]:
    return [one for one in told if one.choice == choice]


def _recommended(
    request: ReadingsRequest, each: Each, book: Rulebook, summaries: Sequence[Summary]
) -> tuple[Choice | None, str]:
    """Return a set of values that keeps everything, and what it does, or why there is none."""
    boards = tuple(dict.fromkeys(name for one in summaries for name in one.matters))
    note = NONE_FITS
    for wanted in candidates(summaries):
        found = _tell(request, each, (wanted,), boards, together=False)
        checked = [one for board in found for one in board.told]
        recommended, note = _confirmed(book, wanted, checked, summaries)
        if recommended:
            return recommended, note
    return None, note


def candidates(summaries: Sequence[Summary]) -> list[Choice]:
    """Return sets of one value for each reading, each breaking nothing, on any board, that is kept otherwise.

    First the values that mend most, the value taken where that does not decide; then, for each reading that
    mends something, its value with those taken. None at all where every value of some reading breaks something.
    """
    by_name: dict[str, list[Summary]] = {}
    for summary in summaries:
        if not summary.breaks and not summary.undecided:
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
    together = _summary(book, wanted, checked, {}, NO_GAME)
    owed = {name for one in summaries if {*one.choice} <= {*wanted} for name in one.keeps}
    lost = [*together.breaks, *together.undecided, *sorted(owed - {*together.keeps})]
    if lost:
        return None, f"values that each break nothing do so together: {', '.join(lost)}"
    kept = f"; they mend {', '.join(together.keeps)}" if together.keeps else ""
    return wanted, f"together they break nothing that is kept otherwise{kept}"


def _chosen(book: Rulebook, names: Sequence[str]) -> list[Reading]:
    """Return the readings to look at: those named, else all that no version fixes."""
    for name in names:
        if name not in book.readings:
            raise InputError(f'{book.name} has no reading "{name}"; {closest(name, list(book.readings))}')
    if names:
        return [book.readings[name] for name in names]
    fixed = {n for v in book.versions for n in load_rulebook(f"{book.folder}@{v}").version.readings}
    return [reading for name, reading in book.readings.items() if name not in fixed]


def _singles(readings: Sequence[Reading]) -> Iterator[Choice]:
    """Yield every value of every reading."""
    return (((reading.name, value),) for reading in readings for value in reading.values)


def _pairs(book: Rulebook, readings: Sequence[Reading]) -> Iterator[Choice]:
    """Yield, for each two readings, the values of both that are not taken anyway."""
    for first, second in combinations(readings, 2):
        others = ([(r.name, v) for v in r.values if v != _taken(book, r.name)] for r in (first, second))
        yield from product(*others)


def _taken(book: Rulebook, name: str) -> str:
    return book.version.readings.get(name, book.readings[name].default)


def _summary(
    book: Rulebook,
    choice: Choice,
    told: Sequence[Told],
    alone: Mapping[tuple[Choice, str], tuple[str, ...]],
    game: tuple[Parting | None, str],
) -> Summary:
    """Sum up a choice; what one of its readings does by itself, as `alone` says, is not its own doing."""
    different = sorted(told, key=lambda t: (t.objects, t.board))
    breaks, keeps = [], []
    for t in different:
        single = [{*alone.get(((one,), t.board), t.base)} for one in choice] if alone else []
        breaks += [f"{n} on {t.board}" for n in t.broken if n not in t.base and not any(n in s for s in single)]
        keeps += [f"{n} on {t.board}" for n in t.base if n not in t.broken and all(n in s for s in single)]
    return Summary(
        choice=choice,
        taken=all(_taken(book, name) == value for name, value in choice),
        matters=tuple(t.board for t in different),
        breaks=tuple(breaks),
        keeps=tuple(keeps),
        parting=game[0],
        undecided=tuple(t.board for t in different if any("(undecided)" in n for n in t.broken)),
        why_open=game[1],
    )
