"""Options that several commands share."""

from __future__ import annotations

from collections.abc import Iterable
from math import isnan
from typing import Any

import click

from checker.errors import InputError

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


class Duration(click.FloatRange):
    """A length of time; what is not a number is refused, which no comparison would do."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        """Return the seconds, or end with a usage error."""
        seconds = float(super().convert(value, param, ctx))
        if isnan(seconds):
            self.fail(f"{value} is not a number of seconds.", param, ctx)
        return seconds


SECONDS = click.option("--seconds", type=Duration(min=0), help="Give up on a board after this long.")


MEMORY = click.option(
    "--memory", type=click.IntRange(min=64), metavar="MIB", help="Give up on a board at this much memory."
)


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


def versioned(rulebook: str | None, edition: str) -> str:
    """Return RULEBOOK@VERSION.

    Raises:
        InputError: there is no rulebook to take a version of, or it names one already.

    """
    from checker.rulebook.load import split_version

    if not rulebook or split_version(rulebook)[1]:
        raise InputError(f'--version "{edition}" needs a RULEBOOK that names no version itself')
    return f"{rulebook}@{edition}"
