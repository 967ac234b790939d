"""The commands' work: choose boards, check them side by side, render, and return an exit code."""

from __future__ import annotations

import os
import platform
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime
from functools import lru_cache
from importlib.metadata import version
from itertools import chain
from multiprocessing import get_context
from pathlib import Path
from time import monotonic

import click

from checker import __version__
from checker.check import check_board, exit_code
from checker.ci.baseline import Accepted, accept, load_baseline
from checker.ci.history import log_run
from checker.engines.protocol import Limits
from checker.errors import InputError, closest, counted
from checker.paths import models, require_writable
from checker.pipeline import read_rules
from checker.progress import notice, reporter, tell_borrowed, tell_rulings
from checker.report.model import FORMAT, BoardReport, Document, RunFacts
from checker.report.render import announce, render
from checker.report.summary import collect, summarise
from checker.rulebook.encoding import Encoding
from checker.rulebook.lint import untagged
from checker.rulebook.load import find_rulebook, load_board, load_rulebook, split_version
from checker.rulebook.model import Board, Property, Rulebook
from checker.rulings.load import load_rulings
from checker.smaller import with_smaller
from checker.store import store_at
from checker.told import Asked, Told, known

INDEX = "readme"
"""The name of the list of boards in a folder of reports, in small letters."""

LIBRARIES = ("clingo", "numpy", "oxidd")


@dataclass(frozen=True, slots=True)
class Request:
    """What the command line asks for; empty tuples and None mean all.

    baseline: a file of violations that are accepted for now. certificate: where certificates go.
    minimal: show violations on as few cards as it takes.
    """

    rulebook: str | None
    boards: tuple[str, ...]
    properties: tuple[str, ...]
    engine: str
    readings: Mapping[str, str]
    limits: Limits
    jobs: int | None
    language: str = "en"
    fail_fast: bool = False
    store: Path | None = None
    baseline: Path | None = None
    certificate: Path | None = None
    minimal: bool = False


@dataclass(frozen=True, slots=True)
class _Job:
    """One board to check in a worker process; by names, since clingo's values do not cross processes.

    book: the number of its rulebook in the run. objects: how many the board has. accepted: violations
    that are accepted for now.
    """

    request: Request
    book: int
    board: str
    objects: int
    accepted: tuple[Accepted, ...]


def run_check(request: Request, form: str, report: Path | None, strict: bool) -> int:
    """Check, print the verdicts in `form`, write reports, and return the exit code.

    Raises:
        InputError: a file or an argument is wrong; then nothing was written.
        InternalError: engines disagree, or a game does not replay.

    """
    if request.certificate is not None:
        from checker.certificates.shelf import require_room

        require_room(request.certificate)
    if report is not None:
        require_writable(report, "reports")
    document = check_all(request)
    click.echo(render(document, form), nl=False)
    announce(document, form)
    if said := known(document):
        click.echo(said, err=True)
    if form == "text":
        tell_rulings(_names(request))
    _log(request, document)
    if request.certificate is not None:
        from checker.certificates.command import write_certificates

        write_certificates(request.certificate, _names(request), request.boards, document, request.limits)
    if report is not None:
        from checker.report.files import write

        click.echo(f"wrote {counted(len(write(document, report)), 'file')} into {report}", err=True)
    statuses = [p.status for book in document.rulebooks for board in book.boards for p in board.properties]
    return exit_code(statuses, strict and any(book.never for book in document.rulebooks))


def check_all(request: Request) -> Document:
    """Check every rulebook and board asked for, boards side by side in processes."""
    start, began = monotonic(), datetime.now(UTC)
    for cache in (opened, _board):
        cache.cache_clear()  # files may have changed since this process last looked
    store_at.cache_clear()
    names = _names(request)
    books = [opened(name)[0] for name in names]
    tell_borrowed(books)
    accepted = load_baseline(request.baseline, books, date.today()) if request.baseline else ()
    jobs: list[_Job] = []
    for number, (name, book) in enumerate(zip(names, books, strict=True)):
        one = replace(request, rulebook=name)
        _choose(book, one)
        load_rulings(book)  # the heat map cites them; what is wrong with them is said before anything is checked
        mine = tuple(entry for entry in accepted if entry.concerns(book))
        jobs += (
            _Job(one, number, board, len(_board(name, board).objects), mine) for board in chosen_boards(book, request)
        )
    done = _work(jobs, request.jobs or os.cpu_count() or 1)
    reports = [
        collect(
            book,
            [report for job, report in done if job.book == number],
            request.language,
            whole=not request.boards,
            untagged=untagged(*opened(names[number])),
        )
        for number, book in enumerate(books)
    ]
    return Document(FORMAT, request.language, tuple(reports), run_facts(began, monotonic() - start))


