"""The commands that play many cases: rulings, the bug battery, and coverage by clause."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import click

from checker.bugs import load_bugs, run_bug
from checker.bugs import to_text as bugs_text
from checker.compare.spread import spread
from checker.coverage import Gate, coverage
from checker.coverage import to_text as coverage_text
from checker.errors import InputError
from checker.pipeline import read_rules
from checker.premises import Premise, PremiseJob, met_on, with_premises
from checker.rulebook.encoding import Encoding
from checker.rulebook.load import load_rulebook, split_version
from checker.rulebook.model import Rulebook
from checker.rulings.load import load_rulings
from checker.rulings.model import Played
from checker.rulings.play import play
from checker.rulings.report import to_text as rulings_text
from checker.run import Request, check_all, chosen_boards
from checker.system.model import Kind

BOARDS_A_PROCESS = 8
"""Boards of rulings for which a second process is worth its start."""


@dataclass(frozen=True, slots=True)
class _RulingsJob:
    """The rulings of one version on every `parts`-th board, beginning with number `part`."""

    rulebook: str
    pattern: str
    folder: Path | None
    part: int
    parts: int


def run_rulings(rulebook: str, pattern: str, lang: str, folder: Path | None = None) -> int:
    """Play the rulings whose id contains `pattern` under their versions; 0 if all pass, 1 if one fails.

    Without `@VERSION` each ruling is played under every version it names. `folder` as in `load_rulings`.

    Raises:
        InputError: a file is wrong, or no ruling matches.

    """
    name, only = split_version(rulebook)
    first = load_rulebook(rulebook)
    first.require_language(lang)
    rulings = load_rulings(first, folder)
    if not rulings:
        raise InputError(f"no ruling is in {folder or first.folder / 'rulings'}")
    chosen = [ruling for ruling in rulings if pattern in ruling.id]
    if not chosen:
        raise InputError(f'{first.name} has no ruling whose id contains "{pattern}"')
    versions = [only] if only else first.versions
    workers = min(os.cpu_count() or 1, 1 + len({ruling.board for ruling in chosen}) // BOARDS_A_PROCESS)
    jobs = [
        _RulingsJob(f"{name}@{version}", pattern, folder, part, workers)
        for version in versions
        for part in range(workers)
    ]
    with spread(workers) as each:
        played = [p for part in each("parts of the rulings played", _play_part, jobs) for p in part]
    click.echo(rulings_text(played, lang), nl=False)
    return 1 if any(p.failure for p in played) else 0


def _play_part(job: _RulingsJob) -> list[Played]:
    """Play some of the rulings of one version."""
    book = load_rulebook(job.rulebook)
    rulings = [r for r in load_rulings(book, job.folder) if job.pattern in r.id and book.version.name in r.versions]
    boards = sorted({ruling.board for ruling in rulings})[job.part :: job.parts]
    return list(play(book, read_rules(book), (r for r in rulings if r.board in boards)))


def run_bugs(rulebook: str, pattern: str, lang: str) -> int:
    """Run the bug battery; 0 if every fault is caught, or escapes, as the rulebook expects, 1 otherwise.

    Raises:
        InputError: a file is wrong, or no fault matches.

    """
    book = load_rulebook(rulebook)
    book.require_language(lang)
    bugs = [bug for bug in load_bugs(book) if pattern in bug.id]
    if not bugs:
        raise InputError(f'{book.name} has no fault whose id contains "{pattern}"')
    caught = [run_bug(book, bug) for bug in bugs if bug.in_scope]
    click.echo(bugs_text(caught, [bug for bug in bugs if not bug.in_scope], lang), nl=False)
    return 0 if all(c.as_expected for c in caught) else 1


def run_coverage(request: Request, every: bool, gate: Gate) -> int:
    """Check which rules fire, play the rulings, and print what is known of each clause; 1 if the gate is not kept.

    Raises:
        InputError: a file is wrong, or no property of kind rules_fire asks which rules fire.

    """
    assert request.rulebook is not None, "the command line requires a rulebook"
    book = load_rulebook(request.rulebook)
    encoding = read_rules(book)
    if not request.properties or all(p.kind is not Kind.RULES_FIRE for p in book.properties):
        raise InputError(f"{book.name} has no property of kind rules_fire, so nothing says which rules fire")
    played = ((p.ruling.id, p.clauses) for p in _play_all(book, encoding) if p.failure is None)
    checked = check_all(request)
    covered = coverage(book, encoding, checked.rulebooks[0], played, _premises(request, book, encoding))
    click.echo(coverage_text(book, covered, request.language, every), nl=False)
    failures = gate.failures(covered)
    for failure in failures:
        click.echo(failure, err=True)
    return 1 if failures else 0


def _premises(request: Request, book: Rulebook, encoding: Encoding) -> dict[Premise, bool]:
    """Return each premise of a property, and whether it is met on a board."""
    asked = next(p for p in book.properties if p.kind is Kind.RULES_FIRE)
    name = f"{book.folder}@{book.version.name}"
    jobs = [PremiseJob(name, board, asked, request.store) for board in chosen_boards(book, request)]
    with spread(min(request.jobs or os.cpu_count() or 1, len(jobs))) as each:
        met = frozenset[Premise]().union(*each("boards looked at for premises", met_on, jobs))
    return {premise: premise in met for premise in with_premises(encoding)[1]}


def asks_which_rules_fire(rulebook: str) -> tuple[str, ...]:
    """Return the names of the properties of kind rules_fire."""
    return tuple(p.name for p in load_rulebook(rulebook).properties if p.kind is Kind.RULES_FIRE)


def _play_all(book: Rulebook, encoding: Encoding) -> Iterator[Played]:
    """Play the rulings of a rulebook's version."""
    yield from play(book, encoding, (r for r in load_rulings(book) if book.version.name in r.versions))
