"""Turn cards, boards and readings into the facts that rules read (core.lp, "Given by the checker")."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from clingo import parse_term
from clingo.symbol import Function, Number, String, Symbol

from checker.rulebook.files import too_large
from checker.rulebook.model import Board, Rulebook

TERM = re.compile(r"-?\d+|[a-z_]\w*(\([\w(), ]*\))?", re.ASCII)


def facts(rulebook: Rulebook, board: Board, readings: Mapping[str, str]) -> list[Symbol]:
    """Return every fact of a board: its objects, their cards, its constants and the readings chosen."""
    found = [Function("reading", [Function(k), to_symbol(v)]) for k, v in readings.items()]
    for key, value in board.facts.items():
        found += _facts("board", [], key, value)
    for name, entry in board.objects.items():
        this = Function(name)
        found.append(Function("object", [this]))
        for key, value in entry.items():
            found += _facts("object", [this], key, value)
    for name in dict.fromkeys(entry["card"] for entry in board.objects.values() if "card" in entry):
        for key, value in rulebook.cards[name].facts.items():
            found += _facts("card", [Function(name)], key, value)
    return found


def to_symbol(value: str | int | bool) -> Symbol:
    """Return a TOML scalar as a term: what reads as a term is one, anything else a quoted string."""
    if isinstance(value, bool):
        return Function("true" if value else "false")
    if isinstance(value, int):
        return Number(value)
    if not TERM.fullmatch(value) or any(too_large(value)):
        return String(value)
    try:
        return parse_term(value)
    except RuntimeError:
        return String(value)


def _facts(predicate: str, first: list[Symbol], key: str, value: Any) -> Iterator[Symbol]:
    name = Function(key)
    if isinstance(value, Mapping):
        for sub, inner in value.items():
            for item in _items(inner):
                yield Function(predicate, [*first, name, Function(sub), to_symbol(item)])
        return
    for index, item in enumerate(_items(value), start=1):
        if isinstance(item, Mapping):
            for sub, inner in item.items():
                for scalar in _items(inner):
                    arguments = [*first, name, Number(index), Function(sub), to_symbol(scalar)]
                    yield Function(predicate, arguments)
        else:
            yield Function(predicate, [*first, name, to_symbol(item)])


def _items(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]
