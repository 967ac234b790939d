"""How far long work is and what it breaks, told on stderr without touching what stdout says."""

from __future__ import annotations

import sys
from time import monotonic
from typing import TextIO

import click

from checker.check import Status
from checker.engines.protocol import Progress, Report
from checker.report.labels import Labels
from checker.report.model import BoardReport
from checker.report.story import headline

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
