"""Read a result back from its JSON document."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import fields, is_dataclass
from functools import cache, cached_property
from pathlib import Path
from types import NoneType, UnionType
from typing import Any, TypeAlias, cast, get_args, get_origin, get_type_hints

from checker.errors import InputError, Position
from checker.paths import PACKAGE, display
from checker.report.model import FORMAT, Document

Builder: TypeAlias = Callable[[Any], Any]
"""Makes a value of one type from a plain value."""


def read_document(path: Path) -> Document:
    """Read a `result.json`.

    Raises:
        InputError: the file cannot be read, is no JSON, or is no result of this format.

    """
    try:
        plain = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"cannot be read: {error}", Position(display(path))) from None
    except json.JSONDecodeError as error:
        raise InputError(f"not JSON: {error.msg}", Position(display(path), error.lineno, error.colno)) from None
    except RecursionError:
        raise InputError("not a result: nested too deep", Position(display(path))) from None
    return from_plain(plain, display(path))


def from_plain(plain: Any, file: str = "result.json") -> Document:
    """Return the document that `json_.to_plain` made plain.

    Raises:
        InputError: it is not one; `file` is said to be where it stands.

    """
    if isinstance(plain, Mapping) and "format" in plain and plain["format"] != FORMAT:
        message = f"the result has format {plain['format']!r}; this version of equipoise reads {FORMAT}"
        raise InputError(message, Position(file))
    for error in _validator().iter_errors(plain):
        where = "/".join(map(str, error.absolute_path)) or "the document"
        raise InputError(f"not a result: {where}: {error.message[:200]}", Position(file))
    facts = {(entry["rulebook"], entry["board"]): entry for entry in plain["run"]["boards"]}
    for book in plain["rulebooks"]:
        for board in book["boards"]:
            fact = facts.get((book["name"], board["board"]), {})
            board |= {"seconds": fact.get("seconds", 0.0), "details": fact.get("details", {})}
    return cast(Document, build(Document, plain))


def build(kind: Any, value: Any) -> Any:
    """Return a plain value as one of `report.model`'s types; pairs may come as a dictionary.

    Raises:
        KeyError, TypeError, ValueError: it is not one.

    """
    return _builder(kind)(value)


@cache
def _builder(kind: Any) -> Builder:
    """Return what builds a type: types are looked into once, values without end."""
    if isinstance(kind, UnionType):
        inner = _builder(next(choice for choice in get_args(kind) if choice is not NoneType))
        return lambda value: None if value is None else inner(value)
    if isinstance(kind, type) and is_dataclass(kind):
        return _Fields(kind)
    if get_origin(kind) is not tuple:
        return _as_it_is
    arguments = get_args(kind)
    if arguments[-1] is Ellipsis:
        each = _builder(arguments[0])
        return lambda value: tuple(map(each, value.items() if isinstance(value, Mapping) else value))
    ways = tuple(map(_builder, arguments))
    return lambda value: tuple(way(item) for way, item in zip(ways, value, strict=True))


def _as_it_is(value: Any) -> Any:
    return value


class _Fields:
    """Builds a dataclass, which may hold others of its kind: so its fields are looked into with the first value."""

    def __init__(self, kind: type[Any]) -> None:
        self.kind = kind

    def __call__(self, value: Any) -> Any:
        return self.kind(**{name: build_one(value[name]) for name, build_one in self._fields if name in value})

    @cached_property
    def _fields(self) -> tuple[tuple[str, Builder], ...]:
        hints = get_type_hints(self.kind)
        return tuple((field.name, _builder(hints[field.name])) for field in fields(self.kind))


@cache
def _validator() -> Any:
    from jsonschema import Draft202012Validator

    schema = PACKAGE / "schemas" / "result.schema.json"
    return Draft202012Validator(json.loads(schema.read_text(encoding="utf-8")))
