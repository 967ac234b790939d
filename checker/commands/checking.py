"""Commands that check: every property on every board, or one question."""

from __future__ import annotations

from pathlib import Path

import click

from checker.commands.options import (
    BOARDS,
    ENGINE,
    EXIT_CODES,
    FORMATS,
    MEMORY,
    READINGS,
    RULEBOOK,
    SECONDS,
    pairs,
    versioned,
)
from checker.engines.protocol import Limits


@click.command(epilog=EXIT_CODES)
@click.argument("rulebook", required=False)
@BOARDS
@click.option("--version", "edition", help="The version of RULEBOOK; the same as RULEBOOK@VERSION.")
@click.option("--property", "-p", "wanted", multiple=True, help="A property by name; may be repeated. Default: all.")
@ENGINE
@READINGS
@click.option("--format", "-f", "form", type=click.Choice(FORMATS), default="text", show_default=True)
@click.option("--report", type=click.Path(file_okay=False, path_type=Path), help="Write reports into this folder.")
@click.option("--lang", default="en", show_default=True, help="Language of the report.")
@click.option("--strict", is_flag=True, help="Fail (5) if a rule, an action or a wanted situation never happens.")
@click.option("--fail-fast", "-x", is_flag=True, help="Begin no further board after the first violation.")
@click.option("--store", type=click.Path(dir_okay=False, path_type=Path), help="Where verdicts are kept between runs.")
@click.option("--fresh", is_flag=True, help="Decide everything anew, and keep nothing.")
@click.option(
    "--baseline", type=click.Path(dir_okay=False, path_type=Path), help="A file of violations accepted for now."
)
@click.option("--jobs", "-j", type=click.IntRange(min=1), help="Boards checked at once. Default: one per core.")
@click.option(
    "--certificate",
    type=click.Path(file_okay=False, path_type=Path),
    help="Write a proof of everything that holds into this new folder, for `certify`.",
)
@click.option(
    "--counterexamples",
    type=click.IntRange(min=1),
    default=1,
    show_default=True,
    metavar="N",
    help="Show up to N different games for each violation, shortest first.",
)
@click.option("--minimal", is_flag=True, help="Show each violation on as few of the board's cards as it takes.")
@SECONDS
@MEMORY
def check(
    rulebook: str | None,
    boards: tuple[str, ...],
    edition: str | None,
    wanted: tuple[str, ...],
    engine_name: str,
    readings: tuple[str, ...],
    form: str,
    report: Path | None,
    lang: str,
    strict: bool,
    fail_fast: bool,
    store: Path | None,
    fresh: bool,
    baseline: Path | None,
    jobs: int | None,
    certificate: Path | None,
    counterexamples: int,
    minimal: bool,
    seconds: float | None,
    memory: int | None,
) -> int:
    """Check every property of RULEBOOK on every board.

    RULEBOOK is a shipped rulebook's name or the folder of your own, optionally with @VERSION. Without it
    every shipped rulebook is checked.
    """
    from checker.run import Request, run_check
    from checker.store import default_path

    kept = None if fresh else store or default_path()
    if edition is not None:
        rulebook = versioned(rulebook, edition)
    limits = Limits(seconds, None if memory is None else memory << 20, games=counterexamples)
    request = Request(
        rulebook, boards, wanted, engine_name, pairs(readings), limits, jobs, lang, fail_fast, kept, baseline,
        certificate, minimal,
    )  # fmt: skip
    return run_check(request, form, report, strict)


@click.command()
@RULEBOOK
@click.argument("query")
@BOARDS
@ENGINE
@READINGS
@click.option("--lang", default="en", show_default=True, help="Language of the answer.")
@SECONDS
@MEMORY
def ask(
    rulebook: str,
    query: str,
    boards: tuple[str, ...],
    engine_name: str,
    readings: tuple[str, ...],
    lang: str,
    seconds: float | None,
    memory: int | None,
) -> int:
    """Ask whether a board with these literals is reachable, and show a shortest game to it.

    Example: equipoise ask riftbound 'attached(G, U), controls(P, G), not controls(P, U)'

    Exits 0 if such a board is reachable, 1 if none is.
    """
    from checker.ask import run_ask
    from checker.run import Request

    limits = Limits(seconds, None if memory is None else memory << 20)
    return run_ask(Request(rulebook, boards, (), engine_name, pairs(readings), limits, 1, lang), query)


@click.command()
@click.argument("result", type=click.Path(path_type=Path))
@click.option("--format", "-f", "form", type=click.Choice(FORMATS), default="html", show_default=True)
@click.option("--board", "-b", "boards", multiple=True, help="A board by name; may be repeated. Default: all.")
@click.option("--property", "-p", "wanted", multiple=True, help="A property by name; may be repeated. Default: all.")
@click.option(
    "--output",
    "-o",
    type=click.Path(path_type=Path),
    help="Write to this file; with itf, a file for each game into this folder.",
)
def report(result: Path, form: str, boards: tuple[str, ...], wanted: tuple[str, ...], output: Path | None) -> int:
    """Render RESULT, the JSON of an earlier check, in another form; nothing is checked again.

    Example: equipoise check riftbound -f json > result.json; equipoise report result.json -o report.html
    """
    from checker.run import run_report

    return run_report(result, form, boards, wanted, output)


@click.command()
@RULEBOOK
@BOARDS
@click.option("--property", "-p", "wanted", multiple=True, help="A property by name; may be repeated. Default: all.")
@click.option("--all", "every", is_flag=True, help="List every run, not only those in which something moved.")
@click.option("--store", type=click.Path(dir_okay=False, path_type=Path), help="Where verdicts are kept between runs.")
def history(rulebook: str, boards: tuple[str, ...], wanted: tuple[str, ...], every: bool, store: Path | None) -> int:
    """Say how the verdicts of RULEBOOK and its numbers of reachable boards moved from one check to the next."""
    from checker.ci.history import run_history
    from checker.store import default_path

    return run_history(rulebook, store or default_path(), boards, wanted, every)
