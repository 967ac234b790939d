"""Commands for whoever changes the rules: compare, cover, mutate."""

from __future__ import annotations

from dataclasses import replace
from datetime import date, datetime
from pathlib import Path

import click

from checker.commands.options import BOARDS, ENGINE, MEMORY, READINGS, RULEBOOK, SECONDS, pairs
from checker.engines.protocol import Limits


@click.command()
@click.argument("left")
@click.argument("right", required=False)
@click.option("--git", metavar="REV..REV", help="Compare revisions of LEFT; an empty right end is the working tree.")
@click.option(
    "--board",
    "-b",
    "boards",
    multiple=True,
    help="Compare on this board, by name or file, and play only the rulings on it; may be repeated. Default: all.",
)
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
@click.option("--engine", "-e", "engine_name", help="Default: as check for verdicts, symbolic for behaviour.")
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
    engine_name: str | None,
    form: str,
    lang: str,
    fresh: bool,
    jobs: int | None,
    seconds: float | None,
    memory: int | None,
) -> int:
    """Say what changes from LEFT to RIGHT: clauses, verdicts, rulings, and the shortest games that differ.

    Each is RULEBOOK or RULEBOOK@VERSION, with +READING=VALUE for every reading to choose. A reading that is new is
    no change while its default is taken: see `equipoise readings`.

    Examples: equipoise diff riftbound@1.2 riftbound@1.3; equipoise diff my/rules --git main.. --forbid removed

    Both are played in lock step: once a step goes otherwise on the two sides, nothing is looked for behind it.

    Exits 1 if something changed that --forbid names, 3 if that could not be decided.
    """
    from checker.compare.run import DiffRequest, run_diff
    from checker.store import default_path

    limits = Limits(seconds, None if memory is None else memory << 20)
    store = None if fresh else default_path()
    engines = (engine_name or "auto", engine_name or "symbolic")
    return run_diff(DiffRequest(left, right, git, boards, parts, forbid, engines, limits, jobs, lang, store), form)


@click.command()
@RULEBOOK
@BOARDS
@click.option("--name", "-n", "names", multiple=True, help="A reading; may be repeated. Default: all no version fixes.")
@click.option("--pairs", "in_pairs", is_flag=True, help="Look at pairs of readings as well.")
@click.option("--engine", "-e", "engine_name", default="symbolic", show_default=True, help="As for check.")
@click.option(
    "--format", "-f", "form", type=click.Choice(["text", "markdown", "json"]), default="text", show_default=True
)
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


@click.command()
@RULEBOOK
@click.argument("file", type=click.Path(dir_okay=False, path_type=Path))
@click.option("--reason", required=True, metavar="TEXT", help="Why these violations are accepted for now.")
@click.option(
    "--until", required=True, type=click.DateTime(["%Y-%m-%d"]), metavar="DAY", help="The last day, as 2027-01-31."
)
@BOARDS
@click.option("--property", "-p", "wanted", multiple=True, help="A property by name; may be repeated. Default: all.")
@ENGINE
@click.option("--fresh", is_flag=True, help="Decide everything anew, and keep nothing.")
@click.option("--jobs", "-j", type=click.IntRange(min=1), help="Boards checked at once. Default: one per core.")
def baseline(
    rulebook: str,
    file: Path,
    reason: str,
    until: datetime,
    boards: tuple[str, ...],
    wanted: tuple[str, ...],
    engine_name: str,
    fresh: bool,
    jobs: int | None,
) -> int:
    """Add what RULEBOOK violates and nobody expects to FILE, for `check --baseline FILE`.

    What is in FILE stays as it is. Exits 1 if an entry is past its day, or accepts what is no longer violated.

    Example: equipoise baseline my/rules baseline.toml --reason "clause 2.a is being rewritten" --until 2027-01-31
    """
    from checker.ci.accepting import run_baseline
    from checker.run import Request
    from checker.store import default_path

    store = None if fresh else default_path()
    request = Request(rulebook, boards, wanted, engine_name, {}, Limits(), jobs, store=store)
    return run_baseline(request, file, reason, until.date(), date.today())


