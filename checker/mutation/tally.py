"""Many small jobs side by side, with progress told on stderr."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from multiprocessing import get_context
from time import monotonic
from typing import TextIO, TypeVar

S = TypeVar("S")
T = TypeVar("T")

EVERY_SECONDS = 5.0


class Tally:
    """Counts jobs as they are done, and says so at most every few seconds."""

    def __init__(self, label: str, total: int, stream: TextIO | None = None, every: float = EVERY_SECONDS) -> None:
        self.label, self.total, self.stream, self.every = label, total, stream, every

    def over(self, jobs: Iterable[T]) -> Iterator[T]:
        """Yield what the jobs yield."""
        start = last = monotonic()
        for number, job in enumerate(jobs, start=1):
            yield job
            now = monotonic()
            if now - last >= self.every:
                last = now
                left = (now - start) / number * (self.total - number)
                line = f"{self.label}: {number} of {self.total}, about {left:,.0f} s left\n"
                (self.stream or sys.stderr).write(line)


def side_by_side(label: str, work: Callable[[S], T], items: Sequence[S], jobs: int) -> Iterator[T]:
    """Yield what `work` makes of each item, as it is done in up to `jobs` processes, or in this one if `jobs` is 1."""
    tally = Tally(label, len(items))
    if jobs == 1 or len(items) < 2:
        yield from tally.over(map(work, items))
        return
    with ProcessPoolExecutor(min(jobs, len(items)), mp_context=get_context("spawn")) as pool:
        waiting = [pool.submit(work, item) for item in items]
        try:
            yield from tally.over(future.result() for future in as_completed(waiting))
        finally:
            pool.shutdown(wait=True, cancel_futures=True)
