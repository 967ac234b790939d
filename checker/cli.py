"""The command line: the group of commands, and what an error becomes."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from typing import Any, NoReturn

import click

from checker import __version__
from checker.commands import changing, checking, looking, proving, rulings
from checker.commands.options import EXIT_CODES
from checker.errors import EquipoiseError

SAID = {2: "error", 3: "undecided"}
"""How a message begins, by exit code; every other code is a fault of ours."""

COMMANDS = (
    checking.check,
    checking.ask,
    checking.report,
    checking.history,
    looking.show,
    looking.play,
    looking.export,
    looking.lint,
    looking.new,
    changing.diff,
    changing.readings,
    changing.coverage,
    changing.baseline,
    changing.mutate,
    changing.why,
    changing.bugs,
    rulings.rulings,
    rulings.generate,
    proving.prove,
    proving.certify,
)


@click.group(epilog=EXIT_CODES, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="equipoise")
def cli() -> None:
    """Check the attach and equip rules of a trading card game."""


for command in COMMANDS:
    cli.add_command(command)


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
        click.echo(f"{SAID.get(error.exit_code, 'internal error')}: {error}", err=True)
        code = error.exit_code
    except Exception as error:
        if os.environ.get("EQUIPOISE_TRACEBACK"):
            raise
        kind = type(error).__name__
        click.echo(f"internal error: {kind}: {error} (set EQUIPOISE_TRACEBACK=1 for the whole story)", err=True)
        code = 4
    sys.exit(code if isinstance(code, int) else 0)