def _log(request: Request, document: Document) -> None:
    """Write the run into the log of the verdict store, if there is one."""
    if request.store is None:
        return
    whole = not (request.boards or request.properties or request.fail_fast)
    for name, book in zip(_names(request), document.rulebooks, strict=True):
        path = find_rulebook(split_version(name)[0])
        log_run(request.store, path, book, document.run.started, request.readings, whole)


def run_report(result: Path, form: str, boards: Sequence[str], properties: Sequence[str], output: Path | None) -> int:
    """Render a result again from its JSON, in part if boards or properties are named; 0 if that went well.

    Raises:
        InputError: the file is no result, or has no such board or property, or cannot be put in that form.

    """
    from checker.report.read import read_document
    from checker.report.render import select, write_as

    document = select(read_document(result), boards, properties)
    if output is None:
        click.echo(render(document, form), nl=False)
        announce(document, form)
    else:
        for path in write_as(document, form, output):
            click.echo(f"wrote {path}", err=True)
    return 0


def shipped() -> list[str]:
    """Return the names of the shipped rulebooks (those of `models/bench` are checked only by name)."""
    return sorted(path.parent.name for path in models().glob("*/rulebook.toml"))


def _names(request: Request) -> list[str]:
    return shipped() if request.rulebook is None else [request.rulebook]


def run_facts(began: datetime, seconds: float) -> RunFacts:
    """Say with what, and when, a result came about; `seconds` is the whole run's time."""
    return RunFacts(
        tool=f"equipoise {__version__}",
        python=platform.python_version(),
        started=began.isoformat(timespec="seconds"),
        seconds=seconds,
        libraries=tuple((name, version(name)) for name in LIBRARIES),
    )


def chosen_boards(book: Rulebook, request: Request) -> tuple[str, ...]:
    """Return the boards a request asks for, all of the rulebook's unless it names some.

    Raises:
        InputError: there is none, or the reports of two would have one name.

    """
    names = tuple(dict.fromkeys(request.boards)) or book.board_names()
    if not names:
        raise InputError(f"{book.name} has no board; name one with --board")
    stems = [Path(name).stem if name.endswith(".toml") else name for name in names]
    twice = next((stem for stem in stems if stems.count(stem) > 1), None)
    if twice is not None:
        raise InputError(f'two boards are called "{twice}"; their reports would overwrite each other')
    if INDEX in (stem.casefold() for stem in stems):
        raise InputError(f'a board cannot be called "{INDEX}"; its report would overwrite the list of boards')
    return names


def _choose(book: Rulebook, request: Request) -> tuple[Property, ...]:
    """Return the properties asked for, and refuse wrong names of boards, properties and readings early."""
    assert request.rulebook is not None, "who chooses names the rulebook"
    for name in chosen_boards(book, request):
        book.choose(_board(request.rulebook, name), request.readings)
    book.require_language(request.language)
    known = {p.name: p for p in book.properties}
    for name in request.properties:
        if name not in known:
            raise InputError(f'{book.name} has no property "{name}"; {closest(name, list(known))}')
    return tuple(p for p in book.properties if not request.properties or p.name in request.properties)


