"""Many small jobs side by side, with progress told on stderr."""

from __future__ import annotations

import signal
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from multiprocessing import get_context
from time import monotonic
from types import TracebackType
from typing import Self, TextIO, TypeVar

S = TypeVar("S")
T = TypeVar("T")

EVERY_SECONDS = 5.0


class Tally:
    """Counts jobs as they are done, and says so at most every few seconds. last: when something was last said."""

    def __init__(self, label: str, total: int, stream: TextIO | None = None, every: float = EVERY_SECONDS) -> None:
        self.label, self.total, self.stream, self.every = label, total, stream, every
        self.last = monotonic()

    def over(self, jobs: Iterable[T]) -> Iterator[T]:
        """Yield what the jobs yield."""
        start = monotonic()
        for number, job in enumerate(jobs, start=1):
            yield job
            now = monotonic()
            if now - self.last >= self.every:
                self.last = now
                left = (now - start) / number * (self.total - number)
                line = f"{self.label}: {number} of {self.total}, about {left:,.0f} s left\n"
                (self.stream or sys.stderr).write(line)


class Workers:
    """Processes that do jobs side by side; with only one, jobs are done in this process.

    An interrupt ends the processes at once; they leave it to this one to say so.
    """

    def __init__(self, jobs: int) -> None:
        self.jobs = jobs
        self.pool: ProcessPoolExecutor | None = None
        self.last = monotonic()

    def __enter__(self) -> Self:
        """Be ready for jobs; processes begin with the first."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """End the processes, those in the middle of a job too if something went wrong."""
        if self.pool is None:
            return
        running = list((getattr(self.pool, "_processes", None) or {}).values())
        self.pool.shutdown(wait=kind is None, cancel_futures=True)
        for process in running if kind is not None else ():
            process.terminate()

    def over(self, label: str, work: Callable[[S], T], items: Sequence[S]) -> Iterator[T]:
        """Yield what `work` makes of each item, as it is done."""
        tally = Tally(label, len(items))
        tally.last = self.last
        try:
            if self.jobs == 1 or (len(items) < 2 and self.pool is None):
                yield from tally.over(map(work, items))
                return
            if self.pool is None:
                self.pool = ProcessPoolExecutor(self.jobs, mp_context=get_context("spawn"), initializer=_deaf)
            waiting = [self.pool.submit(work, item) for item in items]
            yield from tally.over(future.result() for future in as_completed(waiting))
        finally:
            self.last = tally.last


def side_by_side(label: str, work: Callable[[S], T], items: Sequence[S], jobs: int) -> Iterator[T]:
    """Yield what `work` makes of each item, as it is done in up to `jobs` processes, or in this one if `jobs` is 1."""
    with Workers(min(jobs, max(1, len(items)))) as workers:
        yield from workers.over(label, work, items)


def _deaf() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
