"""Certificates that actions have one outcome on a board: what must be unsatisfiable, as SMT-LIB 2 text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from checker.certificates.invariant import CertificateError, Invariant
from checker.certificates.obligations import Script
from checker.engines.smt.circuit import Net
from checker.engines.smt.steps import Rules, StepNets
from checker.engines.smt.text import BoardText, board_constants, net_name
from checker.engines.smt.twice import SEEN, both_forced, either_order, rules_with_deciders, taken_twice
from checker.system.model import TransitionSystem


@dataclass(frozen=True, slots=True)
class Steps:
    """What is certified, each action by its term.

    functional: one outcome. open: one for each choice of open outcomes. apart: never both possible where nobody orders
    them. commute: the same board in either order where nobody orders them.
    """

    functional: tuple[str, ...]
    open: tuple[str, ...]
    apart: tuple[tuple[str, str], ...]
    commute: tuple[tuple[str, str], ...]

    def to_json(self) -> dict[str, Any]:
        """Return it as a manifest says it."""
        return {
            "functional": list(self.functional),
            "open": list(self.open),
            "apart": [list(pair) for pair in self.apart],
            "commute": [list(pair) for pair in self.commute],
        }

    def says(self) -> dict[str, str]:
        """Return what each obligation shows."""
        return {
            "functional": f"each of {len(self.functional)} actions has one outcome on every board it may be taken on",
            "open": f"each of {len(self.open)} actions has one outcome for each way its open outcomes may go",
            "apart": f"{len(self.apart)} pairs of forced actions are never both possible unless one player orders them",
            "commute": f"{len(self.commute)} pairs of forced actions lead to the same board in either order",
        }


def from_json(data: Mapping[str, Any]) -> Steps:
    """Read it back.

    Raises:
        CertificateError: it is none.

    """
    try:
        pairs = {key: tuple((str(a), str(b)) for a, b in data[key]) for key in ("apart", "commute")}
        functional, open_ = (tuple(map(str, data[key])) for key in ("functional", "open"))
    except (KeyError, TypeError, ValueError) as error:
        raise CertificateError(f"the manifest does not say which actions it is about: {error}") from error
    return Steps(functional, open_, pairs["apart"], pairs["commute"])


def step_texts(system: TransitionSystem, steps: Steps, invariant: Invariant | None) -> dict[str, str]:
    """Return the obligations by name; the invariant, if there is one, holds on every board they speak of.

    Raises:
        CertificateError: there is no such action on the board.

    """
    rules = rules_with_deciders(system)
    lemmas = invariant.nets(rules.circuit) if invariant is not None else []
    by_name = {str(system.actions[step.action].name): step for step in rules.steps}

    def step(name: str) -> StepNets:
        if name not in by_name:
            raise CertificateError(f"the certificate speaks of {name}, which can never be done on this board")
        return by_name[name]

    wrong = {
        "functional": [taken_twice(rules, step(name)).free for name in steps.functional],
        "open": [taken_twice(rules, step(name)).same for name in steps.open],
        "apart": [both_forced(rules, step(one), step(other)).silent for one, other in steps.apart],
        "commute": [either_order(rules, step(one), step(other)).silent for one, other in steps.commute],
    }
    texts = {}
    if invariant is not None:
        script = Script(rules, SEEN, lemmas)
        texts["initial"] = script.text(0, [(0, [rules.initial])], denied=(0, lemmas))
        texts["preserved"] = script.text(1, [(0, lemmas)], denied=(1, lemmas))
    return texts | {name: _text(rules, nets, lemmas) for name, nets in wrong.items() if nets}


def _text(rules: Rules, wrong: Sequence[Net], lemmas: Sequence[Net]) -> str:
    """Return the script: a board with the lemmas on which one of the nets holds."""
    text = BoardText(rules.circuit, 0)
    net = rules.circuit.disj(wrong)
    lines = ["(set-logic QF_BV)", *board_constants(rules.circuit, 0), *text.gates([net, *lemmas])]
    lines += [f"(assert {net_name(asserted, 0)})" for asserted in (net, *lemmas)]
    return "\n".join([*lines, "(check-sat)"]) + "\n"
