"""Read the annotations of a VMT-LIB text; what they annotate is left to a solver's own parser."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import TypeAlias

from checker.errors import InputError, Position

Term: TypeAlias = "str | list[Term]"
"""An S-expression: a token, or a list of S-expressions. A comment inside one is a `Note`."""


class Note(str):
    """A comment among the terms that it stands above; no term itself."""

    __slots__ = ()


_TOKEN = re.compile(r';[^\n]*|"(?:[^"]|"")*"|\|[^|]*\||[()]|[^\s()";|]+')
_CLAUSE = re.compile(r"\b\d{3}(?:\.\d+)?(?:\.[a-z0-9]+)*\b")


@dataclass(frozen=True, slots=True)
class Definition:
    """One `define-fun` with its annotations.

    params: names and sorts of its parameters. clauses: what the comments above and in it cite, `head`: what those
    above it do. attributes: the annotations of its body, without the colons. body: the S-expression they
    annotate; `noted`: the same with the comments in it.
    """

    name: str
    params: tuple[tuple[str, str], ...]
    clauses: tuple[str, ...]
    head: tuple[str, ...]
    attributes: Mapping[str, str]
    line: int
    body: Term
    noted: Term


@dataclass(frozen=True, slots=True)
class Annotated:
    """A text as a solver reads it, without annotations, and what it defines, declares and says of itself."""

    plain: str
    definitions: tuple[Definition, ...]
    constants: tuple[str, ...]
    info: Mapping[str, str]


def read_annotations(text: str, file: str = "") -> Annotated:
    """Split an SMT-LIB 2 text into plain SMT-LIB and the annotations of its definitions.

    Raises:
        InputError: a bracket is not closed, or closed but not open.

    """
    commands, definitions, constants = [], [], []
    info: dict[str, str] = {}
    for noted, line, head in _commands(text, file):
        command = bare(noted)
        match command:
            case ["define-fun", *_]:
                definition, command = _definition(noted, line, head)
                definitions.append(definition)
            case ["declare-const", str(name), _]:
                constants.append(name)
            case ["set-info", str(key), str(value)]:
                info[key.lstrip(":")] = value.strip('"')
        commands.append(write(command))
    return Annotated("\n".join(commands) + "\n", tuple(definitions), tuple(constants), info)


def bare(term: Term) -> Term:
    """Return an S-expression without the comments in it."""
    return term if isinstance(term, str) else [bare(part) for part in term if not isinstance(part, Note)]


def notes(term: Term) -> Iterator[Note]:
    """Yield the comments in an S-expression."""
    if isinstance(term, Note):
        yield term
    elif isinstance(term, list):
        for part in term:
            yield from notes(part)


def cited(comments: Iterable[str]) -> tuple[str, ...]:
    """Return the clauses that comments cite."""
    return tuple(dict.fromkeys(clause for comment in comments for clause in _CLAUSE.findall(comment)))


def write(term: Term) -> str:
    """Write an S-expression."""
    return term if isinstance(term, str) else f"({' '.join(map(write, term))})"


def _commands(text: str, file: str) -> Iterator[tuple[Term, int, str]]:
    """Yield each command, comments in it as notes, with its line and the comment directly above it."""
    stack: list[list[Term]] = []
    head, start, end = "", 0, 0
    for match in _TOKEN.finditer(text):
        token = match.group()
        line = text.count("\n", 0, match.start()) + 1
        if not stack and "\n\n" in text[end : match.start()]:
            head = ""
        end = match.end()
        if token.startswith(";") and not stack:
            head += f"{token.lstrip('; ')}\n"
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
                yield done, start, head
                head = ""
        elif stack:
            stack[-1].append(Note(token.lstrip("; ")) if token.startswith(";") else token)
    if stack:
        raise InputError("a bracket is not closed", Position(file, start))


def _definition(noted: Term, line: int, comment: str) -> tuple[Definition, Term]:
    """Return a definition with its annotations, and the command without them and without comments."""
    parts = [part for part in noted if not isinstance(part, Note)]
    head, name, params, sort, inner = parts
    attributes: dict[str, str] = {}
    if isinstance(inner, list) and bare(inner)[0] == "!":
        _, inner, *rest = (part for part in inner if not isinstance(part, Note))
        attributes = {str(k).lstrip(":"): write(v) for k, v in zip(rest[::2], rest[1::2], strict=True)}
    pairs = tuple((str(param[0]), write(param[1])) for param in bare(params) if isinstance(param, list))
    body = bare(inner)
    clauses = cited([comment, *notes(noted)])
    definition = Definition(str(name), pairs, clauses, cited([comment]), attributes, line, body, inner)
    return definition, [head, name, bare(params), sort, body]
