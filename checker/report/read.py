"""Read a result back from its JSON document."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from functools import cache
from pathlib import Path
from types import NoneType, UnionType
from typing import Any, cast, get_args, get_origin, get_type_hints

from checker.errors import InputError, Position
from checker.paths import PACKAGE, display
from checker.report.model import FORMAT, Document


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
    if isinstance(kind, UnionType):
        inner = next(choice for choice in get_args(kind) if choice is not NoneType)
        return None if value is None else build(inner, value)
    if isinstance(kind, type) and is_dataclass(kind):
        hints = _hints(kind)
        return kind(**{f.name: build(hints[f.name], value[f.name]) for f in fields(kind) if f.name in value})
    if get_origin(kind) is tuple:
        arguments = get_args(kind)
        if arguments[-1] is Ellipsis:
            items = value.items() if isinstance(value, Mapping) else value
            return tuple(build(arguments[0], item) for item in items)
        return tuple(build(*pair) for pair in zip(arguments, value, strict=True))
    return value


@cache
def _hints(kind: type[Any]) -> dict[str, Any]:
    return get_type_hints(kind)


@cache
def _validator() -> Any:
    from jsonschema import Draft202012Validator

    schema = PACKAGE / "schemas" / "result.schema.json"
    return Draft202012Validator(json.loads(schema.read_text(encoding="utf-8")))
