"""Do work on many items, side by side in processes where there is more than one, and say how far it is."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from multiprocessing import get_context
from time import monotonic
from typing import TypeVar

Item = TypeVar("Item")
Found = TypeVar("Found")

QUIET_SECONDS = 10.0
"""How long nothing is said, at first and between two lines."""


class Each:
    """Applies a function to items, side by side where there is a pool, and keeps their order."""

    def __init__(self, pool: ProcessPoolExecutor | None) -> None:
        self._pool = pool

    def __call__(self, label: str, work: Callable[[Item], Found], items: Sequence[Item]) -> list[Found]:
        """Return what `work` makes of each item; `label` says on stderr what is being counted."""
        done = map(work, items) if self._pool is None else self._pool.map(work, items)
        return list(_counted(label, done, len(items)))


def _counted(label: str, done: Iterable[Found], total: int) -> Iterator[Found]:
    last = monotonic()
    for number, found in enumerate(done, start=1):
        if number < total and monotonic() - last >= QUIET_SECONDS:
            last = monotonic()
            sys.stderr.write(f"{label}: {number} of {total}\n")
        yield found


@contextmanager
def spread(workers: int) -> Iterator[Each]:
    """Yield a way to do work in that many processes; in this one if it is one."""
    if workers <= 1:
        yield Each(None)
        return
    pool = ProcessPoolExecutor(workers, mp_context=get_context("spawn"))
    try:
        yield Each(pool)
    finally:
        pool.shutdown(wait=True, cancel_futures=True)
