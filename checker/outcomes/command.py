"""The work of `prove --board`: for each action on a board, whether its outcome is determined."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from time import monotonic

import click

from checker import __version__
from checker.certificates.folder import write_steps
from checker.certificates.origin import Origin, origin_of, to_manifest
from checker.certificates.shelf import require_room, write_list
from checker.certificates.steps import Steps
from checker.engines.protocol import Limits
from checker.outcomes.find import Finding, Kind, Outcomes, outcomes
from checker.report.words import Words
from checker.rulebook.load import load_board, load_rulebook

SHOWN = (Kind.OPEN, Kind.TORN, Kind.SILENT, Kind.ORDERED)
"""What is shown with a board and both outcomes."""


def run_outcomes(
    rulebook: str,
    boards: Sequence[str],
    readings: Mapping[str, str],
    certificate: Path | None,
    seconds: float | None = None,
    language: str = "en",
) -> int:
    """Print for each board what the outcome of each action is.

    Args:
        rulebook: as `load_rulebook` takes it.
        boards: boards by name or file.
        readings: readings chosen over those of the boards.
        certificate: where to write the proofs, if anywhere.
        seconds: what one question on a board may take.
        language: of what is said of actions.

    Returns:
        0 if everything is determined or decided by a player or left open by the rules, 1 if an action sets one thing
        to two values or an order matters that nobody decides, 3 if something is not decided.

    Raises:
        InputError: the rulebook, a board or a reading is wrong.

    """
    book = load_rulebook(rulebook)
    if certificate is not None:
        require_room(certificate)
    kinds: set[Kind] = set()
    written = []
    for layout in [load_board(book, name) for name in dict.fromkeys(boards)]:
        origin = origin_of(book, layout, book.choose(layout, dict(readings)))
        began = monotonic()
        built = origin.build()
        found = outcomes(built.system, Limits(seconds))
        words = Words(book, layout, language)
        click.echo("\n".join([*_lines(found, words), f"{built.system.name}: {monotonic() - began:.1f} s"]))
        kinds |= {finding.kind for finding in found.findings}
        if certificate is not None:
            written.append(certificate / book.name / layout.name)
            _certify(written[-1], found, origin, built.inputs)
    if certificate is not None:
        write_list(certificate, written)
        click.echo(f"wrote {len(written)} certificates into {certificate}", err=True)
    if kinds & {Kind.TORN, Kind.SILENT}:
        return 1
    return 3 if Kind.UNKNOWN in kinds else 0


def _certify(folder: Path, found: Outcomes, origin: Origin, inputs: Mapping[str, bytes]) -> None:
    """Write the certificate of everything that is proved on a board."""

    def single(kind: Kind) -> tuple[str, ...]:
        return tuple(str(f.actions[0]) for f in found.findings if f.kind is kind)

    def pairs(kind: Kind) -> tuple[tuple[str, str], ...]:
        return tuple((str(f.actions[0]), str(f.actions[1])) for f in found.findings if f.kind is kind)

    steps = Steps(single(Kind.FUNCTIONAL), single(Kind.OPEN), pairs(Kind.APART), pairs(Kind.COMMUTE))
    write_steps(
        folder, found.system, steps, found.invariant,
        tool=f"equipoise {__version__}", inputs=inputs, origin=to_manifest(origin),
    )  # fmt: skip


def _lines(found: Outcomes, words: Words) -> Iterator[str]:
    """Yield a line for each action, one for each kind of pair, and the boards that show two outcomes."""
    width = max((len(str(f.actions[0])) for f in found.findings if len(f.actions) == 1), default=0)
    for finding in found.findings:
        if len(finding.actions) == 1:
            clauses = f" ({', '.join(finding.clauses)})" if finding.clauses else ""
            how = f", {finding.how}" if finding.how else ""
            yield f"{finding.actions[0]!s:<{width}}  {finding.kind.value}{clauses}{how}"
    pairs = [finding for finding in found.findings if len(finding.actions) == 2]
    for (kind, how), count in Counter((f.kind, f.how) for f in pairs if f.kind not in SHOWN).items():
        yield f"{count} pairs of forced actions that no one player orders: {kind.value}{f', {how}' if how else ''}"
    for finding in found.findings:
        if finding.kind in SHOWN and finding.board is not None:
            yield from ("", *_shown(finding, found, words))


def _shown(finding: Finding, found: Outcomes, words: Words) -> Iterator[str]:
    """Yield a board and what becomes of it in one way and in the other."""
    variables = found.system.variables
    assert finding.board is not None, "the caller has a board"
    board = finding.board
    yield f"{finding.kind.value}: {', '.join(map(str, finding.actions))}"
    yield "  the board"
    yield from (f"    {v.name} = {v.domain[value]}" for v, value in zip(variables, board, strict=True))
    orders = [finding.actions, finding.actions[::-1]]
    for number, end in enumerate(finding.ends):
        way = orders[number] if len(finding.actions) == 2 else finding.actions
        yield f"  {', then '.join(map(str, way))}, and so"
        for variable, value in end.items():
            held = variables[variable]
            yield f"    {words.change(held.name, held.domain[board[variable]], held.domain[value])}"
