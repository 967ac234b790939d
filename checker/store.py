"""What was found out, kept between runs by the content it depends on; any doubt means checking again.

Verdicts are kept by what the ground rules of a board say (`system.content`), and are replayed like what an engine
just found. Boards are kept as they were told by what the rulebook's files say (`told`), so that an edit that
changes nothing needs not even be ground. Each row carries a digest of itself, and each key one of the sources of
this package with the versions of its libraries, since another version of an engine may answer otherwise.
"""

from __future__ import annotations

import hashlib
import sqlite3
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import closing
from dataclasses import astuple, dataclass
from functools import cache, partial
from importlib.metadata import version
from pathlib import Path
from typing import TypeVar

from platformdirs import user_cache_path

from checker import __version__
from checker.engines.protocol import Limits, Unknown
from checker.paths import PACKAGE
from checker.stored import Stored, from_text, to_text
from checker.system.content import Content
from checker.system.model import Goal

WAIT_SECONDS = 20.0
"""How long a process waits for another that writes, before it does without the store."""

TABLES = """
CREATE TABLE IF NOT EXISTS verdict (key TEXT PRIMARY KEY, digest TEXT NOT NULL, payload TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS told (key TEXT PRIMARY KEY, digest TEXT NOT NULL, payload TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS run (
    id INTEGER PRIMARY KEY, at TEXT NOT NULL, version TEXT NOT NULL, readings TEXT NOT NULL, book TEXT NOT NULL,
    tally TEXT NOT NULL
);
CREATE TABLE IF NOT EXISTS moved (
    run INTEGER NOT NULL REFERENCES run, board TEXT NOT NULL, what TEXT NOT NULL, value TEXT NOT NULL
);
CREATE INDEX IF NOT EXISTS moved_run ON moved (run);
"""
"""Verdicts and boards by key, and the log of runs (`ci.history`)."""


BROKEN = (sqlite3.Error, OSError, UnicodeDecodeError)
"""What a file raises that cannot be used; the last where SQLite quotes what is damaged, which is no text."""

LIBRARIES = ("clingo", "numpy", "oxidd", "z3-solver")
"""What grounds rules and decides verdicts, and may do so otherwise in another version."""

Got = TypeVar("Got")


@dataclass(frozen=True, slots=True)
class _Table:
    """A table of texts by key."""

    find: str
    put: str
    drop: str


def _table(name: str, most: int) -> _Table:
    """Return the statements of a table that keeps its latest rows, up to so many."""
    return _Table(
        find=f"SELECT digest, payload FROM {name} WHERE key = ?",
        put=f"INSERT OR REPLACE INTO {name} VALUES (?, ?, ?)",
        drop=f"DELETE FROM {name} WHERE rowid <= (SELECT max(rowid) FROM {name}) - {most}",
    )


VERDICT, TOLD = _table("verdict", 1_000_000), _table("told", 10_000)
"""Verdicts take about 1 KB each, told boards 10 to 100 KB."""


class VerdictStore:
    """A SQLite file of verdicts and boards. Several processes may use it at once; a killed one leaves it sound.

    trouble: why the file cannot be used, empty if it can. From then on nothing is found and nothing kept.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.trouble = ""

    def find(self, content: Content, keys: Mapping[str, str], goals: Sequence[Goal]) -> dict[str, Stored]:
        """Return what is known of the goals, by name; `keys` as from `keys_of`."""
        texts = self._texts(VERDICT, [keys[goal.name] for goal in goals])
        found = {}
        for goal in goals:
            if keys[goal.name] in texts:
                try:
                    found[goal.name] = from_text(content, goal, texts[keys[goal.name]])
                except (ValueError, KeyError, TypeError):
                    continue
        return found

    def keep(self, content: Content, keys: Mapping[str, str], stored: Iterable[Stored]) -> None:
        """Write verdicts; undecided ones are not kept. A store that cannot be written is left alone."""
        decided = (s for s in stored if not isinstance(s.verdict.answer, Unknown))
        self._write(VERDICT, {keys[s.verdict.goal.name]: to_text(content, s) for s in decided})

    def find_told(self, keys: Iterable[str]) -> dict[str, str]:
        """Return the boards that are kept under some keys, as text."""
        return self._texts(TOLD, keys)

    def keep_told(self, key: str, text: str) -> None:
        """Write a board, and drop the oldest of too many."""
        self._write(TOLD, {key: text})

    def _texts(self, table: _Table, keys: Iterable[str]) -> dict[str, str]:
        """Return the texts under some keys; one that is not as it was written counts as absent."""
        rows = self.use(lambda database: {k: database.execute(table.find, (k,)).fetchone() for k in keys}) or {}
        return {key: row[1] for key, row in rows.items() if row is not None and row[0] == _digest(key, row[1])}

    def _write(self, table: _Table, texts: Mapping[str, str]) -> None:
        def put(database: sqlite3.Connection) -> None:
            database.executemany(table.put, [(key, _digest(key, text), text) for key, text in texts.items()])
            database.execute(table.drop)

        self.use(put)

    def use(self, work: Callable[[sqlite3.Connection], Got]) -> Got | None:
        """Return what one transaction makes of the file; None, with `trouble`, if it cannot be used."""
        if self.trouble:
            return None
        try:
            with closing(self.connect()) as database, database:
                return work(database)
        except BROKEN as error:
            damaged = isinstance(error, UnicodeDecodeError)
            self.trouble = "the file is damaged; delete it" if damaged else str(error)
            return None

    def connect(self) -> sqlite3.Connection:
        """Open the file, making it if there is none.

        Raises:
            sqlite3.Error, OSError, UnicodeDecodeError: it cannot be opened.

        """
        self.path.parent.mkdir(parents=True, exist_ok=True)
        database = sqlite3.connect(self.path, timeout=WAIT_SECONDS)
        database.text_factory = partial(str, encoding="utf-8", errors="replace")
        database.execute("PRAGMA journal_mode = WAL")
        database.executescript(TABLES)
        return database


@cache
def store_at(path: Path) -> VerdictStore:
    """Return the store in a file, one in each process, so that trouble with it is met once."""
    return VerdictStore(path)


def default_path() -> Path:
    """Return the store of this user."""
    return user_cache_path("equipoise") / "verdicts.sqlite"


def keys_of(content: Content, goals: Sequence[Goal], engine: str, limits: Limits) -> dict[str, str]:
    """Return the key of each goal: a digest of everything its verdict can depend on."""
    further = content.further() if limits.games > 1 else b""
    asked = repr((engine, astuple(limits), further)).encode()
    return {goal.name: digest_of(content.of(goal), asked) for goal in goals}


def digest_of(*parts: bytes) -> str:
    """Return a digest of some content, of the sources of this package, and of the versions of its libraries."""
    digest = hashlib.sha256(_package_digest().encode())
    for part in parts:
        digest.update(b"%d:%b" % (len(part), part))
    return digest.hexdigest()


@cache
def _package_digest() -> str:
    """Return a digest of this package's sources, words included, and of the versions of its libraries."""
    digest = hashlib.sha256(" ".join([__version__, *map(version, LIBRARIES)]).encode())
    for path in sorted([*PACKAGE.rglob("*.py"), *PACKAGE.rglob("labels.*.toml")]):
        digest.update(path.relative_to(PACKAGE).as_posix().encode())
        digest.update(path.read_bytes())
    return digest.hexdigest()


def _digest(key: str, text: str) -> str:
    """Return the digest of a row, which is no other row's either."""
    return hashlib.sha256(f"{key} {text}".encode()).hexdigest()
