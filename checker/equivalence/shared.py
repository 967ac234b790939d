"""What two encodings of a game have in common: `shared.toml` beside the first-order one, and its `shared.lp`."""

from __future__ import annotations

import tomllib
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from clingo.symbol import Symbol, SymbolType, parse_term

from checker.errors import InputError

Step = TypeVar("Step")


@dataclass(frozen=True, slots=True)
class Seen:
    """How a function of the first-order encoding reads a board of the rules.

    any: templates of atoms, `{0}` an argument and `{v}` the value. none: templates of which none may hold.
    denied: of a predicate that a board may leave open, the templates by which it fails. closure: the relation
    it is the reflexive and transitive closure of. derived: of a predicate without arguments, the action of the other
    encoding that makes it true. It follows each step here, and the rules take it only where that changes more.
    """

    any: tuple[str, ...] = ()
    none: tuple[str, ...] = ()
    denied: tuple[str, ...] = ()
    closure: str | None = None
    derived: str | None = None


@dataclass(frozen=True, slots=True)
class Like:
    """An action of the first-order encoding with its arguments, terms over the letters of an entry."""

    name: str
    arguments: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class SharedAction:
    """Steps of the rules and what they are in the first-order encoding; see the head of the file.

    rules: patterns of actions, taken one after the other. here: what they come to, whichever is allowed; with
    `first` the first that is; with `one_by_one` as many of these as there are to take, in any order. sorts: of
    letters that stand for elements and are no argument in `here`. only: a template of a fact, "" for none. idle:
    what is not allowed in the other encoding may be a step without effect. given: templates of atoms that the
    rules ask for and the other encoding cannot say, each perhaps after "not ". named: templates of atoms that
    hold of the elements meant, as `where` is a formula that does. unseen: functions with arguments and a value, of
    what the board does not show: an element, true, false, or "next" for the one that the next board shows.
    """

    rules: tuple[Symbol, ...]
    here: tuple[Like, ...]
    sorts: Mapping[str, str]
    where: str
    when: str
    given: tuple[str, ...]
    named: tuple[str, ...]
    unseen: tuple[tuple[str, ...], ...]
    only: str
    first: bool
    idle: bool
    one_by_one: bool

    def matches(
        self, named: Sequence[tuple[Symbol, Step]], facts: Collection[Symbol] = ()
    ) -> Iterator[tuple[tuple[Step, ...], dict[str, Symbol]]]:
        """Yield the steps that fit, and the value of each letter, given the facts of the board."""
        found: list[tuple[tuple[Step, ...], dict[str, Symbol]]] = [((), {})]
        for pattern in self.rules:
            found = [
                ((*steps, step), values | more)
                for steps, values in found
                for name, step in named
                if (more := match(pattern, name, values)) is not None
            ]
        for steps, values in found:
            if not self.only or parse_term(self.only.format_map(values)) in facts:
                yield steps, values

    def __str__(self) -> str:
        return ", then ".join(map(str, self.rules))


@dataclass(frozen=True, slots=True)
class Shared:
    """The whole file: templates for the elements of sorts, functions, named values, and actions.

    never: predicates that hold on no board of a game. readings: those under which boards are compared too, each
    as NAME=VALUE. unseen: patterns of actions that change nothing which the
    other encoding sees. left_out: actions of the other encoding that are not compared, each with the reason.
    rules: `shared.lp`, what the templates name beyond the rulebook; None if there is none.
    """

    sorts: Mapping[str, str]
    never: tuple[str, ...]
    readings: tuple[str, ...]
    functions: Mapping[str, Seen]
    names: Mapping[str, str]
    actions: tuple[SharedAction, ...]
    unseen: tuple[Symbol, ...]
    left_out: Mapping[str, str]
    rules: Path | None


def load_shared(folder: Path) -> Shared:
    """Read `shared.toml`.

    Raises:
        InputError: there is none, or it lacks a part.

    """
    path, rules = folder / "shared.toml", folder / "shared.lp"
    try:
        data = tomllib.loads(path.read_text(encoding="utf-8"))
        return Shared(
            sorts=data["sorts"],
            never=tuple(data["boards"]["never"]),
            readings=tuple(data["boards"].get("readings", ())),
            functions={name: _seen(entry) for name, entry in data["functions"].items()},
            names=data.get("names", {}),
            actions=tuple(map(_action, data["actions"])),
            unseen=tuple(map(parse_term, data["boards"]["unseen"])),
            left_out=data.get("left_out", {}),
            rules=rules if rules.is_file() else None,
        )
    except (OSError, tomllib.TOMLDecodeError, KeyError) as error:
        raise InputError(f"{path.name} does not say what the encodings share: {error}") from error


def match(pattern: Symbol, action: Symbol, known: Mapping[str, Symbol]) -> dict[str, Symbol] | None:
    """Return the values of the pattern's letters in `action`, if it fits and agrees with the `known` ones."""
    found = dict(known)
    return found if _match(pattern, action, found) else None


def _seen(entry: Mapping[str, Any]) -> Seen:
    held, none, denied = (tuple(entry.get(key, ())) for key in ("any", "none", "not"))
    return Seen(held, none, denied, entry.get("closure"), entry.get("derived"))


def _action(entry: Mapping[str, Any]) -> SharedAction:
    rules, here = entry["rules"], entry["here"]
    return SharedAction(
        rules=tuple(parse_term(text) for text in ([rules] if isinstance(rules, str) else rules)),
        here=tuple(Like(name, tuple(rest)) for name, *rest in ([here] if isinstance(here[0], str) else here)),
        sorts=entry.get("sorts", {}),
        where=entry.get("where", "true"),
        when=entry.get("when", "true"),
        given=tuple(entry.get("given", ())),
        named=tuple(entry.get("named", ())),
        unseen=tuple(map(tuple, entry.get("unseen", ()))),
        only=entry.get("only", ""),
        first=bool(entry.get("first", False)),
        idle=bool(entry.get("idle", False)),
        one_by_one=bool(entry.get("one_by_one", False)),
    )


def _match(pattern: Symbol, action: Symbol, found: dict[str, Symbol]) -> bool:
    if pattern.type is SymbolType.Function and not pattern.arguments and len(pattern.name) == 1:
        return found.setdefault(pattern.name, action) == action
    if pattern.type is not SymbolType.Function or action.type is not SymbolType.Function:
        return pattern == action
    return (
        (pattern.name, len(pattern.arguments)) == (action.name, len(action.arguments))
        and all(_match(p, a, found) for p, a in zip(pattern.arguments, action.arguments, strict=True))
    )  # fmt: skip
