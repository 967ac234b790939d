"""What a verdict rests on, what a game's end comes from, and what never happens, in a few words."""

from __future__ import annotations

from collections.abc import Sequence

from checker.report.labels import Labels
from checker.report.model import Cited, Game, PropertyReport, RulebookReport, StepView

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
    return " ".join(parts + ([labels("stays", labels.joined(game.stays))] if game.stays else []))


def idle(book: RulebookReport, wanted: PropertyReport) -> list[str]:
    """Return the clauses a broken property rests on no rule of which fires on the boards checked: the first to look at.

    Nothing is said where it was not looked into, and nothing of properties that hold.
    """
    if wanted.status not in BROKEN:
        return []
    asleep = {clause.id for clause in book.clauses if clause.fires is False}
    return [cited.id for cited in wanted.clauses if cited.id in asleep]


def tension(book: RulebookReport, wanted: PropertyReport, labels: Labels) -> str:
    """Say what a property's tension is, with the question of the reading about it; nothing if it has none."""
    if not wanted.tension:
        return ""
    asked = next((reading.question for reading in book.readings if reading.tension == wanted.tension), "")
    return labels("tension_asks", wanted.tension, asked) if asked else labels("tension_is", wanted.tension)


def permits(wanted: PropertyReport) -> list[Cited]:
    """Return what allowed the last step of a game that breaks a property of steps: the step itself is the fault."""
    if wanted.kind != "step" or wanted.status not in BROKEN or wanted.game is None or not wanted.game.steps:
        return []
    return list(wanted.game.steps[-1].allowed)


def behind(game: Game) -> list[Cited]:
    """Return the clauses behind what changed in the steps the end comes straight from, each once: by step, in order."""
    found: dict[str, Cited] = {}
    for step in game.steps:
        if step.number in game.because:
            found |= {one.id: one for one in changing(step) if one.id and one.id not in found}
    return list(found.values())


def changing(step: StepView) -> list[Cited]:
    """Return the rules behind the changes of a step, each once: clauses in order, then what the model assumes."""
    found = {cited.id or cited.text: cited for change in step.changes for cited in change.clauses}
    return sorted(found.values(), key=lambda cited: (cited.id is None, in_order(cited.id or ""), cited.text))


def in_order(clause: str) -> tuple[tuple[int, str], ...]:
    """Order clause ids part by part, numbers as numbers: 719.5.a, 719.10, 821.1.c.2."""
    return tuple((int(part), "") if part.isdigit() else (-1, part) for part in clause.split("."))
