"""The commands that play many cases: rulings, the bug battery, and coverage by clause."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import click

from checker.bugs import load_bugs, run_bug
from checker.bugs import to_text as bugs_text
from checker.coverage import coverage
from checker.coverage import to_text as coverage_text
from checker.errors import InputError
from checker.pipeline import read_rules
from checker.rulebook.encoding import Encoding
from checker.rulebook.load import load_rulebook
from checker.rulebook.model import Rulebook
from checker.rulings.load import load_rulings
from checker.rulings.model import Played
from checker.rulings.play import play
from checker.rulings.report import to_text as rulings_text
from checker.run import Request, check_all
from checker.system.model import Kind


def run_rulings(rulebook: str, pattern: str, lang: str, folder: Path | None = None) -> int:
    """Play the rulings whose id contains `pattern` under their versions; 0 if all pass, 1 if one fails.

    Without `@VERSION` each ruling is played under every version it names. `folder` as in `load_rulings`.

    Raises:
        InputError: a file is wrong, or no ruling matches.

    """
    name, _, only = rulebook.partition("@")
    first = load_rulebook(rulebook)
    if not any(pattern in ruling.id for ruling in load_rulings(first, folder)):
        raise InputError(f'{first.name} has no ruling whose id contains "{pattern}"')
    played: list[Played] = []
    for number in [only] if only else first.versions:
        book = load_rulebook(f"{name}@{number}")
        played += _play_all(book, read_rules(book), pattern, folder)
    click.echo(rulings_text(played, lang), nl=False)
    return 1 if any(p.failure for p in played) else 0


def run_bugs(rulebook: str, pattern: str, lang: str) -> int:
    """Run the bug battery; 0 if every fault is caught, or escapes, as the rulebook expects, 1 otherwise.

    Raises:
        InputError: a file is wrong, or no fault matches.

    """
    book = load_rulebook(rulebook)
    bugs = [bug for bug in load_bugs(book) if pattern in bug.id]
    if not bugs:
        raise InputError(f'{book.name} has no fault whose id contains "{pattern}"')
    caught = [run_bug(book, bug) for bug in bugs if bug.in_scope]
    click.echo(bugs_text(caught, [bug for bug in bugs if not bug.in_scope], lang), nl=False)
    return 0 if all(c.as_expected for c in caught) else 1


def run_coverage(request: Request, every: bool) -> int:
    """Check which rules fire, play the rulings, and print what is known of each clause; 1 if there are gaps.

    Raises:
        InputError: a file is wrong, or no property of kind rules_fire asks which rules fire.

    """
    assert request.rulebook is not None, "the command line requires a rulebook"
    book = load_rulebook(request.rulebook)
    encoding = read_rules(book)
    if not request.properties or all(p.kind is not Kind.RULES_FIRE for p in book.properties):
        raise InputError(f"{book.name} has no property of kind rules_fire, so nothing says which rules fire")
    played = ((p.ruling.id, p.clauses) for p in _play_all(book, encoding, "") if p.failure is None)
    covered = coverage(book, encoding, check_all(request).rulebooks[0], played)
    click.echo(coverage_text(book, covered, request.language, every), nl=False)
    return 1 if any(c.gap for c in covered) else 0


def asks_which_rules_fire(rulebook: str) -> tuple[str, ...]:
    """Return the names of the properties of kind rules_fire."""
    return tuple(p.name for p in load_rulebook(rulebook).properties if p.kind is Kind.RULES_FIRE)


def _play_all(book: Rulebook, encoding: Encoding, pattern: str, folder: Path | None = None) -> Iterator[Played]:
    """Play the rulings of a rulebook's version whose id contains `pattern`."""
    chosen = (r for r in load_rulings(book, folder) if pattern in r.id and book.version.name in r.versions)
    yield from play(book, encoding, chosen)
