"""The work of `equipoise lint`: load everything, side by side in processes, and say what is wrong."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import click

from checker.compare.spread import spread
from checker.errors import InputError, Problem, counted
from checker.pipeline import read_rules, system_of
from checker.progress import tell_borrowed
from checker.rulebook.encoding import Encoding
from checker.rulebook.lint import differences_of_force, purpose_problems, status_problems, unread_problems
from checker.rulebook.load import load_board, load_rulebook, split_version
from checker.rulebook.model import Rulebook
from checker.rulings.load import load_rulings
from checker.run import shipped

BOARDS_A_JOB = 20
"""Boards loaded by one process before it is given others: each job reads the rules anew."""


@dataclass(frozen=True, slots=True)
class _Job:
    """Some boards of one version of a rulebook, to be loaded in any process."""

    rulebook: str
    boards: tuple[Path, ...]


def run_lint(rulebook: str | None) -> int:
    """Load everything in every version, and say what is wrong; 0 if nothing is, 2 otherwise.

    With `@VERSION` only that version is loaded.
    """
    problems: list[Problem] = []
    jobs: list[_Job] = []
    for name in shipped() if rulebook is None else [rulebook]:
        path, only = split_version(name)
        try:
            book = load_rulebook(name)
        except InputError as error:
            problems += error.problems
            continue
        tell_borrowed([book])
        for number in [only] if only else book.versions:
            found, boards = _version(f"{path}@{number}")
            problems += found
            jobs += _shared_out(f"{path}@{number}", boards)
    with spread(min(os.cpu_count() or 1, len(jobs))) as each:
        problems += [problem for found in each("parts of the boards loaded", _boards, jobs) for problem in found]
    for problem in dict.fromkeys(problems):
        click.echo(str(problem), err=True)
    return 2 if problems else 0


def _version(name: str) -> tuple[list[Problem], Sequence[Path]]:
    """Load one version of a rulebook with its rulings, and say what it has; return what is wrong, and its boards."""
    try:
        book = load_rulebook(name)
        encoding = read_rules(book)
        rulings = load_rulings(book)
    except InputError as error:
        return list(error.problems), ()
    boards = sorted((book.folder / "boards").rglob("*.toml"))
    click.echo(
        f"{book.name} {book.version.name}: {counted(len(encoding.sources), 'tagged rule')}, "
        f"{counted(len(book.version.clauses), 'clause')}, {counted(len(boards), 'board')}, "
        f"{counted(len(book.properties), 'property', 'properties')}, {counted(len(book.readings), 'reading')}, "
        f"{counted(len(rulings), 'ruling')}"
    )
    for difference in differences_of_force(book):
        click.echo(difference)
    return [*status_problems(book, encoding), *unread_problems(encoding)], boards


def _shared_out(name: str, boards: Sequence[Path]) -> list[_Job]:
    return [_Job(name, tuple(boards[i : i + BOARDS_A_JOB])) for i in range(0, len(boards), BOARDS_A_JOB)]


def _boards(job: _Job) -> list[Problem]:
    book = load_rulebook(job.rulebook)
    encoding = read_rules(book)
    return [problem for path in job.boards for problem in _board(book, encoding, path)]


def _board(book: Rulebook, encoding: Encoding, path: Path) -> list[Problem]:
    try:
        board = load_board(book, str(path))
        problems = list(purpose_problems(book, board))
        system_of(book, encoding, board, book.choose(board, {}), book.properties)
    except InputError as error:
        return list(error.problems)
    return problems
