"""Tell how the rulings went: counts by status and version, and each failure with what was expected."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from checker.errors import counted
from checker.rulings.model import Played

STATUSES = ("official", "judge", "guide", "engine", "derived", "open")


def to_text(played: Sequence[Played], language: str) -> str:
    """Return a table of games that passed, by status and version, then every failure."""
    return "\n".join((*_table(played), "", *_failures(played, language), _last_line(played))) + "\n"


def _table(played: Sequence[Played]) -> Iterator[str]:
    versions = list(dict.fromkeys(p.version for p in played))
    widest = _cell(played) if any(p.failure for p in played) else ""
    width = max(10, 2 + len(widest), *(2 + len(version) for version in versions))
    yield f"{'passed':<10}" + "".join(f"{version:>{width}}" for version in versions)
    for status in STATUSES:
        mine = [p for p in played if p.ruling.status == status]
        if mine:
            yield _row(status, mine, versions, width)
    yield _row("all", played, versions, width)


def _row(name: str, played: Sequence[Played], versions: Sequence[str], width: int) -> str:
    cells = (_cell([p for p in played if p.version == version]) for version in versions)
    return f"{name:<10}" + "".join(f"{cell:>{width}}" for cell in cells)


def _cell(played: Sequence[Played]) -> str:
    """How many games passed, and of how many if one failed."""
    passed = sum(p.failure is None for p in played)
    return str(passed) if passed == len(played) else f"{passed} of {len(played)}"


def _failures(played: Sequence[Played], language: str) -> Iterator[str]:
    for p in played:
        if p.failure is not None:
            yield f"FAILED {headline(p, language)}"
            yield from (f"  {line}" for line in failure_lines(p))
            yield ""


def headline(played: Played, language: str) -> str:
    """Return a game's ruling in one line: its id, status, version, readings and title."""
    ruling = played.ruling
    readings = "".join(f", {k}={v}" for k, v in played.readings.items())
    return f"{ruling.id} ({ruling.status}, version {played.version}{readings}): {ruling.title[language]}"


def failure_lines(played: Played) -> Iterator[str]:
    """Yield who ruled so, and where the game left the ruling; only the former of a game that passed."""
    yield f"source: {played.ruling.source}"
    if played.failure is not None:
        yield f"step {played.failure.step}: expected {played.failure.expected}"
        yield f"but {played.failure.actual}"
        yield from (f"fired: {rule}" for rule in played.failure.fired)


def _last_line(played: Sequence[Played]) -> str:
    failed = sum(p.failure is not None for p in played)
    rulings = len({p.ruling.id for p in played})
    many = f"{counted(rulings, 'ruling')}, {counted(len(played), 'game')}"
    return f"{many}: {len(played) - failed} passed, {failed} failed"
