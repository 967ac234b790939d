"""Verdicts as text: what of an answer is written down, and what is made of it on a system that says the same.

Nothing is named by a number that another grounding could give to something else: options by what they set, rules
by what they say. What does not fit the system is no verdict on it.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import astuple, dataclass
from typing import Any

from checker.engines.protocol import Answer, Counts, Further, Holds, Shown, Verdict, Violated
from checker.system.content import Content
from checker.system.model import Goal, Kind, Step, Trace, rule_name


@dataclass(frozen=True, slots=True)
class Stored:
    """A verdict with what was explored to reach it."""

    verdict: Verdict
    counts: Counts
    details: Mapping[str, int | float | str]


def to_text(content: Content, stored: Stored) -> str:
    """Return a verdict as JSON.

    Raises:
        ValueError: it is undecided.

    """
    return json.dumps(
        {
            "engine": stored.verdict.engine,
            "answer": _answer_out(content, stored.verdict.goal, stored.verdict.answer),
            "counts": astuple(stored.counts),
            "details": dict(stored.details),
        }
    )


def from_text(content: Content, goal: Goal, text: str) -> Stored:
    """Return the verdict that `to_text` wrote, on a system of the same content.

    Raises:
        ValueError, KeyError, TypeError: it is not one, or does not fit the system.

    """
    data = json.loads(text)
    answer = _answer_in(content, goal, data["answer"])
    return Stored(Verdict(goal, answer, data["engine"]), Counts(*data["counts"]), data["details"])


def _answer_out(content: Content, goal: Goal, answer: Answer) -> dict[str, Any]:
    match answer:
        case Holds(how, witness):
            return {"holds": how, "trace": _trace_out(content, witness)}
        case Violated():
            return {
                "culprits": _rules_out(content, answer) if goal.kind is Kind.RULES_FIRE else answer.culprits,
                "shortest": answer.shortest,
                "breaking": answer.breaking,
                "note": answer.note,
                "trace": _trace_out(content, answer.trace),
                "further": _further_out(content, answer.further),
            }
        case _:
            raise ValueError("an undecided property is not kept")


def _answer_in(content: Content, goal: Goal, data: Mapping[str, Any]) -> Answer:
    trace = _trace_in(content, data["trace"])
    if "holds" in data:
        return Holds(data["holds"], trace)
    culprits = _rules_in(content, data["culprits"]) if goal.kind is Kind.RULES_FIRE else tuple(data["culprits"])
    further = _further_in(content, data["further"])
    return Violated(trace, culprits, data["shortest"], data["breaking"], data["note"], further)


def _further_out(content: Content, further: Further | None) -> list[Any] | None:
    if further is None:
        return None
    return [[(_trace_out(content, one.trace), one.culprits, one.note) for one in further.games], further.complete]


def _further_in(content: Content, data: list[Any] | None) -> Further | None:
    if data is None:
        return None
    games, complete = data
    traces = [(_trace_in(content, trace), culprits, note) for trace, culprits, note in games]
    return Further(tuple(Shown(t, tuple(culprits), note) for t, culprits, note in traces if t is not None), complete)


def _rules_out(content: Content, answer: Violated) -> list[str]:
    """Return what the rules say that have instances and never fire; those without need not be written."""
    dead, unseen = {*answer.culprits}, content.unseen()
    return [content.rule[s.id] for s in content.system.sources if rule_name(s) in dead and s.id not in unseen]


def _rules_in(content: Content, dead: list[str]) -> tuple[str, ...]:
    """Return where the rules stand that never fire."""
    said, unseen = {*dead}, content.unseen()
    if not said <= {*content.rule.values()}:
        raise ValueError("a rule that never fires is not there")
    return tuple(rule_name(s) for s in content.system.sources if s.id in unseen or content.rule[s.id] in said)


def _trace_out(content: Content, trace: Trace | None) -> list[Any] | None:
    if trace is None:
        return None
    steps = [(step.action, [content.chosen[atom] for atom in step.chosen]) for step in trace.steps]
    return [trace.states, steps, trace.loop]


def _trace_in(content: Content, data: list[Any] | None) -> Trace | None:
    if data is None:
        return None
    states, steps, loop = data
    atoms = {name: atom for atom, name in content.chosen.items()}
    return Trace(
        tuple(tuple(state) for state in states),
        tuple(Step(action, tuple(atoms[name] for name in chosen)) for action, chosen in steps),
        loop,
    )
