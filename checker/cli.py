"""The command line: parse, call, render, exit."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, NoReturn

import click

from checker import __version__
from checker.engines.protocol import Limits
from checker.errors import EquipoiseError, InputError

EXIT_CODES = """\b
Exit codes:
  0  everything is as the rulebook expects
  1  a property is violated, or a known finding has vanished
  2  the command line or an input file is wrong
  3  something is undecided within the limits
  4  internal error: engines disagree, or a game does not replay
  5  hollow: something never happens on any board (only with --strict)
"""

FORMATS = ("text", "markdown", "json", "html", "sarif", "junit", "itf", "github")


@click.group(epilog=EXIT_CODES, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="equipoise")
def cli() -> None:
    """Check the attach and equip rules of a trading card game."""


RULEBOOK = click.argument("rulebook")
BOARDS = click.option(
    "--board", "-b", "boards", multiple=True, help="A board by name or file; may be repeated. Default: all."
)
READINGS = click.option(
    "--reading", "-r", "readings", multiple=True, metavar="K=V", help="Choose a reading; may be repeated."
)
ENGINE = click.option(
    "--engine", "-e", "engine_name", default="auto", show_default=True, help="auto, symbolic, explicit, asp or smt."
)
SECONDS = click.option("--seconds", type=click.FloatRange(min=0), help="Give up on a board after this long.")
MEMORY = click.option(
    "--memory", type=click.IntRange(min=64), metavar="MIB", help="Give up on a board at this much memory."
)


@cli.command(epilog=EXIT_CODES)
@click.argument("rulebook", required=False)
@BOARDS
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
@SECONDS
@MEMORY
def check(
    rulebook: str | None,
    boards: tuple[str, ...],
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
    limits = Limits(seconds, None if memory is None else memory << 20)
    request = Request(
        rulebook, boards, wanted, engine_name, pairs(readings), limits, jobs, lang, fail_fast, kept, baseline,
        certificate,
    )  # fmt: skip
    return run_check(request, form, report, strict)


@cli.command()
@click.argument("folder", type=click.Path(path_type=Path))
@click.option("--seconds", type=click.FloatRange(min=0), default=60, help="Give up on an obligation after this long.")
def certify(folder: Path, seconds: float) -> int:
    """Check the certificates in FOLDER again, with a solver that had no part in the proofs.

    The rules are built again from the rulebook, and every obligation must be the one that follows from them.

    Exits 1 if a proof does not hold, 2 if FOLDER is no certificate, 4 if anything was changed since.
    """
    from checker.certificates.command import run_certify

    return run_certify(folder, seconds)


@cli.command()
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


@cli.command()
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


@cli.command()
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
    from checker.run import Request, run_ask

    limits = Limits(seconds, None if memory is None else memory << 20)
    return run_ask(Request(rulebook, boards, (), engine_name, pairs(readings), limits, 1, lang), query)


@cli.command()
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


@cli.command()
@RULEBOOK
@click.option("-k", "pattern", default="", help="Only faults whose id contains this.")
@click.option("--lang", default="en", show_default=True, help="Language of titles.")
def bugs(rulebook: str, pattern: str, lang: str) -> int:
    """Put the faults of RULEBOOK's bugs.toml into the rules, one by one, and say which properties notice.

    Exits 1 if a fault is not caught, or escapes, other than the rulebook expects.
    """
    from checker.batteries import run_bugs

    return run_bugs(rulebook, pattern, lang)


@cli.command()
@RULEBOOK
@BOARDS
@click.option("--all", "every", is_flag=True, help="List every clause, not only the gaps.")
@click.option("--lang", default="en", show_default=True, help="Language of the clause texts.")
@click.option("--fresh", is_flag=True, help="Decide everything anew, and keep nothing.")
def coverage(rulebook: str, boards: tuple[str, ...], every: bool, lang: str, fresh: bool) -> int:
    """Say for each clause of RULEBOOK whether it is encoded, fires on a board, and is played by a ruling.

    Exits 1 if an encoded clause never fires or no ruling plays it.
    """
    from checker.batteries import asks_which_rules_fire, run_coverage
    from checker.run import Request
    from checker.store import default_path

    wanted = asks_which_rules_fire(rulebook)
    store = None if fresh else default_path()
    return run_coverage(Request(rulebook, boards, wanted, "symbolic", {}, Limits(), None, lang, store=store), every)


@cli.command()
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


@cli.command()
@click.argument("folder", type=click.Path(file_okay=False, path_type=Path))
@click.option("--game", metavar="NAME", help="What the game is called. Default: the folder's name.")
def new(folder: Path, game: str | None) -> int:
    """Write a small rulebook of one's own into FOLDER: rules, a board, properties, a ruling, a CI workflow.

    Its check, lint and rulings pass at once; change it file by file.
    """
    from checker.ci.scaffold import run_new

    return run_new(folder, game)


@cli.command()
@click.argument("left")
@click.argument("right", required=False)
@click.option("--git", metavar="REV..REV", help="Compare revisions of LEFT; an empty right end is the working tree.")
@BOARDS
@click.option(
    "--only",
    "parts",
    multiple=True,
    type=click.Choice(["clauses", "verdicts", "rulings", "behaviour", "readings"]),
    help="Compare in this part; may be repeated. Default: all.",
)
@click.option(
    "--forbid",
    multiple=True,
    type=click.Choice(["added", "removed", "changed", "verdict", "ruling"]),
    help="Exit 1 if there is such a change; may be repeated.",
)
@click.option("--engine", "-e", "engine_name", default="symbolic", show_default=True, help="As for check.")
@click.option("--format", "-f", "form", type=click.Choice(["text", "json"]), default="text", show_default=True)
@click.option("--lang", default="en", show_default=True, help="Language of titles and games.")
@click.option("--fresh", is_flag=True, help="Decide every verdict anew, and keep nothing.")
@click.option("--jobs", "-j", type=click.IntRange(min=1), help="Boards compared at once. Default: one per core.")
@SECONDS
@MEMORY
def diff(
    left: str,
    right: str | None,
    git: str | None,
    boards: tuple[str, ...],
    parts: tuple[str, ...],
    forbid: tuple[str, ...],
    engine_name: str,
    form: str,
    lang: str,
    fresh: bool,
    jobs: int | None,
    seconds: float | None,
    memory: int | None,
) -> int:
    """Say what changes from LEFT to RIGHT: clauses, verdicts, rulings, and the shortest games that differ.

    Each is RULEBOOK or RULEBOOK@VERSION, with +READING=VALUE for every reading to choose.

    Examples: equipoise diff riftbound@1.2 riftbound@1.3; equipoise diff my/rules --git main.. --forbid removed

    Exits 1 if something changed that --forbid names, 3 if that could not be decided.
    """
    from checker.compare.run import DiffRequest, run_diff
    from checker.store import default_path

    limits = Limits(seconds, None if memory is None else memory << 20)
    store = None if fresh else default_path()
    return run_diff(DiffRequest(left, right, git, boards, parts, forbid, engine_name, limits, jobs, lang, store), form)


@cli.command()
@RULEBOOK
@BOARDS
@click.option("--chapter", "-c", "files", multiple=True, metavar="FILE", help="Only rules of this file, as attach.lp.")
@click.option("--rulings/--no-rulings", default=True, show_default=True, help="Play rulings on what boards miss.")
@click.option("--sample", type=click.IntRange(min=1), default=1, metavar="N", help="Every N-th mutant of each rule.")
@click.option("--at-least", type=click.FloatRange(0, 100), metavar="PERCENT", help="Fail (1) below this score.")
@click.option("--all", "every", is_flag=True, help="List every clause, and mutants that make no difference.")
@click.option("--output", "-o", type=click.Path(dir_okay=False, path_type=Path), help="Write the result as JSON.")
@click.option("--jobs", "-j", type=click.IntRange(min=1), help="Processes. Default: one per core.")
def mutate(
    rulebook: str,
    boards: tuple[str, ...],
    files: tuple[str, ...],
    rulings: bool,
    sample: int,
    at_least: float | None,
    every: bool,
    output: Path | None,
    jobs: int | None,
) -> int:
    """Write the rules of RULEBOOK a little wrong, one fault at a time, and say which faults nobody notices.

    A fault is tried on the boards that have its rule, smallest first, then on the rulings of its clauses. A
    survivor is listed with a shortest game after which it differs, or shown to differ on no board checked.
    """
    from checker.mutation.command import run_mutate

    return run_mutate(rulebook, boards, files, rulings, sample, at_least, every, output, jobs)


@cli.command()
@RULEBOOK
@click.argument("wanted", metavar="[PROPERTY]", required=False)
@click.option("--clause", "-c", metavar="ID", help="Ask instead which properties fall without this clause.")
@BOARDS
@READINGS
@click.option("--lang", default="en", show_default=True, help="Language of titles and games.")
@click.option("--jobs", "-j", type=click.IntRange(min=1), help="Processes. Default: one per core.")
def why(
    rulebook: str,
    wanted: str | None,
    clause: str | None,
    boards: tuple[str, ...],
    readings: tuple[str, ...],
    lang: str,
    jobs: int | None,
) -> int:
    """Say which rules a PROPERTY rests on: leave out each rule alone, and see whether the verdict changes.

    With --clause all rules of that clause are left out together, and every property is asked. Each change comes
    with a shortest game.

    Example: equipoise why riftbound --clause 434.1.f --board weaponmaster
    """
    from checker.mutation.command import run_why

    return run_why(rulebook, wanted, clause, boards, pairs(readings), lang, jobs)


@cli.command()
@RULEBOOK
@BOARDS
@click.option(
    "--output", "-o", type=click.Path(file_okay=False, path_type=Path), required=True, help="Write into this folder."
)
@SECONDS
def generate(rulebook: str, boards: tuple[str, ...], output: Path, seconds: float | None) -> int:
    """Write rulings that cover every clause of RULEBOOK, and every two that meet in one step, shortest first.

    They are written as TOML, for `equipoise rulings --folder`, and as JSON with the legal actions of each step,
    for the tests of another implementation.
    """
    from checker.mutation.command import run_generate

    return run_generate(rulebook, boards, seconds, output)


@cli.command()
@RULEBOOK
@BOARDS
@click.option("--name", "-n", "names", multiple=True, help="A reading; may be repeated. Default: all no version fixes.")
@click.option("--pairs", "in_pairs", is_flag=True, help="Look at pairs of readings as well.")
@click.option("--engine", "-e", "engine_name", default="symbolic", show_default=True, help="As for check.")
@click.option("--format", "-f", "form", type=click.Choice(["text", "json"]), default="text", show_default=True)
@click.option("--lang", default="en", show_default=True, help="Language of questions and games.")
@click.option("--fresh", is_flag=True, help="Decide every verdict anew, and keep nothing.")
@click.option("--jobs", "-j", type=click.IntRange(min=1), help="Boards looked at at once. Default: one per core.")
@SECONDS
@MEMORY
def readings(
    rulebook: str,
    boards: tuple[str, ...],
    names: tuple[str, ...],
    in_pairs: bool,
    engine_name: str,
    form: str,
    lang: str,
    fresh: bool,
    jobs: int | None,
    seconds: float | None,
    memory: int | None,
) -> int:
    """Say for each reading of RULEBOOK what it breaks, what it mends, and the shortest game that shows it.

    Exits 3 if something is undecided within the limits.
    """
    from checker.compare.decide import ReadingsRequest, run_readings
    from checker.store import default_path

    limits = Limits(seconds, None if memory is None else memory << 20)
    store = None if fresh else default_path()
    request = ReadingsRequest(rulebook, boards, names, in_pairs, engine_name, limits, jobs, lang, store)
    return run_readings(request, form)


@cli.command()
@click.argument("rulebook", required=False)
def lint(rulebook: str | None) -> int:
    """Load RULEBOOK (or all shipped ones) with every board, and report everything wrong with the files."""
    from checker.run import run_lint

    return run_lint(rulebook)


@cli.command()
@RULEBOOK
@click.argument("board")
@click.option("--text", is_flag=True, help="Play in the terminal.")
@click.option("--port", type=click.IntRange(0, 65535), default=0, help="Of the page. Default: any free one.")
@READINGS
@click.option("--lang", default="en", show_default=True, help="Language of the game.")
def play(rulebook: str, board: str, text: bool, port: int, readings: tuple[str, ...], lang: str) -> int:
    """Play RULEBOOK on BOARD by hand, on a page that only this machine can open.

    Every legal action is there to take with the clauses that allow it, and on request every illegal one with what
    forbids it. The page's address holds the game.
    """
    from checker.explore.run import run_play

    return run_play(rulebook, board, pairs(readings), lang, text, port)


@cli.command(epilog=EXIT_CODES)
@RULEBOOK
@click.argument("board")
@click.option("--format", "-f", "form", type=click.Choice(["smtlib", "aiger", "btor2"]), required=True)
@click.option("--property", "-p", "wanted", multiple=True, help="A property by name; may be repeated. Default: all.")
@READINGS
@click.option("--output", "-o", type=click.Path(dir_okay=False, path_type=Path), help="Write to this file.")
@click.option("--witness", type=click.Path(path_type=Path), help="Tell the game in this file instead (- for stdin).")
def export(
    rulebook: str,
    board: str,
    form: str,
    wanted: tuple[str, ...],
    readings: tuple[str, ...],
    output: Path | None,
    witness: Path | None,
) -> int:
    """Write RULEBOOK on BOARD for other checkers: VMT-LIB, AIGER 1.9 (binary for a file .aig) or BTOR2.

    With --witness, and the same format and properties as before, read what such a checker found, confirm the game
    by replay, and tell it.
    """
    from checker.export.run import run_export, run_witness

    if witness is not None:
        return run_witness(rulebook, board, pairs(readings), wanted, form, witness)
    return run_export(rulebook, board, pairs(readings), wanted, form, output)


@cli.command()
@RULEBOOK
@click.option("--board", "-b", help="The board to ground on. Default: the first.")
@click.option(
    "--stage",
    "-s",
    default="variables",
    show_default=True,
    type=click.Choice(["facts", "rules", "variables", "actions", "graph", "readings", "boards", "properties"]),
)
@READINGS
def show(rulebook: str, board: str | None, stage: str, readings: tuple[str, ...]) -> int:
    """Show a stage of RULEBOOK on a board: facts, ground rules with clauses, variables, actions, ...

    The stage `graph` is the state graph of a small board, for Graphviz.
    """
    from checker.show import show_stage

    show_stage(rulebook, board, stage, pairs(readings), click.echo)
    return 0


def pairs(readings: Iterable[str]) -> dict[str, str]:
    """Split `name=value` arguments.

    Raises:
        InputError: one of them has no `=`.

    """
    found: dict[str, str] = {}
    for text in readings:
        name, equals, value = text.partition("=")
        if not equals:
            raise InputError(f'--reading "{text}" is not NAME=VALUE, such as equip_attach_at=resolve')
        found[name.strip()] = value.strip()
    return found


def main(arguments: list[str] | None = None) -> NoReturn:
    """Run the command line and exit with its code."""
    run: Callable[..., Any] = cli.main
    try:
        code = run(args=arguments, prog_name="equipoise", standalone_mode=False)
    except click.exceptions.Exit as stop:
        code = stop.exit_code
    except click.ClickException as error:
        error.show()
        code = 2
    except (click.Abort, KeyboardInterrupt):
        click.echo("stopped", err=True)
        code = 130
    except EquipoiseError as error:
        click.echo(f"{'error' if error.exit_code == 2 else 'internal error'}: {error}", err=True)
        code = error.exit_code
    except Exception as error:
        if os.environ.get("EQUIPOISE_TRACEBACK"):
            raise
        kind = type(error).__name__
        click.echo(f"internal error: {kind}: {error} (set EQUIPOISE_TRACEBACK=1 for the whole story)", err=True)
        code = 4
    sys.exit(code if isinstance(code, int) else 0)
