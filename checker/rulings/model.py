"""A ruling as its file says it, and what playing it showed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from checker.rulebook.model import Text


@dataclass(frozen=True, slots=True)
class RulingStep:
    """One step: an action taken (the first legal one of `do`), one that must be illegal, or settling.

    holds, fails: literals of the rulebook's predicates on the board after the step. events, no_events:
    what the step must and must not make happen.
    """

    do: tuple[str, ...]
    choose: tuple[str, ...]
    settle: bool
    illegal: str | None
    because: str | None
    holds: tuple[str, ...]
    fails: tuple[str, ...]
    events: tuple[str, ...]
    no_events: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Line:
    """A game with the readings it is played under; an open ruling has one per reading."""

    readings: Mapping[str, str]
    steps: tuple[RulingStep, ...]


@dataclass(frozen=True, slots=True)
class Ruling:
    """A case: who ruled so and how sure that is, under which versions, and its games."""

    id: str
    path: Path
    title: Text
    source: str
    status: str
    versions: tuple[str, ...]
    board: str
    clauses: tuple[str, ...]
    lines: tuple[Line, ...]


@dataclass(frozen=True, slots=True)
class Failure:
    """Where a ruling's game left the rules: step number from 1, what was expected, what there was."""

    step: int
    expected: str
    actual: str
    fired: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Played:
    """One game of a ruling, played under one version."""

    ruling: Ruling
    version: str
    readings: Mapping[str, str]
    failure: Failure | None
    clauses: frozenset[str]
