"""Tell how the rulings went: counts by status, and each failure with what was expected."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from checker.rulings.model import Played

STATUSES = ("official", "judge", "guide", "engine", "derived", "open")


def to_text(played: Sequence[Played], language: str) -> str:
    """Return a table by version and status, then every failure."""
    return "\n".join((*_table(played), "", *_failures(played, language), _last_line(played))) + "\n"


def _table(played: Sequence[Played]) -> Iterator[str]:
    yield f"{'version':<10}{'status':<10}{'passed':>8}{'failed':>8}"
    for version in dict.fromkeys(p.version for p in played):
        for status in STATUSES:
            mine = [p for p in played if p.version == version and p.ruling.status == status]
            if mine:
                failed = sum(p.failure is not None for p in mine)
                yield f"{version:<10}{status:<10}{len(mine) - failed:>8}{failed:>8}"


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
    return f"{rulings} rulings, {len(played)} games: {len(played) - failed} passed, {failed} failed"
