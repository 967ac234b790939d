"""Certify what holds on one board: by induction where that succeeds, else by the set of all reachable boards."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from checker import __version__
from checker.certificates.folder import write_certificate
from checker.certificates.invariant import Invariant, invariant_of
from checker.certificates.origin import Origin, to_manifest
from checker.certificates.reached import reachable
from checker.engines.protocol import Limits, Violated
from checker.engines.smt.engine import SmtEngine
from checker.errors import InternalError
from checker.system.model import TransitionSystem

SECONDS = 60.0
"""What the proofs of one board may take where the limits say nothing."""


@dataclass(frozen=True, slots=True)
class Certified:
    """A property with its certificate: the folder, None if none was found, and what the proof is."""

    goal: str
    folder: Path | None
    how: str


def certify_board(folder: Path, origin: Origin, goals: Sequence[str], limits: Limits) -> list[Certified]:
    """Write a certificate for each of the goals, which hold, into a folder of its name.

    Raises:
        InputError: the files of the origin are not there, or wrong.
        InternalError: a goal that is said to hold does not.

    """
    built = origin.build()
    system = built.system
    proofs = _proofs(system, goals, Limits(limits.seconds or SECONDS, limits.memory))
    found = []
    for name in goals:
        if name not in proofs:
            found.append(Certified(name, None, "no proof within the limits"))
            continue
        invariant, length, how = proofs[name]
        write_certificate(
            folder / name, system, system.goal[name], invariant,
            tool=f"equipoise {__version__}", inputs=built.inputs, length=length, origin=to_manifest(origin),
        )  # fmt: skip
        found.append(Certified(name, folder / name, how))
    return found


def _proofs(system: TransitionSystem, goals: Sequence[str], limits: Limits) -> Mapping[str, tuple[Invariant, int, str]]:
    """Return for each goal that can be proved the invariant, the length as in `obligations`, and the method."""
    proved = SmtEngine().prove(system, [system.goal[name] for name in goals], limits, lambda _: None)
    for verdict in proved.result.verdicts:
        if isinstance(verdict.answer, Violated):
            raise InternalError(f"engines disagree on {system.name}: smt says {verdict.goal.name} is violated")
    circuit = proved.rules.circuit
    found = {p.goal: (invariant_of(circuit, p.lemmas), p.length, p.method) for p in proved.proofs}
    left = [name for name in goals if name not in found]
    boards = reachable(system, limits) if left else None
    if boards is not None:
        found |= dict.fromkeys(left, (boards, 1, "all reachable boards"))
    return found
