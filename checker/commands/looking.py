"""Commands that look at a rulebook, open it, or begin a new one."""

from __future__ import annotations

from pathlib import Path

import click

from checker.commands.options import EXIT_CODES, READINGS, RULEBOOK, pairs


@click.command()
@RULEBOOK
@click.option("--board", "-b", help="The board to ground on. Default: the first.")
@click.option(
    "--stage",
    "-s",
    default="variables",
    show_default=True,
    type=click.Choice(["facts", "rules", "variables", "actions", "graph", "readings", "boards", "properties"]),
)
@click.option("--readings", "stage", flag_value="readings", help="The same as --stage readings.")
@READINGS
def show(rulebook: str, board: str | None, stage: str, readings: tuple[str, ...]) -> int:
    """Show a stage of RULEBOOK on a board: facts, ground rules with clauses, variables, actions, ...

    The stage `graph` is the state graph of a small board, for Graphviz.
    """
    from checker.show import show_stage

    show_stage(rulebook, board, stage, pairs(readings), click.echo)
    return 0


@click.command()
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


@click.command(epilog=EXIT_CODES)
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


@click.command()
@click.argument("rulebook", required=False)
def lint(rulebook: str | None) -> int:
    """Load RULEBOOK (or all shipped ones) with every board, and report everything wrong with the files."""
    from checker.linting import run_lint

    return run_lint(rulebook)


@click.command()
@click.argument("folder", type=click.Path(file_okay=False, path_type=Path))
@click.option("--game", metavar="NAME", help="What the game is called. Default: the folder's name.")
def new(folder: Path, game: str | None) -> int:
    """Write a small rulebook of one's own into FOLDER: rules, a board, properties, a ruling, a CI workflow.

    Its check, lint and rulings pass at once; change it file by file.
    """
    from checker.ci.scaffold import run_new

    return run_new(folder, game)