@click.command()
@RULEBOOK
@BOARDS
@click.option("--all", "every", is_flag=True, help="List every clause, not only the gaps.")
@click.option("--min-fires", type=click.FloatRange(0, 100), metavar="PERCENT", help="Encoded clauses that must fire.")
@click.option(
    "--min-cited", type=click.FloatRange(0, 100), metavar="PERCENT", help="Encoded clauses rulings must play."
)
@click.option(
    "--min-premises", type=click.FloatRange(0, 100), metavar="PERCENT", help="Premises of properties that must be met."
)
@click.option("--lang", default="en", show_default=True, help="Language of the clause texts.")
@click.option("--fresh", is_flag=True, help="Decide everything anew, and keep nothing.")
def coverage(
    rulebook: str,
    boards: tuple[str, ...],
    every: bool,
    min_fires: float | None,
    min_cited: float | None,
    min_premises: float | None,
    lang: str,
    fresh: bool,
) -> int:
    """Say for each clause of RULEBOOK whether it is encoded, fires on a board, and is played by a ruling.

    The table counts clauses by chapter: those that are encoded, that fire on a board (fire), that a ruling plays
    (ruled), and whose properties could all have been broken (premise). A premise of a property is met where all
    conditions of what breaks it hold but one.

    Exits 1 if an encoded clause never fires or no ruling plays it; with --min-fires or --min-cited only if fewer do
    than that many percent of the encoded clauses.
    """
    from checker.batteries import asks_which_rules_fire, run_coverage
    from checker.coverage import Gate
    from checker.run import Request
    from checker.store import default_path

    store = None if fresh else default_path()
    request = Request(rulebook, boards, asks_which_rules_fire(rulebook), "symbolic", {}, Limits(), None, lang)
    return run_coverage(replace(request, store=store), every, Gate(min_fires, min_cited, min_premises))


@click.command()
@RULEBOOK
@BOARDS
@click.option("--chapter", "-c", "files", multiple=True, metavar="FILE", help="Only rules of this file, as attach.lp.")
@click.option("--rulings/--no-rulings", default=True, show_default=True, help="Play rulings on what boards miss.")
@click.option(
    "--sample", type=click.IntRange(min=1), default=1, metavar="N", help="Try only every N-th mutant of each rule."
)
@click.option("--at-least", type=click.FloatRange(0, 100), metavar="PERCENT", help="Fail (1) below this score.")
@click.option("--all", "every", is_flag=True, help="List every clause, and mutants that make no difference.")
@click.option(
    "--output",
    "-o",
    "outputs",
    multiple=True,
    type=click.Path(dir_okay=False, path_type=Path),
    help="Write the result: a page if FILE ends in .md, else JSON; may be repeated.",
    metavar="FILE",
)
@click.option("--jobs", "-j", type=click.IntRange(min=1), help="Processes. Default: one per core.")
def mutate(
    rulebook: str,
    boards: tuple[str, ...],
    files: tuple[str, ...],
    rulings: bool,
    sample: int,
    at_least: float | None,
    every: bool,
    outputs: tuple[Path, ...],
    jobs: int | None,
) -> int:
    """Write the rules of RULEBOOK a little wrong, one fault at a time, and say which faults nobody notices.

    A fault is tried on the boards on which its rule says something else, smallest first, and on the rulings. A
    survivor is listed with a shortest game after which it differs, or shown to differ on no board checked. Ctrl-C
    ends the run with what is known so far, marked as partial (130).

    In the table `same` are faults that change nothing on the boards checked, `refused` those that do not load, and
    `open` those not decided in time; the score is killed of killed, survived and open.
    """
    from checker.mutation.command import run_mutate

    return run_mutate(rulebook, boards, files, rulings, sample, at_least, every, outputs, jobs)


@click.command()
@RULEBOOK
@click.argument("wanted", metavar="[PROPERTY]", required=False)
@click.option("--clause", "-c", metavar="ID", help="Ask instead which properties fall without this clause.")
@click.option("--minimal", is_flag=True, help="Shrink what a proof leans on until no part of it suffices.")
@BOARDS
@READINGS
@click.option("--lang", default="en", show_default=True, help="Language of titles and games.")
@click.option("--jobs", "-j", type=click.IntRange(min=1), help="Processes. Default: one per core.")
def why(
    rulebook: str,
    wanted: str | None,
    clause: str | None,
    minimal: bool,
    boards: tuple[str, ...],
    readings: tuple[str, ...],
    lang: str,
    jobs: int | None,
) -> int:
    """Say which rules a PROPERTY rests on: leave out each rule alone, and see whether the verdict changes.

    With --clause all rules of that clause are left out together, and every property is asked. Each change comes
    with a shortest game.

    Where the property is proved, the clauses that the proof leans on are named, and rules outside it are not tried.

    Example: equipoise why riftbound --clause 434.1.f --board weaponmaster
    """
    from checker.mutation.command import run_why

    return run_why(rulebook, wanted, clause, boards, pairs(readings), lang, jobs, minimal)


@click.command()
@RULEBOOK
@click.option("-k", "pattern", default="", help="Only faults whose id contains this.")
@click.option("--lang", default="en", show_default=True, help="Language of titles.")
def bugs(rulebook: str, pattern: str, lang: str) -> int:
    """Put the faults of RULEBOOK's bugs.toml into the rules, one by one, and say which properties notice.

    Exits 1 if a fault is not caught, or escapes, other than the rulebook expects.
    """
    from checker.batteries import run_bugs

    return run_bugs(rulebook, pattern, lang)
