"""Say of each claim of a theory whether it holds for any number of cards, and if not, show why."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from typing import TypeAlias

from checker.firstorder.prove import AnySize, Open, Prover
from checker.firstorder.refute import SmallGame, shortest_game, step_from_any_board
from checker.firstorder.theory import Claim, Theory

Answer: TypeAlias = AnySize | SmallGame | Open
"""A proof; a game on a small board; or what stays open.

A game that does not begin at a start shows only that the claim is not inductive.
"""


@dataclass(frozen=True, slots=True)
class Examined:
    """A claim with its answer, under the switches chosen."""

    claim: Claim
    answer: Answer


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


def examine(
    theory: Theory, chosen: Mapping[str, bool], depth: int = 5, wanted: Collection[str] | None = None
) -> Iterator[Examined]:
    """Prove each claim for any number of cards, or look for a small game that breaks it.

    Args:
        theory: what to examine.
        chosen: switches; one that is not named stands for both its values, but clauses are in force.
        depth: the steps of a game to look for.
        wanted: names of the claims to look for games of; None means all.

    Yields:
        Each claim with its answer, in the order of the text.

    """
    found = Prover(theory, chosen).prove()
    held = [proof.claim for proof in found if isinstance(proof, AnySize)]
    for answer in found:
        if isinstance(answer, AnySize) or (wanted is not None and answer.claim.name not in wanted):
            yield Examined(answer.claim, answer)
        else:
            game = shortest_game(theory, answer.claim, chosen, depth)
            game = game or step_from_any_board(theory, answer.claim, held, chosen)
            yield Examined(answer.claim, game or answer)
