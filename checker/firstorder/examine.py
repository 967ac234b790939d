"""Say of each claim and action of a theory what holds for any number of cards, and where nothing does, show why."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from time import monotonic
from typing import TypeAlias

from checker.firstorder.determined import any_order, apart, functional, moments, pairs
from checker.firstorder.prove import AnySize, Open, Prover, Settled, Statement, Unsettled
from checker.firstorder.refute import SmallGame, TwoOutcomes, shortest_game, step_from_any_board, two_outcomes
from checker.firstorder.theory import Action, Claim, Theory

Answer: TypeAlias = AnySize | SmallGame | Open
"""A proof; a game on a small board; or what stays open.

A game that does not begin at a start shows only that the claim is not inductive.
"""


@dataclass(frozen=True, slots=True)
class Examined:
    """A claim with its answer under the switches chosen, and the seconds it took."""

    claim: Claim
    answer: Answer
    seconds: float


Determined: TypeAlias = Settled | TwoOutcomes | Unsettled
"""A proof that there is one outcome; a board with two; or a question that stays open."""


@dataclass(frozen=True, slots=True)
class OneOutcome:
    """Whether an action has one outcome but for `open`, the state functions that it really leaves open."""

    action: Action
    open: tuple[str, ...]
    answer: Determined
    seconds: float


@dataclass(frozen=True, slots=True)
class AnyOrder:
    """Whether two steps of one moment end on the same board in either order; a proof may be that they never meet."""

    moment: str
    actions: tuple[str, str]
    answer: Determined
    seconds: float


def switches(theory: Theory, version: str | None, readings: Mapping[str, str]) -> dict[str, bool]:
    """Return the switches of a theory that a version and readings set.

    Args:
        theory: its switches are named `version.V` and `reading.NAME.VALUE`.
        version: the version played; None leaves it open, so that answers hold for all.
        readings: the value of each reading by name; one that is not named stays open.

    """
    chosen = {}
    for name in theory.switches:
        kind, _, rest = name.partition(".")
        if kind == "version" and version is not None:
            chosen[name] = rest == version
        reading, _, value = rest.partition(".")
        if kind == "reading" and reading in readings:
            chosen[name] = readings[reading] == value
    return chosen


def examine(prover: Prover, depth: int = 5, wanted: Collection[str] | None = None) -> Iterator[Examined]:
    """Prove each claim for any number of cards, or look for a small game that breaks it.

    Args:
        prover: knows the theory and the switches; one that is not named stands for both its values, but clauses
            are in force.
        depth: the steps of a game to look for.
        wanted: names of the claims to look for games of; None means all.

    Yields:
        Each claim with its answer, in the order of the text.

    """
    theory, chosen = prover.theory, prover.switches
    found = prover.prove()
    held = [proof.claim for proof in found if isinstance(proof, AnySize)]
    for answer in found:
        spent, began = prover.spent[answer.claim.name], monotonic()
        if isinstance(answer, AnySize) or (wanted is not None and answer.claim.name not in wanted):
            yield Examined(answer.claim, answer, spent)
        else:
            game = shortest_game(theory, answer.claim, chosen, depth)
            game = game or step_from_any_board(theory, answer.claim, held, chosen)
            yield Examined(answer.claim, game or answer, spent + monotonic() - began)


def determine(prover: Prover, held: Sequence[Claim]) -> Iterator[OneOutcome | AnyOrder]:
    """Say of each action whether it has one outcome, and of steps of one moment whether their order matters.

    Args:
        prover: as for `examine`.
        held: claims of boards that are proved.

    """
    theory = prover.theory
    for action in theory.actions:
        began = monotonic()
        single = functional(theory, action)
        answer = _settled(prover, single, ()) or _determined(prover, single, held)
        left = [name for name in action.open if not _settled(prover, functional(theory, action, [name]), held)]
        yield OneOutcome(action, tuple(left), answer, monotonic() - began)
    for moment, actions in moments(theory):
        for one, other in pairs(actions):
            began = monotonic()
            never = _settled(prover, apart(theory, one, other), held)
            answer = never or _determined(prover, any_order(theory, one, other), held)
            yield AnyOrder(moment, (one.name, other.name), answer, monotonic() - began)


def _settled(prover: Prover, statement: Statement, held: Sequence[Claim]) -> Settled | None:
    found = prover.settle(statement, held)
    return found if isinstance(found, Settled) else None


def _determined(prover: Prover, statement: Statement, held: Sequence[Claim]) -> Determined:
    """Return the proof of a statement, or a board against it."""
    found = prover.settle(statement, held)
    if isinstance(found, Settled):
        return found
    return two_outcomes(prover.theory, found.question, held, prover.switches) or found
