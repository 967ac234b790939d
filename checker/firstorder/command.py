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
from checker.equivalence.coverage import coverage
from checker.errors import InputError, closest
from checker.firstorder.certificate import SIZE, certify_any_size, closure, write_any_size
from checker.firstorder.examine import Answer, Determined, determine, examine, switches
from checker.firstorder.prove import AnySize, Prover, Settled
from checker.firstorder.refute import SmallGame, TwoOutcomes, never_possible
from checker.firstorder.said import claim_lines, never_lines, step_lines
from checker.firstorder.theory import Theory, load_theory
from checker.firstorder.vacuous import unmet_premises
from checker.paths import encodings
from checker.rulebook.load import load_rulebook
from checker.rulebook.model import Rulebook


def run_prove(rulebook: str, wanted: Sequence[str], readings: Mapping[str, str], certificate: Path | None) -> int:
    """Examine claims, and without `wanted` ones the actions too, and print what was found.

    Returns:
        0 if all is proved, 1 if something is refuted, 3 if something is open.

    Raises:
        InputError: the rulebook, a claim or a reading is wrong, this version has no first-order encoding, or no
            game starts in it.

    """
    began = monotonic()
    book = load_rulebook(rulebook)
    theory = load_theory(folder_of(book))
    require_version(theory, book)
    chosen_readings = _readings(book, readings)
    prover = Prover(theory, switches(theory, book.version.name, chosen_readings))
    prover.require_start()
    names = _claims(theory, wanted)
    if certificate is not None:
        require_room(certificate)
    found = list(examine(prover, wanted=names))
    held = [e.claim for e in found if isinstance(e.answer, AnySize) and not e.claim.of_step]
    steps = [] if wanted else list(determine(prover, held))
    shown = [e for e in found if e.claim.name in names]
    never = never_possible(theory, held, prover.switches)
    proved = [e.claim for e in shown if isinstance(e.answer, AnySize)]
    unmet = unmet_premises(prover, proved, held)
    lines = [*claim_lines(prover, shown, unmet), *step_lines(steps), *never_lines(never)]
    lines += _unheard(theory, book, chosen_readings)
    lines.append(coverage(theory, folder_of(book)))
    click.echo("\n".join([*lines, f"{book.name} {book.version.name}: {monotonic() - began:.1f} s"]))
    if certificate is not None:
        _write(certificate, book, chosen_readings, [*(e.answer for e in found), *(s.answer for s in steps)], names)
    return _code([*(e.answer for e in shown), *(s.answer for s in steps)])


def require_version(theory: Theory, book: Rulebook) -> None:
    """Raise unless the encoding is one of the rulebook's version."""
    if theory.versions and book.version.name not in theory.versions:
        known = " and ".join(theory.versions)
        raise InputError(
            f"version {book.version.name} of {book.name} has no first-order encoding; the one there is, is of {known}"
        )


def _code(answers: Sequence[Answer | Determined]) -> int:
    if any(isinstance(answer, SmallGame | TwoOutcomes) and answer.from_start for answer in answers):
        return 1
    return 0 if all(isinstance(answer, AnySize | Settled) for answer in answers) else 3


def folder_of(book: Rulebook) -> Path:
    """Return the folder of a rulebook's first-order encoding: its own `smt`, or the shipped one of its name.

    Raises:
        InputError: there is none.

    """
    for folder in (book.folder / "smt", encodings() / "smt" / book.name):
        if folder.is_dir():
            return folder
    raise InputError(f"{book.name} has no first-order encoding, in a folder smt beside its rulebook.toml")


def recheck_theory(folder: Path, manifest: Mapping[str, Any], seconds: float) -> tuple[str, list[Checked]]:
    """Check a certificate for any number of cards against the encoding as it is here; say what it is about.

    Raises:
        CertificateError: the certificate does not stand.
        InputError: the rulebook it is about is not there, or has no such reading.

    """
    match manifest["origin"]:
        case {"theory": str(name), "readings": dict(readings)}:
            book = load_rulebook(name)
            theory = load_theory(folder_of(book))
            require_version(theory, book)
            said, due = f"{manifest['system']}, {manifest['size']}", f"{_name(book)}, {SIZE}"
            if said != due:
                raise CertificateError(f"the manifest says {said}, and is about {due}")
            chosen, usual = _readings(book, readings), _readings(book, {})
            prover = Prover(theory, switches(theory, book.version.name, chosen))
            prover.require_start()
            unusual = [f"{name}={value}" for name, value in chosen.items() if value != usual[name]]
            title = ", ".join([due, *unusual])
            return title, certify_any_size(folder, prover, _inputs(folder_of(book)), seconds)
    raise CertificateError("the manifest does not say which encoding it is about")


def _name(book: Rulebook) -> str:
    return f"{book.name}@{book.version.name}"


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


def _unheard(theory: Theory, book: Rulebook, readings: Mapping[str, str]) -> Iterator[str]:
    """Say which choices other than the default the encoding does not know of."""
    known = {name.split(".")[1] for name in theory.switches if name.startswith("reading.")}
    strange = [f"{n}={v}" for n, v in readings.items() if n not in known and v != book.readings[n].default]
    if strange:
        yield f"of no account in the encoding: {', '.join(strange)}"


def _write(
    folder: Path,
    book: Rulebook,
    readings: Mapping[str, str],
    answers: Sequence[Answer | Determined],
    names: Sequence[str],
) -> None:
    """Write one certificate of the named claims and all statements that are proved, and of all they rest on."""
    proofs = [answer for answer in answers if isinstance(answer, AnySize | Settled)]
    asked = [proof.name for proof in proofs if isinstance(proof, Settled) or proof.name in names]
    kept = closure(proofs, asked)
    written = []
    if kept:
        written.append(folder / book.name)
        write_any_size(
            written[0], _name(book), kept,
            tool=f"equipoise {__version__}", inputs=_inputs(folder_of(book)),
            origin={"theory": name_of(book), "readings": dict(readings)},
        )  # fmt: skip
    write_list(folder, written)
    claims = sum(isinstance(proof, AnySize) for proof in kept)
    click.echo(f"wrote a certificate of {claims} claims and {len(kept) - claims} statements into {folder}", err=True)


def _inputs(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in sorted(folder.glob("*.smt2"))}
