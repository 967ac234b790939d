"""What two encodings of a game have in common: `shared.toml` beside the first-order one."""

from __future__ import annotations

import tomllib
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from clingo.symbol import Symbol, SymbolType, parse_term

from checker.errors import InputError


@dataclass(frozen=True, slots=True)
class Seen:
    """How a function of the first-order encoding reads a board of the rules.

    any: templates of atoms, `{0}` an argument and `{v}` the value. none: templates of which none may hold.
    closure: the relation it is the reflexive and transitive closure of.
    """

    any: tuple[str, ...] = ()
    none: tuple[str, ...] = ()
    closure: str | None = None


@dataclass(frozen=True, slots=True)
class SharedAction:
    """An action of the rules with its like in the first-order encoding; see the file.

    only: a template of a fact that must hold of the parameters; "" for none. narrower: the rules ask more than
    the functions can say; only that what they allow is allowed is compared.
    """

    rules: Symbol
    name: str
    arguments: tuple[str, ...]
    when: str
    where: str
    only: str
    narrower: bool

    def match(self, action: Symbol, facts: Collection[Symbol] = ()) -> dict[str, Symbol] | None:
        """Return the values of the parameters if `action` is one of these, given the facts of the board."""
        found: dict[str, Symbol] = {}
        if not _match(self.rules, action, found):
            return None
        return found if not self.only or parse_term(self.only.format_map(found)) in facts else None


@dataclass(frozen=True, slots=True)
class Shared:
    """The whole file: templates for the elements of sorts, functions, named values, and actions."""

    sorts: Mapping[str, str]
    out_of_scope: tuple[str, ...]
    functions: Mapping[str, Seen]
    names: Mapping[str, str]
    actions: tuple[SharedAction, ...]


def load_shared(folder: Path) -> Shared:
    """Read `shared.toml`.

    Raises:
        InputError: there is none, or it lacks a part.

    """
    path = folder / "shared.toml"
    try:
        data = tomllib.loads(path.read_text(encoding="utf-8"))
        functions = {name: _seen(entry) for name, entry in data["functions"].items()}
        actions = tuple(_actions(data["actions"]))
        return Shared(data["sorts"], tuple(data["scope"]["none"]), functions, data["names"], actions)
    except (OSError, tomllib.TOMLDecodeError, KeyError) as error:
        raise InputError(f"{path.name} does not say what the encodings share: {error}") from error


def _seen(entry: Mapping[str, Any]) -> Seen:
    return Seen(tuple(entry.get("any", ())), tuple(entry.get("none", ())), entry.get("closure"))


def _actions(entries: list[Mapping[str, Any]]) -> Iterator[SharedAction]:
    for entry in entries:
        name, *arguments = entry["here"]
        where, when = entry.get("where", "true"), entry.get("when", "true")
        only, narrower = entry.get("only", ""), bool(entry.get("narrower", False))
        yield SharedAction(parse_term(entry["rules"]), name, tuple(arguments), when, where, only, narrower)


def _match(pattern: Symbol, action: Symbol, found: dict[str, Symbol]) -> bool:
    if pattern.type is SymbolType.Function and not pattern.arguments and len(pattern.name) == 1:
        return found.setdefault(pattern.name, action) == action
    if pattern.type is not SymbolType.Function or action.type is not SymbolType.Function:
        return pattern == action
    return (
        (pattern.name, len(pattern.arguments)) == (action.name, len(action.arguments))
        and all(_match(p, a, found) for p, a in zip(pattern.arguments, action.arguments, strict=True))
    )  # fmt: skip
