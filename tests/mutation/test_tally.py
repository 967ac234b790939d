"""Progress: how many jobs of how many, on stderr only, and the same results in any number of processes."""

from __future__ import annotations

import io
from multiprocessing import active_children
from time import sleep

import pytest

from checker.mutation.tally import Tally, Workers, side_by_side


def test_every_job_is_counted() -> None:
    stream = io.StringIO()

    assert list(Tally("boards", 3, stream, every=0.0).over("abc")) == ["a", "b", "c"]
    said = [line.split(", about")[0] for line in stream.getvalue().splitlines()]
    assert said == ["boards: 1 of 3", "boards: 2 of 3", "boards: 3 of 3"]


def test_short_work_says_nothing() -> None:
    stream = io.StringIO()

    assert list(Tally("boards", 3, stream).over("abc")) == ["a", "b", "c"]
    assert stream.getvalue() == ""


def test_jobs_in_this_process_keep_their_order() -> None:
    assert list(side_by_side("squares", lambda n: n * n, [3, 1, 2], 1)) == [9, 1, 4]


def test_jobs_in_processes_are_all_done() -> None:
    assert sorted(side_by_side("lengths", len, ["a", "bbb", "cc"], 2)) == [1, 2, 3]


def interrupted() -> None:
    with Workers(2) as workers:
        assert next(workers.over("lengths", len, ["a", "b", "c"])) == 1
        assert len(active_children()) == 2
        raise KeyboardInterrupt


def test_an_interrupt_ends_the_processes() -> None:
    with pytest.raises(KeyboardInterrupt):
        interrupted()

    for _ in range(1_000):  # the pool's own thread waits for them as well, and one of the two is told late
        if not active_children():
            break
        sleep(0.01)
    assert active_children() == []
