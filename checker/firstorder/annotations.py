"""Read the annotations of a VMT-LIB text; what they annotate is left to a solver's own parser."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TypeAlias

from checker.errors import InputError, Position

Term: TypeAlias = "str | list[Term]"
"""An S-expression: a token, or a list of S-expressions."""

_TOKEN = re.compile(r';[^\n]*|"(?:[^"]|"")*"|\|[^|]*\||[()]|[^\s()";|]+')
_CLAUSE = re.compile(r"\b\d{3}(?:\.\d+)?(?:\.[a-z0-9]+)*\b")


@dataclass(frozen=True, slots=True)
class Definition:
    """One `define-fun` with its annotations.

    params: names and sorts of its parameters. clauses: what the comments above and in it cite. attributes: the
    annotations of its body, without the colons. body: the S-expression they annotate.
    """

    name: str
    params: tuple[tuple[str, str], ...]
    clauses: tuple[str, ...]
    attributes: Mapping[str, str]
    line: int
    body: Term


@dataclass(frozen=True, slots=True)
class Annotated:
    """A text as a solver reads it, without annotations, and the definitions that had some."""

    plain: str
    definitions: tuple[Definition, ...]
    constants: tuple[str, ...]


def read_annotations(text: str, file: str = "") -> Annotated:
    """Split an SMT-LIB 2 text into plain SMT-LIB and the annotations of its definitions.

    Raises:
        InputError: a bracket is not closed, or closed but not open.

    """
    commands, definitions, constants = [], [], []
    for command, line, comment in _commands(text, file):
        if isinstance(command, list) and command[0] == "define-fun":
            definition, command = _definition(command, line, comment)
            definitions.append(definition)
        elif isinstance(command, list) and command[0] == "declare-const":
            constants.append(str(command[1]))
        commands.append(write(command))
    return Annotated("\n".join(commands) + "\n", tuple(definitions), tuple(constants))


def write(term: Term) -> str:
    """Write an S-expression."""
    return term if isinstance(term, str) else f"({' '.join(map(write, term))})"


def _commands(text: str, file: str) -> Iterator[tuple[Term, int, str]]:
    """Yield each command with its line and the comment in it and directly above it."""
    stack: list[list[Term]] = []
    comment, start, end = "", 0, 0
    for match in _TOKEN.finditer(text):
        token = match.group()
        line = text.count("\n", 0, match.start()) + 1
        if not stack and "\n\n" in text[end : match.start()]:
            comment = ""
        end = match.end()
        if token.startswith(";"):
            comment += f"{token.lstrip('; ')}\n"
        elif token == "(":
            start = start if stack else line
            stack.append([])
        elif token == ")":
            if not stack:
                raise InputError("a bracket is closed that is not open", Position(file, line))
            done = stack.pop()
            if stack:
                stack[-1].append(done)
            else:
                yield done, start, comment
                comment = ""
        elif stack:
            stack[-1].append(token)
    if stack:
        raise InputError("a bracket is not closed", Position(file, start))


def _definition(command: list[Term], line: int, comment: str) -> tuple[Definition, Term]:
    """Return a definition's annotations, and the command without them."""
    head, name, params, sort, body = command
    attributes: dict[str, str] = {}
    if isinstance(body, list) and body[0] == "!":
        _, body, *rest = body
        attributes = {str(k).lstrip(":"): write(v) for k, v in zip(rest[::2], rest[1::2], strict=True)}
    pairs = tuple((str(param[0]), write(param[1])) for param in params if isinstance(param, list))
    clauses = tuple(dict.fromkeys(_CLAUSE.findall(comment)))
    return Definition(str(name), pairs, clauses, attributes, line, body), [head, name, params, sort, body]
