"""TOML files against JSON Schemas, with a line and column for every fault."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from checker.errors import InputError, Position, Problem
from checker.paths import PACKAGE, display
from checker.rulebook.files import read_text

if TYPE_CHECKING:
    from jsonschema import ValidationError
    from tree_sitter import Node

TYPE_NAMES = {
    "object": "a table",
    "array": "a list",
    "string": "a string",
    "integer": "a whole number",
    "number": "a number",
    "boolean": "true or false",
}


def read_toml(path: Path, schema: str | Path) -> dict[str, Any]:
    """Read `path` and validate it.

    Args:
        path: the TOML file.
        schema: a name in `checker/schemas` (without `.schema.json`) or the path of a JSON Schema.

    Raises:
        InputError: the file is missing, is not TOML (https://toml.io/en/v1.0.0) or breaks the schema.

    """
    text = read_text(path)
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise InputError([_syntax_problem(path, error)]) from None
    problems = schema_problems(path, data, schema)
    if problems:
        raise InputError(problems)
    return data


def schema_problems(path: Path, data: Any, schema: str | Path, under: Sequence[str | int] = ()) -> list[Problem]:
    """Return what breaks `schema` in `data`, the part of the file at the keys `under`, by line."""
    errors = _validator(_schema_path(schema)).iter_errors(data)
    problems = [_schema_problem(path, error, under) for error in errors]
    return sorted(problems, key=lambda p: p.position or Position(""))


def position(path: Path, keys: Sequence[str | int]) -> Position:
    """Return where the value at `keys` stands in the TOML file (the nearest enclosing place that exists)."""
    line, column = _locate(path.read_bytes(), keys)
    return Position(display(path), line, column)


def _schema_path(schema: str | Path) -> Path:
    return schema if isinstance(schema, Path) else PACKAGE / "schemas" / f"{schema}.schema.json"


@cache
def _validator(schema: Path) -> Any:
    from jsonschema import Draft202012Validator

    return Draft202012Validator(json.loads(schema.read_text(encoding="utf-8")))


def _syntax_problem(path: Path, error: tomllib.TOMLDecodeError) -> Problem:
    import re

    message = str(error)
    found = re.search(r"\(at line (\d+), column (\d+)\)$", message)
    line, column = (int(found[1]), int(found[2])) if found else (0, 0)
    return Problem(f"not TOML: {message.split(' (at ')[0]}", Position(display(path), line, column))


def _schema_problem(path: Path, error: ValidationError, under: Sequence[str | int]) -> Problem:
    keys: list[str | int] = [*under, *error.absolute_path]
    if error.validator == "additionalProperties" and isinstance(error.instance, Mapping):
        known = _known_keys(error)
        extra = [k for k in error.instance if k not in known]
        keys.append(extra[0])
    return Problem(_sentence(error, keys), position(path, keys))


def _sentence(error: ValidationError, keys: Sequence[str | int]) -> str:
    """Say a schema fault for someone who never saw a schema."""
    place = ".".join(map(str, keys)) or "the file"
    value = json.dumps(error.instance, ensure_ascii=False, default=str)
    value = value if len(value) <= 60 else value[:57] + "..."
    wanted: Any = error.validator_value
    match error.validator:
        case "additionalProperties":
            return f"unknown key {place}; expected one of {', '.join(sorted(_known_keys(error)))}"
        case "required":
            instance: Any = error.instance
            return f"{place} lacks {', '.join(k for k in wanted if k not in instance)}"
        case "type":
            names = [wanted] if isinstance(wanted, str) else wanted
            return f"{place} is {value}; expected {' or '.join(TYPE_NAMES.get(n, n) for n in names)}"
        case "enum":
            return f"{place} is {value}; expected one of {', '.join(map(str, wanted))}"
        case "pattern":
            schema: Any = error.schema
            return f"{place} is {value}; expected {schema.get('description', wanted)}"
        case "anyOf" | "oneOf" if isinstance(error.schema, Mapping) and "description" in error.schema:
            return f"{place} is {value}; expected {error.schema['description']}"
        case _:
            return f"{place}: {error.message}"


def _known_keys(error: ValidationError) -> set[str]:
    schema: Any = error.schema
    return set(schema.get("properties", ()))


def _locate(source: bytes, keys: Sequence[str | int]) -> tuple[int, int]:
    import tree_sitter
    import tree_sitter_toml

    parser = tree_sitter.Parser(tree_sitter.Language(tree_sitter_toml.language()))
    node, depth = parser.parse(source).root_node, 0
    best: Node | None = None
    while depth < len(keys):
        step = _child(node, keys[depth:])
        if step is None:
            break
        best, node, used = step
        depth += used
    if best is None:
        return (1, 1)
    before = source[: best.start_byte].rsplit(b"\n", 1)[-1].decode(errors="replace")
    return best.start_point[0] + 1, len(before) + 1


def _child(node: Node, keys: Sequence[str | int]) -> tuple[Node, Node, int] | None:
    """Find the node of the longest prefix of `keys` below `node`: (where to point, where to go on, used)."""
    found: tuple[Node, Node, int] | None = None
    arrays: dict[tuple[str, ...], int] = {}
    if node.type == "array":
        values = [n for n in node.named_children if n.type != "comment"]
        index = keys[0]
        return (values[index], values[index], 1) if isinstance(index, int) and index < len(values) else None
    for child in node.named_children:
        if child.type not in ("pair", "table", "table_array_element"):
            continue
        names = _names(child.named_children[0])
        wanted: list[str | int] = list(names)
        if child.type == "table_array_element":
            arrays[names] = arrays.get(names, -1) + 1
            wanted.append(arrays[names])
        used = len(wanted)
        if list(keys[:used]) == wanted and (found is None or used >= found[2]):
            found = (child, child if child.type != "pair" else child.named_children[-1], used)
        elif (child.type == "table_array_element" and list(keys) == wanted[:-1] and found is None) or (
            list(wanted[: len(keys)]) == list(keys) and found is None
        ):
            found = (child, child, len(keys))
    return found


def _names(key: Node) -> tuple[str, ...]:
    if key.type == "dotted_key":
        return tuple(name for part in key.named_children for name in _names(part))
    text = (key.text or b"").decode()
    return (text.strip("\"'"),) if key.type == "quoted_key" else (text,)
