"""The command `play`."""

from __future__ import annotations

import sys
from collections.abc import Mapping

import click

from checker.explore.table import lay


def run_play(rulebook: str, board: str, readings: Mapping[str, str], language: str, text: bool, port: int) -> int:
    """Play on a local page, or in the terminal, until stopped; 0 in the end.

    Raises:
        InputError: a file is wrong, or the port is taken.

    """
    table = lay(rulebook, board, readings, language)
    if text:
        from checker.explore.terminal import Session

        Session(table, click.echo).run(sys.stdin)
        return 0
    from checker.explore.server import Explorer

    with Explorer(table, port) as server:
        click.echo(f"{server.address} (stop with Ctrl-C)")
        server.serve_forever()
    return 0
