"""Hold two engines' answers to the same question against each other."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields

from checker.engines.protocol import Answer, Further, Holds, Result, Unknown, Violated
from checker.errors import InternalError
from checker.system.model import TransitionSystem


def require_agreement(system: TransitionSystem, first: Result, second: Result) -> None:
    """Raise unless two results agree on verdicts, the length of shortest games and, if complete, counts.

    Raises:
        InternalError: they differ; the message carries both pieces of evidence.

    """
    differences = list(_differences(first, second))
    if differences:
        raise InternalError(f"engines disagree on {system.name}: " + "; ".join(differences))


def _differences(first: Result, second: Result) -> Iterator[str]:
    counted = fields(first.counts) if first.counts.complete and second.counts.complete else ()
    for field in counted:
        one, other = getattr(first.counts, field.name), getattr(second.counts, field.name)
        if one is not None and other is not None and one != other:
            yield f"{field.name} {one} against {other}"
    answers = {v.goal.name: v for v in second.verdicts}
    for verdict in first.verdicts:
        other_verdict = answers.get(verdict.goal.name)
        if other_verdict is None:
            continue
        ours, theirs = verdict.answer, other_verdict.answer
        if not _agree(ours, theirs):
            name = verdict.goal.name
            yield f"{name}: {verdict.engine} says {_say(ours)}, {other_verdict.engine} says {_say(theirs)}"


def _agree(one: Answer, other: Answer) -> bool:
    if isinstance(one, Unknown) or isinstance(other, Unknown):
        return True
    if isinstance(one, Holds) and isinstance(other, Holds):
        return _steps(one.witness) == _steps(other.witness)
    if isinstance(one, Violated) and isinstance(other, Violated):
        if None not in (one.breaking, other.breaking) and one.breaking != other.breaking:
            return False
        if one.trace is None or other.trace is None:
            return one.trace is other.trace and sorted(one.culprits) == sorted(other.culprits)
        both_shortest = one.shortest and other.shortest
        return not both_shortest or (_steps(one.trace) == _steps(other.trace) and _alike(one.further, other.further))
    return False


def _alike(one: Further | None, other: Further | None) -> bool:
    """Tell whether two engines found further games of the same lengths, as far as both looked for them."""
    if one is None or other is None:
        return True
    ours, theirs = ([len(shown.trace.steps) for shown in further.games] for further in (one, other))
    shorter = min(len(ours), len(theirs))
    missing = (len(ours) < len(theirs) and one.complete) or (len(theirs) < len(ours) and other.complete)
    return ours[:shorter] == theirs[:shorter] and not missing


def _steps(trace: object) -> int | None:
    steps = getattr(trace, "steps", None)
    return None if steps is None else len(steps)


def _say(answer: Answer) -> str:
    match answer:
        case Holds(how, witness):
            return f"holds ({how}{'' if witness is None else f', witness of {len(witness.steps)} steps'})"
        case Violated(None, culprits):
            return f"violated ({', '.join(culprits)})"
        case Violated(trace) if trace is not None:
            games = answer.further.games if answer.further else ()
            others = "".join(f", then {len(shown.trace.steps)}" for shown in games)
            return f"violated in {len(trace.steps)} steps{others} ({answer.breaking} boards)"
        case _:
            return f"unknown ({answer})"
