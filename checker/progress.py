"""How far long work is, what it breaks and whose rules it reads, told on stderr without touching what stdout says."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from shlex import quote
from time import monotonic
from typing import TextIO

import click

from checker.check import Status
from checker.engines.protocol import Progress, Report
from checker.report.labels import Labels
from checker.report.model import BoardReport
from checker.report.story import headline
from checker.rulebook.load import find_rulebook, rules_borrowed, split_version
from checker.rulebook.model import Rulebook
from checker.rulings.load import has_rulings

QUIET_SECONDS = 2.0
"""Work that takes less says nothing."""


def reporter(label: str, every: float = 5.0, stream: TextIO | None = None) -> Report:
    """Return a function that prints progress at most once in `every` seconds, after a quiet start."""
    start = monotonic()
    last = [start + QUIET_SECONDS - every]

    def report(progress: Progress) -> None:
        now = monotonic()
        if now - last[0] >= every:
            last[0] = now
            (stream or sys.stderr).write(progress_line(label, progress, now - start) + "\n")

    return report


def progress_line(label: str, progress: Progress, seconds: float) -> str:
    """Say how far a run is: level, distinct, generated, queue, and boards per second."""
    parts = [f"{label}: {progress.engine}, level {progress.level}, {progress.distinct:,} distinct"]
    if progress.generated is not None:
        parts.append(f"{progress.generated:,} generated")
    if progress.queue is not None:
        parts.append(f"{progress.queue:,} in queue")
    if seconds > 0:
        parts.append(f"{progress.distinct / seconds:,.0f} boards/s")
    return ", ".join(parts)


def notice(board: BoardReport, language: str) -> bool:
    """Tell at once, on stderr, what a board breaks; return whether it breaks anything."""
    labels = Labels(language)
    broken = [p for p in board.properties if p.status in (Status.VIOLATED.value, Status.VANISHED.value)]
    for wanted in broken:
        click.echo(headline(wanted, board.board, labels), err=True)
        for line in wanted.note.splitlines():
            click.echo(f"  {line}", err=True)
    return bool(broken)


def tell_borrowed(books: Iterable[Rulebook]) -> None:
    """Say on stderr, once for each folder, that the rules of a rulebook are the shipped ones."""
    for said in dict.fromkeys(map(rules_borrowed, books)):
        if said is not None:
            click.echo(said, err=True)


def tell_rulings(rulebooks: Iterable[str]) -> None:
    """Say on stderr of each rulebook, by name or folder, which command plays its rulings, if it has any."""
    for name in rulebooks:
        plain = split_version(name)[0]
        if has_rulings(find_rulebook(plain).parent):
            click.echo(f"equipoise rulings {quote(plain)} plays its rulings", err=True)
