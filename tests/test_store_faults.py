"""What befalls a verdict store: killed runs, full disks, damaged, locked and shared files never change a verdict."""

from __future__ import annotations

import os
import resource
import signal
import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path

import pytest

from tests.ci.game import run
from tests.toybook import BOARD, RULES, write_toy

ROOT = Path(__file__).parents[1]
BOARDS = 16
PUT_OUT = """\
action(douse(O)) :- object(O).
by(douse(O), bob) :- object(O).
%@ 1
possible(douse(O)) :- lamp(O), now(lit(O), yes).
%@ 1
set(lit(O), no) :- occurs(douse(O)).
"""


@pytest.fixture
def toy(tmp_path: Path) -> Path:
    """A rulebook with many boards, each of which breaks its property."""
    folder = write_toy(tmp_path / "toy", rules=RULES + PUT_OUT)
    for number in range(BOARDS - 1):
        (folder / "boards" / f"more_{number}.toml").write_text(f"{BOARD}[objects.torch_{number}]\n", encoding="utf-8")
    return folder


@pytest.fixture
def store(tmp_path: Path) -> Path:
    return tmp_path / "verdicts.sqlite"


def start(toy: Path, store: Path, *more: str) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "checker", "check", str(toy), "--store", str(store), "-j", "1", *more]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    return subprocess.Popen(command, env=environment, **pipes)  # type: ignore[call-overload,no-any-return]


def end(process: subprocess.Popen[str]) -> tuple[int, list[str], str]:
    """Return exit code, the verdicts told, and what was said beside them."""
    out, err = process.communicate()
    assert "Traceback" not in err
    return process.returncode, verdicts(out), err


def verdicts(told: str) -> list[str]:
    return [line for line in told.splitlines() if "VIOLATED" in line]


def whole(ended: tuple[int, list[str], str]) -> bool:
    """Tell whether a run gave the verdicts it must: each board breaks the property."""
    code, told, _ = ended
    return code == 1 and sum(line.startswith(("one ", "more_")) for line in told) == BOARDS


def kept(store: Path) -> int:
    """Return how many boards are in a store, none if it cannot be read yet."""
    try:
        with closing(sqlite3.connect(f"file:{store}?mode=ro", uri=True)) as database:
            return int(database.execute("SELECT count(*) FROM told").fetchone()[0])
    except sqlite3.Error:
        return 0


FROM_STORE = f"{BOARDS} of {BOARDS} verdicts from the store\n"


def test_a_run_that_is_killed_leaves_what_it_had(toy: Path, store: Path) -> None:
    process = start(toy, store)
    while process.poll() is None and kept(store) < 2:
        time.sleep(0.002)
    process.send_signal(signal.SIGKILL)
    process.communicate()
    before = kept(store)
    again = end(start(toy, store))

    assert process.returncode == -signal.SIGKILL
    assert 2 <= before < BOARDS
    assert whole(again)
    assert f"{before} of {BOARDS} verdicts from the store\n" in again[2]
    assert kept(store) == BOARDS


@pytest.mark.parametrize("size", [0, 40_000])
def test_a_full_disk_is_said_and_does_no_harm(toy: Path, store: Path, size: int) -> None:
    """No file may grow beyond a few pages: the store cannot be made, or breaks off in the middle."""
    most = resource.getrlimit(resource.RLIMIT_FSIZE)[1]
    try:
        resource.setrlimit(resource.RLIMIT_FSIZE, (size, most))
        process = start(toy, store)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (most, most))
    full, again = end(process), end(start(toy, store))

    assert whole(full)
    assert f"not everything is kept in {store}: " in full[2]
    assert whole(again)
    assert "is kept in" not in again[2]
    assert kept(store) == BOARDS


def test_two_runs_at_once_do_not_disturb_each_other(toy: Path, store: Path) -> None:
    runs = [end(process) for process in [start(toy, store) for _ in range(2)]]

    assert [whole(one) for one in runs] == [True] * 2
    assert all("is kept in" not in one[2] for one in runs)
    assert kept(store) == BOARDS


def test_a_damaged_file_is_said_and_nothing_in_it_believed(toy: Path, store: Path) -> None:
    end(start(toy, store))
    size = store.stat().st_size
    with store.open("r+b") as file:
        file.seek(4096)
        file.write(b"\x5a" * (size - 4096))
    ended = end(start(toy, store))

    assert whole(ended)
    assert "verdicts from the store" not in ended[2]
    assert f"not everything is kept in {store}: " in ended[2]
    store.unlink()
    assert whole(end(start(toy, store)))
    assert kept(store) == BOARDS


def test_damage_that_is_no_text_is_said_each_time(toy: Path, store: Path) -> None:
    """SQLite quotes the damaged name of a table, which Python then cannot decode."""
    end(start(toy, store))
    store.write_bytes(store.read_bytes().replace(b"moved_run ON moved", b"moved_run ON \xf0oved"))
    ended = [end(start(toy, store)) for _ in range(2)]
    history = run("history", toy, "--store", store)

    assert [whole(one) for one in ended] == [True, True]
    assert all(f"not everything is kept in {store}: the file is damaged; delete it (" in one[2] for one in ended)
    assert history == 2


def test_a_row_that_is_no_text_is_decided_again(toy: Path, store: Path) -> None:
    end(start(toy, store))
    with closing(sqlite3.connect(store)) as database, database:
        database.execute("UPDATE told SET payload = CAST(x'f0f1' AS TEXT) WHERE rowid = 1")
    ended, again = end(start(toy, store)), end(start(toy, store))

    assert whole(ended)
    assert f"{BOARDS - 1} of {BOARDS} verdicts from the store" not in again[2]
    assert FROM_STORE in again[2]


def test_a_locked_file_is_said(
    toy: Path, store: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Another process keeps it locked for longer than one waits for it, which is once and not for every board."""
    end(start(toy, store))
    waits: list[float] = []

    def connect(path: Path, timeout: float) -> sqlite3.Connection:
        waits.append(timeout)
        return real(path, timeout=0.05)

    real = sqlite3.connect
    with closing(sqlite3.connect(store)) as database:
        database.execute("PRAGMA locking_mode = EXCLUSIVE")
        database.execute("BEGIN EXCLUSIVE")
        monkeypatch.setattr(sqlite3, "connect", connect)
        code = run("check", toy, "--store", store, "-j", "1")
        monkeypatch.undo()
        database.rollback()
    said = capsys.readouterr()

    assert whole((code, verdicts(said.out), said.err))
    assert f"not everything is kept in {store}: database is locked (no verdict depends on it)\n" in said.err
    assert waits == [20.0]
    assert FROM_STORE in end(start(toy, store))[2]
