"""What must be unsatisfiable for an invariant to prove a goal, as SMT-LIB 2 text."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from checker.certificates.invariant import Invariant
from checker.engines.smt.circuit import FALSE, Net
from checker.engines.smt.steps import Rules, compile_rules
from checker.engines.smt.text import (
    BoardText,
    board_constants,
    conjunction,
    net_name,
    step_choice,
    step_effect,
    step_shows,
)
from checker.system.model import Goal, TransitionSystem

SAYS = {
    "initial": "every initial board satisfies the invariant",
    "preserved": "every step from a board that satisfies the invariant leads to one that does",
    "implies": "no board that satisfies the invariant shows the fault",
    "implies_step": "no step from a board that satisfies the invariant shows the fault",
    "base": "no initial board shows the fault",
    "base_step": "no step from an initial board shows the fault",
    "base_next": "no board one step from an initial one shows the fault",
    "base_next_step": "no step from a board one step from an initial one shows the fault",
    "after_two": "after two boards and steps without the fault the next board does not show it",
    "after_two_step": "after two boards and steps without the fault the next step does not show it",
}
"""What each obligation says, once it is shown to have no model."""


def obligations(system: TransitionSystem, goal: Goal, invariant: Invariant, length: int = 1) -> dict[str, str]:
    """Return the obligations by name; together they prove that no game shows the goal.

    Args:
        system: the ground rulebook.
        goal: the property.
        invariant: lemmas that hold on every reachable board.
        length: 1 if the lemmas exclude the goal themselves, 2 if after a board and step without it.

    """
    rules = compile_rules(system, [goal])
    script = Script(rules, goal.name, invariant.nets(rules.circuit))
    lemmas = script.lemmas
    found = {
        "initial": script.text(0, [(0, [rules.initial])], denied=(0, lemmas)),
        "preserved": script.text(1, [(0, lemmas)], denied=(1, lemmas)),
    }
    if length == 1:
        found |= script.faults("implies", 0, [(0, lemmas)])
        return found
    found |= script.faults("base", 0, [(0, [rules.initial])])
    found |= script.faults("base_next", 1, [(0, [rules.initial])])
    good = [(0, [*lemmas, -script.bad]), (1, [*lemmas, -script.bad]), (2, lemmas)]
    found |= script.faults("after_two", 2, good, clean=True)
    return found


class Script:
    """Writes SMT-LIB scripts about the first boards of a game."""

    def __init__(self, rules: Rules, goal: str, lemmas: Sequence[Net]) -> None:
        self.rules = rules
        self.goal = goal
        self.lemmas = list(lemmas)
        self.bad = rules.bad[goal]

    def text(self, steps: int, held: Sequence[tuple[int, Sequence[Net]]], denied: tuple[int, Sequence[Net]]) -> str:
        """Return the script: after `steps` steps, nets `held` on boards, and not all of `denied` on one."""
        lines, texts = self._game(steps, held, clean=False)
        board, nets = denied
        lines += [*texts[board].gates(nets), f"(assert (not {_all(nets, board)}))"]
        return _script(lines)

    def faults(
        self, name: str, steps: int, held: Sequence[tuple[int, Sequence[Net]]], clean: bool = False
    ) -> dict[str, str]:
        """Return the scripts for "the last board shows the goal" and "the step from it does".

        clean: no step before shows the goal.
        """
        found = {}
        if self.bad != FALSE:
            lines, texts = self._game(steps, held, clean)
            lines += [*texts[steps].gates([self.bad]), f"(assert {net_name(self.bad, steps)})"]
            found[name] = _script(lines)
        if any(step.bad[self.goal] != FALSE for step in self.rules.steps):
            lines, texts = self._game(steps, held, clean)
            lines += step_choice(self.rules, texts[steps])
            found[f"{name}_step"] = _script([*lines, f"(assert {step_shows(self.rules, self.goal, steps)})"])
        return found

    def _game(
        self, steps: int, held: Sequence[tuple[int, Sequence[Net]]], clean: bool
    ) -> tuple[list[str], list[BoardText]]:
        texts = [BoardText(self.rules.circuit, board) for board in range(steps + 1)]
        lines: list[str] = []
        for board, text in enumerate(texts):
            lines += board_constants(self.rules.circuit, board)
            if board:
                lines += step_choice(self.rules, texts[board - 1])
                lines += step_effect(self.rules, board - 1)
                if clean:
                    lines.append(f"(assert (not {step_shows(self.rules, self.goal, board - 1)}))")
            for place, nets in held:
                if place == board:
                    lines += [*text.gates(nets), f"(assert {_all(nets, board)})"]
        return lines, texts


def _all(nets: Sequence[Net], board: int) -> str:
    return conjunction([net_name(net, board) for net in nets])


def _script(lines: Sequence[str]) -> str:
    return "\n".join(_lines(lines)) + "\n"


def _lines(lines: Sequence[str]) -> Iterator[str]:
    yield "(set-logic QF_BV)"
    yield from lines
    yield "(check-sat)"
