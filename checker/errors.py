"""What can be wrong with the input, said in a sentence with a place."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any


@dataclass(frozen=True, slots=True, order=True)
class Position:
    """A place in a file; line and column count from 1, 0 where unknown."""

    file: str
    line: int = 0
    column: int = 0

    def __str__(self) -> str:
        parts = [self.file, *(str(n) for n in (self.line, self.column) if n)]
        return ":".join(parts)


@dataclass(frozen=True, slots=True)
class Problem:
    """One fault of the input: where, and a sentence with the value and what was expected."""

    message: str
    position: Position | None = None

    def __str__(self) -> str:
        return f"{self.position}: {self.message}" if self.position else self.message


class EquipoiseError(Exception):
    """Base of every error this package raises on purpose.

    Whatever arguments a subclass takes, an error survives being sent from a worker process.
    """

    exit_code = 4

    def __reduce__(self) -> tuple[Any, ...]:
        """Rebuild from the message and the attributes, not by calling the subclass."""
        return _rebuild, (type(self), self.args, self.__dict__)


def _rebuild(kind: type[EquipoiseError], args: tuple[Any, ...], state: dict[str, Any]) -> EquipoiseError:
    error = kind.__new__(kind, *args)
    error.args = args
    error.__dict__.update(state)
    return error


class InputError(EquipoiseError):
    """The user's files or arguments are wrong; nothing was checked and nothing written."""

    exit_code = 2

    def __init__(self, problems: Iterable[Problem] | str, position: Position | None = None) -> None:
        listed = [Problem(problems, position)] if isinstance(problems, str) else list(problems)
        self.problems: tuple[Problem, ...] = tuple(dict.fromkeys(listed))
        super().__init__("\n".join(map(str, self.problems)))


class LimitError(EquipoiseError):
    """A limit was reached before a board could be looked at; nothing is known of it."""

    exit_code = 3


class InternalError(EquipoiseError):
    """The checker contradicts itself: engines disagree, or a trace does not replay."""


def choices(names: Iterable[str]) -> str:
    """List the values that would have been right, for the end of a message."""
    known = sorted(names)
    return "expected one of " + ", ".join(known) if known else "there is none to choose from"


def closest(name: str, names: Sequence[str]) -> str:
    """Say which known name the given one was probably meant to be, or list what there is."""
    near = get_close_matches(name, names, n=1)
    return f'did you mean "{near[0]}"?' if near else choices(names)


def counted(number: int, noun: str, plural: str = "") -> str:
    """Say a number with its noun, which is `noun` for one and `plural` (by default with an s) for any other."""
    return f"{number:,} {noun if number == 1 else plural or f'{noun}s'}"
