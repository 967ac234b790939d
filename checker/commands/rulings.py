"""Commands that play rulings, and write them."""

from __future__ import annotations

from pathlib import Path

import click

from checker.commands.options import BOARDS, RULEBOOK, SECONDS


@click.command()
@RULEBOOK
@click.option("-k", "pattern", default="", help="Only rulings whose id contains this.")
@click.option("--lang", default="en", show_default=True, help="Language of titles.")
@click.option(
    "--folder", type=click.Path(exists=True, file_okay=False, path_type=Path), help="Play those of this folder instead."
)
def rulings(rulebook: str, pattern: str, lang: str, folder: Path | None) -> int:
    """Play the executable rulings of RULEBOOK, each under every version it names.

    With @VERSION only that version is played. Exits 1 if a ruling's game does not go as ruled.
    """
    from checker.batteries import run_rulings

    return run_rulings(rulebook, pattern, lang, folder)


@click.command()
@RULEBOOK
@BOARDS
@click.option(
    "--output", "-o", type=click.Path(file_okay=False, path_type=Path), required=True, help="Write into this folder."
)
@click.option("--jobs", "-j", type=click.IntRange(min=1), help="Boards searched at once. Default: one per core.")
@SECONDS
def generate(rulebook: str, boards: tuple[str, ...], output: Path, jobs: int | None, seconds: float | None) -> int:
    """Write rulings that cover every clause of RULEBOOK, and every two that meet in one step, shortest first.

    All boards are searched. Two clauses meet in a step if a rule of each reads it, or makes the action taken
    possible, forced or someone's to decide.

    They are written as TOML, for `equipoise rulings --folder`, and as JSON with the legal actions of each step,
    for the tests of another implementation: there `start` and `changes` say which variable has which value, `legal`
    is all that may be done before the step, and `covers` are the clauses and pairs a game is there for.

    Exits 3 if a board is not searched to the end within the limits.
    """
    from checker.mutation.command import run_generate

    return run_generate(rulebook, boards, seconds, output, jobs)
