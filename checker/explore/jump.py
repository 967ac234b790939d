"""Let an engine find the shortest game to a property's fault, or to what it wants to be reached."""

from __future__ import annotations

from enum import Enum

from checker.engines.protocol import Holds, Limits, Violated
from checker.engines.registry import engine
from checker.errors import InputError, closest
from checker.explore.table import Position, Table
from checker.system.model import Step, Trace
from checker.traces.confirm import confirm

SECONDS = 60.0
"""How long an engine may look before it says that it does not know."""


class Answer(Enum):
    """What an engine said of a property for which it has no game to show."""

    HOLDS = "holds"
    NEVER = "never"
    UNKNOWN = "unknown"


def jump(table: Table, name: str, engine_name: str = "symbolic") -> Position | Answer:
    """Return the end of a shortest game that breaks the property `name`, or reaches what it asks for.

    Raises:
        InputError: there is no such property.
        ReplayError: the game an engine found is none.

    """
    if name not in table.system.goal:
        raise InputError(f'{table.book.name} has no property "{name}"; {closest(name, list(table.system.goal))}')
    goal = table.system.goal[name]
    limits = Limits(seconds=SECONDS)
    (verdict,) = engine(engine_name).check(table.system, [goal], limits, lambda _: None).verdicts
    match verdict.answer:
        case Holds(_, None):
            return Answer.HOLDS
        case Violated(None):
            return Answer.NEVER
        case Holds(_, trace) | Violated(trace) if trace is not None:
            confirm(table.system, goal, trace)
            return table.position(*table.tokens(_settled(table, trace)))
        case _:
            return Answer.UNKNOWN


def _settled(table: Table, trace: Trace) -> Trace:
    """Settle the open outcomes of the last step if the engine left them open, the first way."""
    if len(trace.states) > len(trace.steps):
        return trace
    last = trace.steps[-1]
    ways = [way.chosen for way in table.rules.resolve(trace.states[-1], last.action)]
    chosen = next((way for way in ways if set(way) == set(last.chosen)), ways[0])
    return Trace(trace.states, (*trace.steps[:-1], Step(last.action, chosen)))