def _work(jobs: Sequence[_Job], workers: int) -> list[tuple[_Job, BoardReport]]:
    """Check boards in up to `workers` processes; return those done, in the order of `jobs`.

    The board with most objects is started first, since it takes longest, then the others, smallest first,
    so that a fault shows early. With `fail_fast` no board is begun after the first fault.
    """
    shelves = {book: _shelf(job) for book, job in {job.book: job for job in jobs}.items()}
    before = dict(_known(jobs, shelves))
    order = sorted((i for i in range(len(jobs)) if i not in before), key=lambda i: jobs[i].objects)
    done: dict[int, BoardReport] = {}
    for index, board in chain(before.items(), _done(jobs, order, min(workers, len(order)))):
        shelf = shelves[jobs[index].book]
        if shelf is not None and index not in before:
            shelf.keep(_asked(jobs[index]), board)
        done[index] = accept(board, jobs[index].accepted, jobs[index].request.language)
        if notice(done[index], jobs[index].request.language) and jobs[index].request.fail_fast:
            break
    return [(jobs[i], done[i]) for i in sorted(done)]


def _shelf(job: _Job) -> Told | None:
    """Return the boards of a job's rulebook as they were told before, None where nothing is kept."""
    if job.request.store is None or job.request.rulebook is None:
        return None
    return Told(job.request.store, *opened(job.request.rulebook))


def _known(jobs: Sequence[_Job], shelves: Mapping[int, Told | None]) -> Iterator[tuple[int, BoardReport]]:
    """Yield the boards that were told before, if nothing that they depend on has changed."""
    for book, shelf in shelves.items():
        mine = [i for i, job in enumerate(jobs) if job.book == book]
        found = shelf.find([_asked(jobs[i]) for i in mine]) if shelf is not None else []
        yield from ((i, board) for i, board in zip(mine, found, strict=False) if board is not None)


def _asked(job: _Job) -> Asked:
    """Return what a job asks; of the request only what no report depends on is left out."""
    assert job.request.rulebook is not None, "who asks for one board names the rulebook"
    asked = replace(job.request, rulebook=None, boards=(), jobs=None, fail_fast=False, store=None)
    how = replace(asked, baseline=None, certificate=None), _witnesses(job.request)
    return Asked(_board(job.request.rulebook, job.board), job.request.readings, repr(how))


def _witnesses(request: Request) -> bool:
    """Tell whether games are told that only show what is wanted."""
    return bool(request.properties) or len(request.boards) == 1


def _done(jobs: Sequence[_Job], order: Sequence[int], workers: int) -> Iterator[tuple[int, BoardReport]]:
    """Yield the boards as they are done, checked here or in processes."""
    if workers <= 1:
        for index in order:
            yield index, _check(jobs[index])
        return
    with ProcessPoolExecutor(workers, mp_context=get_context("spawn")) as pool:
        waiting = {pool.submit(_check, jobs[i]): i for i in (*order[-1:], *order[:-1])}
        try:
            for future in as_completed(waiting):
                yield waiting[future], future.result()
        finally:
            pool.shutdown(wait=False, cancel_futures=True)
            # Boards under way are given up; `terminate_workers` does this from Python 3.14 on.
            for process in list((getattr(pool, "_processes", None) or {}).values()):
                process.terminate()


def _check(job: _Job) -> BoardReport:
    return check_one(job.request, job.board)


def check_one(request: Request, board: str) -> BoardReport:
    """Check one board, in this process.

    Raises:
        InputError: a file or an argument is wrong.
        InternalError: engines disagree, or a game does not replay.

    """
    assert request.rulebook is not None, "who asks for one board names the rulebook"
    book, encoding = opened(request.rulebook)
    how = (request.engine, request.limits, reporter(board))
    store = store_at(request.store) if request.store else None
    wanted = _choose(book, replace(request, boards=(board,)))
    result = check_board(book, encoding, _board(request.rulebook, board), request.readings, wanted, *how, store=store)
    if request.minimal:
        result = with_smaller(result, encoding, request.readings, *how, store)
    return summarise(result, request.language, witnesses=_witnesses(request))


@lru_cache(maxsize=8)
def opened(rulebook: str) -> tuple[Rulebook, Encoding]:
    """Load a rulebook and its rules once in each process."""
    book = load_rulebook(rulebook)
    return book, read_rules(book)


@lru_cache(maxsize=1024)
def _board(rulebook: str, name: str) -> Board:
    """Load a board once in each process."""
    return load_board(opened(rulebook)[0], name)
