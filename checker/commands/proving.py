"""Commands that prove, and re-check proofs."""

from __future__ import annotations

from pathlib import Path

import click

from checker.commands.options import READINGS, RULEBOOK, pairs


@click.command()
@RULEBOOK
@click.option("--property", "-p", "wanted", multiple=True, help="A claim by name; may be repeated. Default: all.")
@READINGS
@click.option(
    "--certificate",
    type=click.Path(file_okay=False, path_type=Path),
    help="Write the proofs into this new folder, for `certify`.",
)
def prove(rulebook: str, wanted: tuple[str, ...], readings: tuple[str, ...], certificate: Path | None) -> int:
    """Prove the claims of RULEBOOK's first-order encoding for any number of cards, or refute them on a small board.

    Without @VERSION a proof holds for every version at once. Readings not chosen have their defaults.

    Exits 1 if a claim is refuted, 3 if one is left open.
    """
    from checker.firstorder.command import run_prove

    return run_prove(rulebook, wanted, pairs(readings), certificate)


@click.command()
@click.argument("folder", type=click.Path(path_type=Path))
@click.option("--seconds", type=click.FloatRange(min=0), default=60, help="Give up on an obligation after this long.")
def certify(folder: Path, seconds: float) -> int:
    """Check the certificates in FOLDER again, with a solver that had no part in the proofs.

    The rules are built again from the rulebook, and every obligation must be the one that follows from them.

    Exits 1 if a proof does not hold, 2 if FOLDER is no certificate, 4 if anything was changed since.
    """
    from checker.certificates.command import run_certify

    return run_certify(folder, seconds)
