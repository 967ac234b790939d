"""The work of `mutate`, `why` and `generate`: choose, run, print, and return an exit code."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

import click

from checker.errors import InputError
from checker.mutation.campaign import Plan, run
from checker.mutation.generate import LATE, generate
from checker.mutation.page import to_markdown
from checker.mutation.score import score, to_json, to_text, write_text
from checker.mutation.suite import require_passing, rulings_of, to_toml
from checker.mutation.suite import to_json as games_json
from checker.mutation.why import falls, needs
from checker.mutation.why import to_text as why_text
from checker.paths import require_writable
from checker.pipeline import read_rules
from checker.rulebook.load import load_board, load_rulebook
from checker.rulebook.model import Rulebook


def run_mutate(
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
    """Try the mutants, print the scores; 1 if the score is below `at_least` percent, 130 if interrupted, else 0.

    What is written is a page for a file that ends in .md, else JSON; of an interrupted run it says that it is partial.

    Raises:
        InputError: the rulebook, a board or a file is wrong, or a result cannot be written where it should be.

    """
    book = load_rulebook(rulebook)
    encoding = read_rules(book)
    chosen = _boards(book, boards)
    plan = Plan(_full_name(book), chosen, files, rulings, sample, jobs or os.cpu_count() or 1)
    for path in outputs:
        require_writable(path.parent, "the result")
    ran = run(plan)
    click.echo(to_text(book, plan, ran, every), nl=False)
    for path in outputs:
        write_text(path, to_markdown(book, plan, ran) if path.suffix == ".md" else to_json(book, encoding, plan, ran))
        click.echo(f"wrote {path}", err=True)
    if not ran.whole:
        return 130
    reached = score(ran.tried).percent
    return 1 if at_least is not None and reached is not None and reached < at_least else 0


def _full_name(book: Rulebook) -> str:
    return f"{book.path}@{book.version.name}"


def _boards(book: Rulebook, named: tuple[str, ...]) -> tuple[str, ...]:
    """Return the boards to use, all of them unless some are named.

    Raises:
        InputError: there is no such board, or the rulebook has none.

    """
    for name in named:
        load_board(book, name)
    chosen = named or book.board_names()
    if not chosen:
        raise InputError(f"{book.name} has no board")
    return chosen


def run_why(
    rulebook: str,
    wanted: str | None,
    clause: str | None,
    boards: tuple[str, ...],
    readings: Mapping[str, str],
    language: str,
    jobs: int | None,
    minimal: bool = False,
) -> int:
    """Print which rules a property needs, or which properties fall without a clause; always 0.

    Raises:
        InputError: there is no such property, clause, board or language, or not exactly one of the two is given.

    """
    book = load_rulebook(rulebook)
    book.require_language(language)
    chosen = tuple(readings.items())
    workers = jobs or os.cpu_count() or 1
    if clause is not None and wanted is None:
        found = falls(_full_name(book), clause, _boards(book, boards), chosen, language, workers)
    elif wanted is not None and clause is None:
        found = needs(_full_name(book), wanted, _boards(book, boards), chosen, language, workers, minimal)
    else:
        raise InputError("name either a PROPERTY or a --clause")
    click.echo(why_text(book, found, language), nl=False)
    return 0


def run_generate(rulebook: str, boards: tuple[str, ...], seconds: float | None, folder: Path, jobs: int | None) -> int:
    """Write games that cover clauses and pairs of them as TOML and JSON, and say what they cover.

    0, or 3 if a board is not searched to the end.

    Raises:
        InputError: the rulebook or a board is wrong.
        InternalError: a game does not go as it was found; then nothing was written.

    """
    book = load_rulebook(rulebook)
    encoding = read_rules(book)
    chosen = sorted(_boards(book, boards), key=lambda name: (len(load_board(book, name).objects), name))
    require_writable(folder, "the result")
    games, left = generate(_full_name(book), chosen, seconds, jobs or os.cpu_count() or 1)
    for board, what in left.items():
        click.echo(f"{board}: left out {what}", err=True)
    path = folder / f"{book.name}_{book.version.name.replace('.', '_')}.toml"
    rulings = rulings_of(book, games, path)
    require_passing(book, encoding, rulings)
    folder.mkdir(parents=True, exist_ok=True)
    path.write_text(to_toml(book, rulings), encoding="utf-8")
    path.with_suffix(".json").write_text(games_json(book, games), encoding="utf-8")
    targets = [target for game in games for target in game.covers]
    firing = {clause for source in encoding.sources for clause in source.clauses}
    clauses = {target[0] for target in targets if len(target) == 1}
    click.echo(
        f"{len(games)} games cover {len(clauses)} of {len(firing)} clauses with rules and "
        f"{len(targets) - len(clauses)} pairs of clauses"
    )
    missing = ", ".join(sorted(firing - clauses))
    if missing:
        click.echo(f"in no game: {missing}")
    click.echo(f"wrote {path} and {path.with_suffix('.json').name}", err=True)
    return 3 if LATE in left.values() else 0
