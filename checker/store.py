"""Verdicts kept between runs, by the content they depend on; any doubt means checking again.

A verdict's key is a digest of the ground transition system, the property, the engine, the limits and the
sources of this package. What comes out of the store is replayed like what an engine just found.
"""

from __future__ import annotations

import hashlib
import json
import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import astuple, dataclass
from functools import cache
from pathlib import Path
from typing import Any

from platformdirs import user_cache_path

from checker import __version__
from checker.engines.protocol import Answer, Counts, Holds, Limits, Unknown, Verdict, Violated
from checker.paths import PACKAGE
from checker.system.model import Goal, Kind, Step, Trace, TransitionSystem, rule_name

WAIT_SECONDS = 30.0
"""How long a process waits for another that writes."""

TABLES = """
CREATE TABLE IF NOT EXISTS verdict (key TEXT PRIMARY KEY, digest TEXT NOT NULL, payload TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS run (
    id INTEGER PRIMARY KEY, at TEXT NOT NULL, version TEXT NOT NULL, readings TEXT NOT NULL, book TEXT NOT NULL,
    tally TEXT NOT NULL
);
CREATE TABLE IF NOT EXISTS moved (
    run INTEGER NOT NULL REFERENCES run, board TEXT NOT NULL, what TEXT NOT NULL, value TEXT NOT NULL
);
CREATE INDEX IF NOT EXISTS moved_run ON moved (run);
"""
"""Verdicts by key, and the log of runs (`ci.history`)."""


@dataclass(frozen=True, slots=True)
class Stored:
    """A verdict with what was explored to reach it."""

    verdict: Verdict
    counts: Counts
    details: Mapping[str, int | float | str]


class VerdictStore:
    """A SQLite file of verdicts. Several processes may use it at once; a killed one leaves it sound."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def find(self, keys: Mapping[str, str], goals: Sequence[Goal]) -> dict[str, Stored]:
        """Return what is known of the goals, by name; `keys` as from `keys_of`."""
        try:
            with closing(self.connect()) as database:
                rows = {
                    goal.name: database.execute(
                        "SELECT digest, payload FROM verdict WHERE key = ?", (keys[goal.name],)
                    ).fetchone()
                    for goal in goals
                }
        except (sqlite3.Error, OSError):
            return {}
        found = ((goal.name, _read(goal, rows[goal.name])) for goal in goals)
        return {name: stored for name, stored in found if stored is not None}

    def keep(self, keys: Mapping[str, str], stored: Iterable[Stored]) -> None:
        """Write verdicts; undecided ones are not kept. A store that cannot be written is left alone."""
        rows = [(keys[s.verdict.goal.name], *_row(s)) for s in stored if not isinstance(s.verdict.answer, Unknown)]
        try:
            with closing(self.connect()) as database, database:
                database.executemany("INSERT OR REPLACE INTO verdict VALUES (?, ?, ?)", rows)
        except (sqlite3.Error, OSError):
            return

    def connect(self) -> sqlite3.Connection:
        """Open the file, making it if there is none.

        Raises:
            sqlite3.Error, OSError: it cannot be opened.

        """
        self.path.parent.mkdir(parents=True, exist_ok=True)
        database = sqlite3.connect(self.path, timeout=WAIT_SECONDS)
        database.execute("PRAGMA journal_mode = WAL")
        database.executescript(TABLES)
        return database


def default_path() -> Path:
    """Return the store of this user."""
    return user_cache_path("equipoise") / "verdicts.sqlite"


def keys_of(system: TransitionSystem, goals: Sequence[Goal], engine: str, limits: Limits) -> dict[str, str]:
    """Return the key of each goal: a digest of everything its verdict can depend on."""
    base = hashlib.sha256(_package_digest().encode())
    for part in _parts(system):
        base.update(part.encode())
    base.update(repr((engine, astuple(limits))).encode())
    keys = {}
    for goal in goals:
        own = base.copy()
        own.update(repr(goal).encode())
        if goal.kind is Kind.RULES_FIRE:
            own.update(repr([(rule_name(s), s.id) for s in system.sources]).encode())
            own.update(repr(sorted(system.fired.items())).encode())
        keys[goal.name] = own.hexdigest()
    return keys


def _parts(system: TransitionSystem) -> Iterator[str]:
    """Yield the content of a system; where its rules stand is left out, so that moving a line changes nothing."""
    for variable in system.variables:
        yield f"{variable.name} {list(map(str, variable.domain))} {variable.initial} {variable.atoms}"
    for action in system.actions:
        by = [(str(who), when) for who, when in action.by]
        yield f"{action.name} {action.occurs} {action.possible} {action.forced} {by}"
    yield repr(system.strata)
    yield repr(system.effects)
    yield repr([(out.fired, [(o.enabled, o.chosen, str(o.effect)) for o in out.options]) for out in system.outcomes])


@cache
def _package_digest() -> str:
    """Return a digest of this package's sources: another version of an engine may answer otherwise."""
    digest = hashlib.sha256(__version__.encode())
    for path in sorted(PACKAGE.rglob("*.py")):
        digest.update(path.relative_to(PACKAGE).as_posix().encode())
        digest.update(path.read_bytes())
    return digest.hexdigest()


def _row(stored: Stored) -> tuple[str, str]:
    payload = json.dumps(
        {
            "engine": stored.verdict.engine,
            "answer": _answer_out(stored.verdict.answer),
            "counts": astuple(stored.counts),
            "details": dict(stored.details),
        }
    )
    return hashlib.sha256(payload.encode()).hexdigest(), payload


def _read(goal: Goal, row: tuple[str, str] | None) -> Stored | None:
    """Decode a row; one that is not as it was written counts as absent."""
    if row is None or hashlib.sha256(row[1].encode()).hexdigest() != row[0]:
        return None
    try:
        data = json.loads(row[1])
        answer = _answer_in(data["answer"])
        return Stored(Verdict(goal, answer, data["engine"]), Counts(*data["counts"]), data["details"])
    except (ValueError, KeyError, TypeError):
        return None


def _answer_out(answer: Answer) -> dict[str, Any]:
    match answer:
        case Holds(how, witness):
            return {"holds": how, "trace": _trace_out(witness)}
        case Violated():
            return {
                "culprits": answer.culprits,
                "shortest": answer.shortest,
                "breaking": answer.breaking,
                "note": answer.note,
                "trace": _trace_out(answer.trace),
            }
        case _:
            raise ValueError("an undecided property is not kept")


def _answer_in(data: Mapping[str, Any]) -> Answer:
    trace = _trace_in(data["trace"])
    if "holds" in data:
        return Holds(data["holds"], trace)
    return Violated(trace, tuple(data["culprits"]), data["shortest"], data["breaking"], data["note"])


def _trace_out(trace: Trace | None) -> list[Any] | None:
    return None if trace is None else [trace.states, [(s.action, s.chosen) for s in trace.steps], trace.loop]


def _trace_in(data: list[Any] | None) -> Trace | None:
    if data is None:
        return None
    states, steps, loop = data
    return Trace(
        tuple(tuple(state) for state in states), tuple(Step(action, tuple(chosen)) for action, chosen in steps), loop
    )
