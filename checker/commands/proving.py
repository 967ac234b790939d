"""Commands that prove, and re-check proofs."""

from __future__ import annotations

from pathlib import Path

import click

from checker.commands.options import READINGS, RULEBOOK, Duration, pairs
from checker.errors import InputError


@click.command()
@RULEBOOK
@click.option(
    "--property", "-p", "wanted", multiple=True, help="A claim, or with --board a property, by name; may be repeated."
)
@click.option(
    "--board",
    "-b",
    "boards",
    multiple=True,
    help="Prove on this board instead, by name or file; may be repeated.",
)
@click.option(
    "--equivalence",
    is_flag=True,
    help="Instead, prove that the rules take the same steps, on the small boards beside the encoding.",
)
@READINGS
@click.option(
    "--certificate",
    type=click.Path(file_okay=False, path_type=Path),
    help="Write the proofs into this new folder, for `certify`.",
)
def prove(
    rulebook: str,
    wanted: tuple[str, ...],
    boards: tuple[str, ...],
    equivalence: bool,
    readings: tuple[str, ...],
    certificate: Path | None,
) -> int:
    """Prove the claims of RULEBOOK's first-order encoding for any number of cards, or refute them on a small board.

    Beside the claims, unless some are named: does each action have one outcome, and does the order of simultaneous
    steps matter. Of a proved claim it is said if its premise can never be met. With --board the same is asked of the
    rules on a board; with --board and --property, a property is proved there by induction, and a board on which plain
    induction fails is shown. Without @VERSION the version is the rulebook's default. Readings not chosen have their
    defaults.

    Examples: equipoise prove riftbound@1.4 -p two_cards; equipoise prove riftbound -b weaponmaster_twice

    Exits 1 if a claim is refuted, an outcome is not determined, or the encodings differ; 3 if something is left open.
    """
    chosen = pairs(readings)
    if equivalence:
        from checker.equivalence.command import run_equivalence

        if wanted or boards or certificate is not None:
            raise InputError("--equivalence compares whole encodings; name no --property, --board or --certificate")
        return run_equivalence(rulebook, chosen)
    if boards:
        from checker.outcomes.command import run_outcomes
        from checker.outcomes.induction import run_induction

        if wanted and certificate is not None:
            raise InputError("certificates of properties on a board come from check --certificate")
        if wanted:
            return run_induction(rulebook, boards, wanted, chosen)
        return run_outcomes(rulebook, boards, chosen, certificate)
    from checker.firstorder.command import run_prove

    return run_prove(rulebook, wanted, chosen, certificate)


@click.command()
@click.argument("folder", type=click.Path(path_type=Path))
@click.option("--seconds", type=Duration(min=0), default=60, help="Give up on an obligation after this long.")
def certify(folder: Path, seconds: float) -> int:
    """Check the certificates in FOLDER again, with a solver that had no part in the proofs.

    The rules are built again from the rulebook, and every obligation must be the one that follows from them.

    Exits 1 if a proof does not hold, 2 if FOLDER is no certificate, 3 if one was not decided, 4 if anything was changed
    since.
    """
    from checker.certificates.command import run_certify

    return run_certify(folder, seconds)
