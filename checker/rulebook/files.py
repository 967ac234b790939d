"""Text files as a rulebook needs them: UTF-8, no byte order mark, numbers that clingo can hold."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from checker.errors import InputError, Position, Problem
from checker.paths import display

TOKEN = re.compile(r'"(?:\\.|[^"\\])*"|%\*.*?\*%|%[^\n]*|(?<![\w"])\d+', re.DOTALL)
INCLUDE = re.compile(r'^\s*#include\s+"([^"]+)"', re.MULTILINE)
LARGEST = 2**31 - 1
"""clingo's integers have 32 bits; it wraps larger ones around without a word (clingo User Guide, 3.1.1)."""


def read_text(path: Path) -> str:
    """Read a UTF-8 text file.

    Raises:
        InputError: the file is missing, cannot be read, is not UTF-8, or begins with a byte order mark.

    """
    try:
        content = path.read_bytes()
    except FileNotFoundError:
        raise InputError("no such file", Position(display(path))) from None
    except OSError as error:
        raise InputError(f"cannot be read: {error}", Position(display(path))) from None
    if content.startswith(b"\xef\xbb\xbf"):
        raise InputError("begins with a byte order mark; save it as UTF-8 without one", Position(display(path), 1, 1))
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError as error:
        line, column = place(content[: error.start].decode("utf-8"))
        raise InputError(
            f"the byte 0x{content[error.start]:02x} is not UTF-8; save the file as UTF-8",
            Position(display(path), line, column),
        ) from None


def number_problems(path: Path) -> Iterator[Problem]:
    """Yield every number in a file of rules, or in one it includes, that clingo cannot hold.

    Raises:
        InputError: a file cannot be read as text.

    """
    waiting, seen = [path], set[Path]()
    while waiting:
        file = waiting.pop()
        if file.resolve() in seen:
            continue
        seen.add(file.resolve())
        text = read_text(file)
        yield from (Problem(message, Position(display(file), *where)) for where, message in too_large(text))
        waiting += [found for name in INCLUDE.findall(text) if (found := file.parent / name).is_file()]


def too_large(text: str) -> Iterator[tuple[tuple[int, int], str]]:
    """Yield line, column and a sentence for every number outside comments and strings beyond 32 bits."""
    for token in TOKEN.finditer(text):
        if token[0].isdigit() and int(token[0]) > LARGEST:
            yield place(text[: token.start()]), f"{token[0]} is too large; expected a number up to {LARGEST}"


def place(before: str) -> tuple[int, int]:
    """Return line and column, from 1, of what follows `before`."""
    return before.count("\n") + 1, len(before) - (before.rfind("\n") + 1) + 1
