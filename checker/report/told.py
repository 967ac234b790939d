"""Which games of a violation are told: on the smaller board if there is one, then those that differ."""

from __future__ import annotations

from dataclasses import replace

from checker.report.labels import Labels
from checker.report.model import PropertyReport
from checker.system.model import Kind

ALIKE = frozenset({Kind.DETERMINISM.value, Kind.RESPONSE.value, Kind.TERMINATION.value})
"""Kinds of property with an own word on what makes two games alike."""


def as_told(wanted: PropertyReport) -> PropertyReport:
    """Return a property with the game that is told first: that on the smaller board, if there is one."""
    smaller = wanted.smaller
    if smaller is None:
        return wanted
    return replace(wanted, culprits=smaller.culprits, game=smaller.game, length=len(smaller.game.steps))


def otherwise(wanted: PropertyReport) -> tuple[PropertyReport, ...]:
    """Return a property once more for each game that breaks it differently."""
    if wanted.others is None:
        return ()
    alone = replace(wanted, others=None, smaller=None, shortest=False, breaking=None, note="")
    return tuple(
        replace(alone, culprits=other.culprits, game=other.game, length=len(other.game.steps), note=other.note)
        for other in wanted.others.games
    )


def more(wanted: PropertyReport) -> bool:
    """Tell whether there is more to tell than one game on the whole board."""
    return wanted.smaller is not None or bool(wanted.others and wanted.others.games)


def remarks(wanted: PropertyReport, labels: Labels) -> list[str]:
    """Say on which board the game is told, and how many others there are."""
    said = []
    if wanted.smaller is not None:
        smaller = wanted.smaller
        said.append(labels("smaller", smaller.kept, smaller.of, ", ".join(smaller.dropped)))
        if smaller.minimal:
            said.append(labels["smaller_minimal"])
    if wanted.others is not None and wanted.game is not None:
        count = len(wanted.others.games) + 1
        if wanted.others.complete is None:
            said.append(labels("others_unable", wanted.engine))
        elif count < wanted.others.asked and wanted.others.complete:
            alike = labels[f"alike_{wanted.kind}" if wanted.kind in ALIKE else "alike"]
            said.append(f"{labels('others_fewer', wanted.others.asked, count)} {alike}")
        elif count < wanted.others.asked:
            said.append(labels("others_unknown", wanted.others.asked, count))
        else:
            said.append(labels("others_enough", count))
    return said
