"""The work of `prove`: claims for any number of cards, from a rulebook's first-order encoding."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from time import monotonic
from typing import Any

import click

from checker import __version__
from checker.certificates import CertificateError, Checked
from checker.certificates.origin import name_of
from checker.certificates.shelf import require_room, write_list
from checker.errors import InputError, closest
from checker.firstorder.certificate import certify_any_size, closure, write_any_size
from checker.firstorder.examine import Examined, examine, switches
from checker.firstorder.prove import AnySize, Open, Prover
from checker.firstorder.refute import SmallGame
from checker.firstorder.theory import Theory, load_theory
from checker.paths import encodings
from checker.rulebook.load import load_rulebook
from checker.rulebook.model import Rulebook


def run_prove(rulebook: str, wanted: Sequence[str], readings: Mapping[str, str], certificate: Path | None) -> int:
    """Examine the claims and print what was found; 0 all proved, 1 one refuted, 3 one open.

    Raises:
        InputError: the rulebook, a claim or a reading is wrong, or the rulebook has no first-order encoding.

    """
    began = monotonic()
    book = load_rulebook(rulebook)
    theory = load_theory(folder_of(book))
    chosen_readings = _readings(book, readings)
    chosen = switches(theory, book.version.name, chosen_readings)
    names = _claims(theory, wanted)
    if certificate is not None:
        require_room(certificate)
    found = list(examine(theory, chosen, wanted=names))
    shown = [e for e in found if e.claim.name in names]
    lines = [*_table(shown), *_details(shown), *_unheard(theory, book, chosen_readings)]
    click.echo("\n".join([*lines, f"{book.name} {book.version.name}: {monotonic() - began:.1f} s"]))
    if certificate is not None:
        _write(certificate, book, chosen, found, names)
    if any(isinstance(e.answer, SmallGame) and e.answer.from_start for e in shown):
        return 1
    return 0 if all(isinstance(e.answer, AnySize) for e in shown) else 3


def folder_of(book: Rulebook) -> Path:
    """Return the folder of a rulebook's first-order encoding: its own `smt`, or the shipped one of its name.

    Raises:
        InputError: there is none.

    """
    for folder in (book.folder / "smt", encodings() / "smt" / book.name):
        if folder.is_dir():
            return folder
    raise InputError(f"{book.name} has no first-order encoding, in a folder smt beside its rulebook.toml")


def recheck_theory(folder: Path, origin: Mapping[str, Any], seconds: float) -> list[Checked]:
    """Check a certificate for any number of cards against the encoding as it is here.

    Raises:
        CertificateError: the certificate does not stand.
        InputError: the rulebook it is about is not there.

    """
    match origin:
        case {"theory": str(name), "switches": dict(chosen)}:
            text = folder_of(load_rulebook(name))
            return certify_any_size(folder, Prover(load_theory(text), chosen), _inputs(text), seconds)
    raise CertificateError("the manifest does not say which encoding it is about")


def _readings(book: Rulebook, given: Mapping[str, str]) -> dict[str, str]:
    """Return the value of every reading where no board says else."""
    for name, value in given.items():
        if name not in book.readings:
            raise InputError(f'there is no reading "{name}"; {closest(name, list(book.readings))}')
        if value not in book.readings[name].values:
            known = ", ".join(book.readings[name].values)
            raise InputError(f'reading "{name}" has no value "{value}"; expected one of {known}')
    defaults = {name: reading.default for name, reading in book.readings.items()}
    return defaults | dict(book.version.readings) | dict(given)


def _claims(theory: Theory, wanted: Sequence[str]) -> list[str]:
    """Return the names of the claims wanted, by default all but those that only help others."""
    known = [claim.name for claim in theory.claims]
    for name in wanted:
        if name not in known:
            raise InputError(f'the encoding {theory.name} has no claim "{name}"; {closest(name, known)}')
    return list(wanted) or [claim.name for claim in theory.claims if not claim.auxiliary]


def _table(shown: Sequence[Examined]) -> Iterator[str]:
    width = max((len(e.claim.name) for e in shown), default=0)
    for examined in shown:
        yield f"{examined.claim.name:<{width}}  {_verdict(examined)}"


def _verdict(examined: Examined) -> str:
    match examined.answer:
        case AnySize(undecided=()):
            return "proved for any number of cards; in a decidable fragment"
        case AnySize(undecided=around):
            return f"proved for any number of cards; outside the decidable fragment: {'; '.join(around)}"
        case SmallGame(from_start=True) as game:
            return f"refuted by a game of {len(game.actions)} actions"
        case SmallGame():
            return "open: not inductive, a step from a board that perhaps no game reaches breaks it"
        case Open(what=what, reason=reason):
            return f"open: {reason} ({what})"


def _details(shown: Sequence[Examined]) -> Iterator[str]:
    """Yield the games: the first board, then each action with the lines that it changed."""
    for examined in shown:
        if isinstance(examined.answer, SmallGame):
            yield from ("", f"{examined.claim.name} {' '.join(examined.claim.clauses)}".rstrip())
            before: list[str] = []
            for action, board in zip(["the board", *examined.answer.actions], examined.answer.boards, strict=True):
                lines = board.lines()
                yield from (f"  {action}", *(f"    {line}" for line in lines if line not in before))
                before = lines
            yield ""


def _unheard(theory: Theory, book: Rulebook, readings: Mapping[str, str]) -> Iterator[str]:
    """Say which choices other than the default the encoding does not know of."""
    known = {name.split(".")[1] for name in theory.switches if name.startswith("reading.")}
    strange = [f"{n}={v}" for n, v in readings.items() if n not in known and v != book.readings[n].default]
    if strange:
        yield f"of no account in the encoding: {', '.join(strange)}"


def _write(
    folder: Path, book: Rulebook, chosen: Mapping[str, bool], found: Sequence[Examined], names: Sequence[str]
) -> None:
    """Write one certificate of the named claims that are proved, and of all they rest on."""
    proofs = [e.answer for e in found if isinstance(e.answer, AnySize)]
    proved = {proof.claim.name for proof in proofs}
    kept = closure(proofs, [name for name in names if name in proved])
    written = []
    if kept:
        written.append(folder / book.name)
        write_any_size(
            written[0], f"{book.name}@{book.version.name}", kept,
            tool=f"equipoise {__version__}", inputs=_inputs(folder_of(book)),
            origin={"theory": name_of(book), "switches": dict(chosen)},
        )  # fmt: skip
    write_list(folder, written)
    click.echo(f"wrote a certificate of {len(kept)} claims into {folder}", err=True)


def _inputs(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in sorted(folder.glob("*.smt2"))}
