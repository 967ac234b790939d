"""Confirm that a trace shows what an engine says it shows."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from types import MappingProxyType

from clingo.symbol import Symbol

from checker.system.model import Atom, Goal, Kind, State, Trace, TransitionSystem
from checker.traces.evaluate import Evaluator, evaluator
from checker.traces.replay import ReplayedTrace, ReplayError, replay

CLOSURE = 200_000
"""The boards at most that are closed under forced steps to tell two orders apart."""


def confirm(system: TransitionSystem, goal: Goal, trace: Trace) -> ReplayedTrace:
    """Run `trace` again and make sure that it breaks `goal`, or reaches it if the goal is a `sometimes`.

    Returns:
        The trace, run again.

    Raises:
        ReplayError: the trace is no game of the system, or its end does not show what the goal asks about.

    """
    claim = _Claim(evaluator(system), goal, replay(system, trace))
    check = _CHECKS.get(goal.kind)
    reason = f"no trace shows a property of kind {goal.kind.value}" if check is None else check(claim)
    if reason is not None:
        raise ReplayError(len(trace.steps), f"{goal.name}: {reason}")
    return claim.trace


@dataclass(frozen=True, slots=True)
class _Claim:
    """A replayed trace that is said to show a goal. Each check returns what is wrong, None if nothing is."""

    rules: Evaluator
    goal: Goal
    trace: ReplayedTrace

    @property
    def ends_in_step(self) -> bool:
        """Whether the trace ends in a step, without its next board."""
        return len(self.trace.states) == len(self.trace.steps)

    def violated(self) -> str | None:
        """Check that something violates the goal at the end."""
        shown = self._holds_at_end([atom for atom, _ in self.goal.violated])
        return None if shown else "nothing violates it at the end of the trace"

    def reached(self) -> str | None:
        """Check that the goal is reached at the end."""
        return None if self._holds_at_end(self.goal.reached) else "it is not reached at the end of the trace"

    def conflict(self) -> str | None:
        """Check that the last step sets a fluent to two values."""
        if not self.ends_in_step:
            return "the trace ends on a board, not in a step"
        fluents = [change.fluent for change in self.trace.steps[-1].changes]
        return None if len(fluents) > len(set(fluents)) else "the last step sets no fluent to two values"

    def open_outcome(self) -> str | None:
        """Check that the last step leaves something open."""
        if not self.ends_in_step:
            return "the trace ends on a board, not in a step"
        opens = _is_open(self.rules, self.trace.steps[-1].true)
        return None if opens else "the last step leaves nothing open"

    def termination(self) -> str | None:
        """Check that the trace loops through forced steps alone."""
        if self.trace.loop is None:
            return "the trace does not loop"
        free = [str(step.action) for step in self.trace.steps[self.trace.loop :] if not step.forced]
        return f"{free[0]} on the loop is not forced" if free else None

    def response(self) -> str | None:
        """Check that something pending is not answered to the end, nor anywhere on the loop."""
        trace, boards = self.trace, range(len(self.trace.states))
        answered = [self._holds_at(self.goal.answered, index) for index in boards]
        since = max((index + 1 for index in boards if answered[index]), default=0)
        if trace.loop is not None and any(answered[trace.loop :]):
            return "the loop answers it"
        if not any(self._holds_at(self.goal.pending, index) for index in boards if index >= since):
            return "nothing stays unanswered to the end of the trace"
        if trace.loop is None and (self.ends_in_step or self.rules.successors(trace.states[-1])):
            return "the trace neither loops nor ends where nothing can follow"
        return None

    def determinism(self) -> str | None:
        """Check that a resolution begins, only forced steps follow, and then something is left open."""
        steps = self.trace.steps
        starts = [i for i, step in enumerate(steps) if not step.true.isdisjoint(self.goal.resolution)]
        if not starts:
            return "no step of the trace begins the resolution"
        begun = [start for start in starts if all(step.forced for step in steps[start + 1 :])]
        if not begun:
            return "not every step after the start of the resolution is forced"
        if any(_is_open(self.rules, step.true) for step in steps[begun[0] :]):
            return None
        if self.ends_in_step:
            return "the last step leaves nothing open"
        different = _order_matters(self.rules, self.trace.states[-1])
        return None if different else "the order of the forced steps on the last board changes nothing"

    def _holds_at_end(self, atoms: Sequence[Atom]) -> bool:
        """Tell whether an atom of the step holds in the last step, or one of the board on the last board."""
        true = self.trace.steps[-1].true if self.ends_in_step else self.trace.boards[-1]
        return any(atom in true and (atom in self.rules.step_atoms) == self.ends_in_step for atom in atoms)

    def _holds_at(self, atoms: Sequence[Atom], index: int) -> bool:
        """Tell whether one of `atoms` holds on board number `index` or in the step taken from it."""
        board = self.trace.boards[index]
        if any(atom in board and atom not in self.rules.step_atoms for atom in atoms):
            return True
        steps = self.trace.steps[index : index + 1]
        return any(not step.true.isdisjoint(atoms) for step in steps)


def _is_open(rules: Evaluator, true: frozenset[Atom]) -> bool:
    """Tell whether an outcome fired with none, or two or more, of its options enabled."""
    return any(
        outcome.fired in true and sum(option.enabled in true for option in outcome.options) != 1
        for outcome in rules.system.outcomes
    )


def _order_matters(rules: Evaluator, state: State) -> bool:
    """Tell whether two forced steps, not both for one player to order, lead to different stable boards."""
    true = rules.evaluate(state)
    actions = [index for index in rules.enabled(state) if rules.system.actions[index].forced in true]
    ways = {index: tuple(rules.resolve(state, index)) for index in actions}
    if any(_is_open(rules, way.true) for index in actions for way in ways[index]):
        return True
    who = {index: _deciders(rules, index, true) for index in actions}
    ends: dict[int, frozenset[State]] = {}
    for first, second in combinations(actions, 2):
        if who[first] == who[second] and "game" not in map(str, who[first]):
            continue
        for index in {first, second} - ends.keys():
            ends[index] = _stable(rules, [way.next for way in ways[index] if way.next is not None])
        if ends[first] != ends[second]:
            return True
    return False


def _deciders(rules: Evaluator, index: int, true: frozenset[Atom]) -> frozenset[Symbol]:
    return frozenset(who for who, atom in rules.system.actions[index].by if atom is None or atom in true)


def _stable(rules: Evaluator, states: Sequence[State]) -> frozenset[State]:
    """Return the boards without a forced step that forced steps from `states` reach.

    Raises:
        ReplayError: more than `CLOSURE` boards would have to be visited.

    """
    seen, waiting, stable = set(states), list(states), set()
    while waiting:
        state = waiting.pop()
        true = rules.evaluate(state)
        if not any(rules.system.actions[index].forced in true for index in rules.enabled(state)):
            stable.add(state)
            continue
        after = {state for _, state in rules.successors(state)} - seen
        seen |= after
        waiting.extend(after)
        if len(seen) > CLOSURE:
            raise ReplayError(0, f"over {CLOSURE:,} boards are reached by forced steps alone; not compared")
    return frozenset(stable)


_CHECKS: Mapping[Kind, Callable[[_Claim], str | None]] = MappingProxyType(
    {
        Kind.INVARIANT: _Claim.violated,
        Kind.STEP: _Claim.violated,
        Kind.SOMETIMES: _Claim.reached,
        Kind.CONFLICT: _Claim.conflict,
        Kind.OPEN_OUTCOME: _Claim.open_outcome,
        Kind.TERMINATION: _Claim.termination,
        Kind.RESPONSE: _Claim.response,
        Kind.DETERMINISM: _Claim.determinism,
    }
)
