"""A verdict for machines that show it to people: where it stands, and its game in a few lines."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from urllib.parse import quote

from checker.report.evidence import evidence, reasons
from checker.report.labels import Labels
from checker.report.model import Cited, PropertyReport, RulebookReport, StepView
from checker.report.told import as_told, otherwise, remarks


def rules(step: StepView) -> list[Cited]:
    """Return the rules of a step that stand in a file: those that allow it, then those behind its changes."""
    cited = [*step.allowed, *(c for change in step.changes for c in change.clauses)]
    return [one for one in cited if one.file]


def place(book: RulebookReport, wanted: PropertyReport) -> tuple[str, int]:
    """Return the file and line to point at: the rule that fired last in the game, else the rulebook file."""
    for step in reversed(wanted.game.steps if wanted.game else ()):
        found = rules(step)
        if found:
            return found[-1].file, found[-1].line
    return book.file, 1


def address(file: str) -> str:
    """Return a file as a reference that a URI may be."""
    return quote(file) if not file.startswith("/") else f"file://{quote(file)}"


def headline(wanted: PropertyReport, board: str, labels: Labels) -> str:
    """Say a verdict in one line."""
    status = labels.sentence(labels.status[wanted.status])
    why = evidence(wanted, labels)
    return f"{status}{labels['colon']}{wanted.title} ({', '.join(part for part in (board, why) if part)})"


def story(wanted: PropertyReport, labels: Labels) -> list[str]:
    """Tell the games of a verdict, a line for each step, then what it shows; nothing if it has no game."""
    if wanted.game is None:
        return [labels["missing"] + labels["colon"] + labels.joined(wanted.culprits)] if wanted.culprits else []
    lines = [*remarks(wanted, labels), *_game(as_told(wanted), labels)]
    others = otherwise(wanted)
    for number, other in enumerate(others, start=2):
        heading = labels("another", number, len(others) + 1) + labels["colon"].rstrip()
        lines += [heading, *_game(other, labels)]
    return lines


def _game(wanted: PropertyReport, labels: Labels) -> list[str]:
    assert wanted.game is not None, "the caller has a game"
    lines = [f"{step.number}. {labels.sentence(step.sentence)}{_note(step, labels)}" for step in wanted.game.steps]
    if wanted.game.loop is not None:
        lines.append(labels("loops", wanted.game.loop) if wanted.game.loop else labels["loops_start"])
    end = labels["reached_end" if wanted.status == "holds" else "broken_end"]
    lines.append(f"{end}{labels['colon']}{wanted.title}")
    if wanted.culprits:
        lines.append(f"{labels['culprits']}{labels['colon']}{labels.joined(wanted.culprits)}")
    return [*lines, *filter(None, [reasons(wanted.game, labels), wanted.note])]


def clauses_of(wanted: PropertyReport) -> Iterator[str]:
    """Yield the clauses of a property and of its game, each once, the property's own first."""
    steps: Iterable[StepView] = wanted.game.steps if wanted.game else ()
    cited = [*wanted.clauses, *(c for step in steps for c in rules(step))]
    yield from dict.fromkeys(one.id for one in cited if one.id)


def _note(step: StepView, labels: Labels) -> str:
    clauses = ", ".join(dict.fromkeys(c.id for c in rules(step) if c.id))
    notes = [*([clauses] if clauses else []), *([] if step.matters else [labels["aside"]])]
    return f" ({labels.joined(notes)})" if notes else ""
