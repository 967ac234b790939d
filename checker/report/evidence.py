"""What a verdict rests on, what a game's end comes from, and what never happens, in a few words."""

from __future__ import annotations

from collections.abc import Sequence

from checker.report.labels import Labels
from checker.report.model import Cited, Game, PropertyReport, RulebookReport

BROKEN = ("violated", "known finding")


def evidence(wanted: PropertyReport, labels: Labels) -> str:
    """Say what a verdict rests on: how it was proved, the length of the game, how much of it happens."""
    parts = [wanted.how]
    if wanted.length is not None:
        parts.append(labels.steps(wanted.length))
    if len(wanted.asked) > 1 and wanted.status != "unknown":
        parts.append(f"{len(wanted.asked) - len(wanted.dead)}/{len(wanted.asked)}")
    return ", ".join(part for part in parts if part)


def grouped(never: Sequence[tuple[str, Sequence[str]]], labels: Labels) -> list[tuple[str, Sequence[str]]]:
    """Join what never happens under headings: what is not reached, then what each other property lacks."""
    alone = [name for name, missing in never if list(missing) == [name]]
    found: list[tuple[str, Sequence[str]]] = [(labels["never_reached"], alone)] if alone else []
    return found + [(labels("never", name), missing) for name, missing in never if name not in alone]


def reasons(game: Game, labels: Labels) -> str:
    """Say which steps the end of a game comes straight from, which play no part in it, and what stayed."""
    aside = [step.number for step in game.steps if not step.matters]
    parts = [labels.listed("comes_from", game.because)] if game.because else []
    parts += [labels.listed("no_part", aside)] if aside else []
    return " ".join(parts + ([labels("stays", "; ".join(game.stays))] if game.stays else []))


def idle(book: RulebookReport, wanted: PropertyReport) -> list[str]:
    """Return the clauses a broken property rests on no rule of which fires on the boards checked: the first to look at.

    Nothing is said where it was not looked into, and nothing of properties that hold.
    """
    if wanted.status not in BROKEN:
        return []
    asleep = {clause.id for clause in book.clauses if clause.fires is False}
    return [cited.id for cited in wanted.clauses if cited.id in asleep]


def permits(wanted: PropertyReport) -> list[Cited]:
    """Return what allowed the last step of a game that breaks a property of steps: the step itself is the fault."""
    if wanted.kind != "step" or wanted.status not in BROKEN or wanted.game is None or not wanted.game.steps:
        return []
    return list(wanted.game.steps[-1].allowed)


def behind(game: Game) -> list[Cited]:
    """Return the clauses behind what changed in the steps the end comes straight from, each once."""
    last = (step for step in game.steps if step.number in game.because)
    cited = (one for step in last for change in step.changes for one in change.clauses)
    return list({one.id: one for one in cited if one.id}.values())
