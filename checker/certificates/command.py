"""The work of `check --certificate` and of `certify`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from pathlib import Path

import click

from checker.certificates.board import Certified, certify_board
from checker.certificates.folder import KINDS, certify, check_bytes, read_manifest
from checker.certificates.invariant import CertificateError, NotHeldError, UndecidedError
from checker.certificates.origin import Built, Origin, from_manifest, origin_of
from checker.certificates.recheck import Checked
from checker.certificates.shelf import certificates_in, write_list
from checker.engines.protocol import Limits
from checker.errors import counted
from checker.report.model import BoardReport, Document
from checker.rulebook.load import load_board, load_rulebook

INDUCTION = frozenset({"initial", "preserved"})
"""Obligations that say nothing of a fault."""

HELD = frozenset({"holds", "finding vanished"})
"""The statuses of properties that hold."""


def write_certificates(
    folder: Path, rulebooks: Sequence[str], boards: Sequence[str], document: Document, limits: Limits
) -> None:
    """Write a certificate for everything that holds, and say on stderr what has none.

    Args:
        folder: where to; certificates go into <rulebook>/<board>/<property>.
        rulebooks: the rulebooks of the document, as they were asked for.
        boards: the boards that were asked for by name or file; none means all.
        document: what was found out.
        limits: what the proofs of one board may take.

    Raises:
        InternalError: what is said to hold does not.

    """
    done: list[Certified] = []
    for name, checked in zip(rulebooks, document.rulebooks, strict=True):
        book = load_rulebook(name)
        layouts = {board.name: board for board in (load_board(book, b) for b in boards or book.board_names())}
        for report in checked.boards:
            origin = origin_of(book, layouts[report.board], dict(report.readings))
            done += _certify(folder / book.name / report.board, origin, report, limits)
    written = [item.folder for item in done if item.folder is not None]
    write_list(folder, written)
    told = f"{counted(len(written), 'certificate')} of {counted(len(done), 'verdict')}"
    click.echo(f"wrote {told} into {folder}", err=True)


def _certify(folder: Path, origin: Origin, report: BoardReport, limits: Limits) -> list[Certified]:
    kinds = {kind.value for kind in KINDS}
    goals = [p.name for p in report.properties if p.kind in kinds and p.status in HELD]
    found = certify_board(folder, origin, goals, limits) if goals else []
    for item in found:
        if item.folder is None:
            click.echo(f"{report.board}: no certificate of {item.goal}: {item.how}", err=True)
    return found


def run_certify(folder: Path, seconds: float) -> int:
    """Check every certificate of a folder again and print a line for each; the worst of their exit codes.

    Raises:
        InputError: the folder holds no certificate, or the rules it is about are not there.

    """
    code = 0
    build = lru_cache(maxsize=1)(Origin.build)
    try:
        certificates = certificates_in(folder)
    except CertificateError as error:
        click.echo(f"{'CHANGED':<8} {error}")
        return error.exit_code
    for path in certificates:
        name = path.relative_to(folder).as_posix()
        try:
            title, checked = _check(path, build, seconds)
        except CertificateError as error:
            click.echo(f"{_WORD.get(error.exit_code, 'CHANGED'):<8} {name}: {error}")
            code = max(code, error.exit_code, key=_WORSE.index)
            continue
        names = ", ".join(item.name for item in checked)
        silent = "" if {item.name for item in checked} - INDUCTION else "; no rule on this board can show the fault"
        click.echo(f"{'holds':<8} {title}: {names}{silent} ({sum(item.seconds for item in checked):.2f} s)")
    return code


_WORD = {NotHeldError.exit_code: "FAILED", UndecidedError.exit_code: "OPEN"}

_WORSE = (0, UndecidedError.exit_code, NotHeldError.exit_code, CertificateError.exit_code)
"""The exit codes, the worst last."""


def _check(folder: Path, build: Callable[[Origin], Built], seconds: float) -> tuple[str, list[Checked]]:
    """Check one certificate against the rules as they are here."""
    manifest = read_manifest(folder)
    check_bytes(folder, manifest)
    if "theory" in manifest["origin"]:
        from checker.firstorder.command import recheck_theory

        return recheck_theory(folder, manifest, seconds)
    built = build(from_manifest(manifest["origin"]))
    checked = certify(folder, built.system, built.inputs, seconds)
    return ", ".join([f"{manifest['system']} {manifest['goal']}", *built.unusual]), checked
