"""The shipped Riftbound boards as the tests see them: what a check of one board showed, in a few numbers."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path

from checker.check import Status, check_board
from checker.engines.protocol import Limits
from checker.pipeline import read_rules, system_of
from checker.rulebook.encoding import Encoding
from checker.rulebook.load import load_board, load_rulebook
from checker.rulebook.model import Rulebook

RECORDED = Path(__file__).with_name("recorded.json")


@dataclass(frozen=True)
class Seen:
    """What one board showed.

    broken: violated properties with the length of the shortest game. absent: what did not happen, by name.
    """

    states: int | None
    transitions: int | None
    levels: int | None
    broken: dict[str, int]
    absent: list[str]


@cache
def rulebook() -> tuple[Rulebook, Encoding]:
    """Return Riftbound with its rules."""
    book = load_rulebook("riftbound")
    return book, read_rules(book)


@cache
def grounded(board: str) -> frozenset[int]:
    """Return the ids of the rules that have a ground instance on a board."""
    book, encoding = rulebook()
    layout = load_board(book, board)
    system = system_of(book, encoding, layout, book.choose(layout, {}), ())
    return frozenset(system.fired.values())


def recorded() -> dict[str, Seen]:
    """Return what was recorded for each board with `EQUIPOISE_RECORD=1 pytest`."""
    text = RECORDED.read_text(encoding="utf-8") if RECORDED.exists() else "{}"
    return {name: Seen(**entry) for name, entry in json.loads(text).items()}


def record(seen: dict[str, Seen]) -> None:
    """Write what boards showed; a diff of the file is to be read and justified."""
    entries = {name: asdict(seen[name]) for name in sorted(seen)}
    RECORDED.write_text(json.dumps(entries, indent=1) + "\n", encoding="utf-8")


def see(board: str, engine: str, without: frozenset[int] = frozenset()) -> Seen:
    """Check one board, with some rules switched off."""
    book, encoding = rulebook()
    wanted = [p for p in book.properties if p.name != "all_rules"]
    result = check_board(
        book,
        encoding.without(without),
        load_board(book, board),
        {},
        wanted,
        engine,
        Limits(),
        lambda _: None,
        strict=not without,
    )
    broken = {
        j.property.name: len(j.trace.steps) if j.trace else 0
        for j in result.judged
        if j.status in (Status.VIOLATED, Status.KNOWN)
    }
    absent = sorted(j.property.name for j in result.judged if j.status is Status.ABSENT)
    return Seen(result.counts.states, result.counts.transitions, result.counts.levels, broken, absent)
