"""A game in the Informal Trace Format, which Apalache and its viewers read (its ADR-015).

Fluents of one name become one variable: `at(poro)` and `at(blade)` are the map `at`. Every value of a
variable has one type, so that the trace can be read back: where whole numbers and names mix, numbers are text.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from clingo.symbol import Symbol, SymbolType, parse_term

from checker.errors import InputError
from checker.report.model import BoardReport, Document, Game, PropertyReport, RulebookReport, StepView
from checker.report.told import as_told

ABOUT = "https://apalache-mc.org/docs/adr/015adr-trace.html"
ACTION = "mbt::actionTaken"
"""The variable in which other tools look for the action that led to a state."""


def to_itf(document: Document) -> str:
    """Return the only game of a result.

    Raises:
        InputError: it has none, or more than one.

    """
    found = games(document)
    if len(found) != 1:
        names = ", ".join(f"{b.board}/{p.name}" for _, b, p in found) or "none"
        raise InputError(
            f"an ITF file holds one game, and this result has {len(found)} ({names}); "
            "choose one with --board and --property, or write them all with --output"
        )
    book, board, wanted = found[0]
    return game_to_itf(document, book, board, as_told(wanted))


def games(document: Document) -> list[tuple[RulebookReport, BoardReport, PropertyReport]]:
    """Return what the result has a game for."""
    return [(k, b, p) for k in document.rulebooks for b in k.boards for p in b.properties if p.game is not None]


def game_to_itf(document: Document, book: RulebookReport, board: BoardReport, wanted: PropertyReport) -> str:
    """Return the game of one property as ITF text."""
    assert wanted.game is not None, "the caller chose a property with a game"
    meta = {
        "format": "ITF",
        "format-description": ABOUT,
        "source": f"{book.file} {book.version}, {board.board}",
        "status": wanted.status,
        "description": f"{document.run.tool}: {wanted.title}",
        "property": wanted.name,
    }
    return json.dumps(_Trace(wanted.game).plain(meta), ensure_ascii=False, indent=1) + "\n"


@dataclass(frozen=True, slots=True)
class _Type:
    """How the values of a variable are written: `name` in Apalache's notation, `write` to JSON."""

    name: str
    write: Callable[[Symbol], Any]


class _Trace:
    """The states of a game as maps from fluents to values."""

    def __init__(self, game: Game) -> None:
        self.game = game
        start = {parse_term(fluent): parse_term(value) for fluent, value in game.fluents}
        self.states = [start]
        for step in game.steps:
            if step.board is not None:
                after = {parse_term(c.fluent): parse_term(c.term) for c in step.changes}
                self.states.append(self.states[-1] | after)
        names = Counter(name for name, _ in {(fluent.name, len(fluent.arguments)) for fluent in start})
        self.variables: dict[str, list[Symbol]] = {}
        for fluent in sorted(start):
            name = f"{fluent.name}/{len(fluent.arguments)}" if names[fluent.name] > 1 else fluent.name
            self.variables.setdefault(name, []).append(fluent)

    def plain(self, meta: Mapping[str, Any]) -> dict[str, Any]:
        """Return the trace as the JSON document is to have it."""
        types = {name: _type_of(s[f] for s in self.states for f in fluents) for name, fluents in self.variables.items()}
        keys = {name: _keys_of(fluents) for name, fluents in self.variables.items()}
        steps: list[StepView | None] = [None, *self.game.steps]
        trace: dict[str, Any] = {
            "#meta": dict(meta) | {"varTypes": {ACTION: "Str"} | {n: _map(keys[n], types[n]) for n in keys}},
            "vars": [ACTION, *self.variables],
            "states": [
                self._state(index, state, step, types, keys)
                for index, (state, step) in enumerate(zip(self.states, steps, strict=False))
            ],
        }
        if len(self.states) <= len(self.game.steps):
            trace["#meta"]["last-step"] = _told(self.game.steps[-1])
        if self.game.loop is not None:
            trace["loop"] = self.game.loop
        return trace

    def _state(
        self,
        index: int,
        state: Mapping[Symbol, Symbol],
        step: StepView | None,
        types: Mapping[str, _Type],
        keys: Mapping[str, _Type | None],
    ) -> dict[str, Any]:
        plain: dict[str, Any] = {"#meta": {"index": index} | (_told(step) if step else {})}
        plain[ACTION] = step.term if step else "init"
        for name, fluents in self.variables.items():
            key, write = keys[name], types[name].write
            if key is None:
                plain[name] = write(state[fluents[0]])
            else:
                plain[name] = {"#map": [[key.write(fluent), write(state[fluent])] for fluent in fluents]}
        return plain


def _told(step: StepView) -> dict[str, Any]:
    """Return what a step says beside its state: tools pass over it."""
    cited = [*step.allowed, *(c for change in step.changes for c in change.clauses)]
    return {
        "action": step.term,
        "by": step.by,
        "sentence": step.sentence,
        "forced": step.forced,
        "matters": step.matters,
        "clauses": list(dict.fromkeys(one.id for one in cited if one.id)),
    }


def _type_of(values: Iterable[Symbol]) -> _Type:
    """Return the type that all values share: whole numbers, true and false, or text."""
    found = set(values)
    if all(value.type == SymbolType.Number for value in found):
        return _Type("Int", lambda value: {"#bigint": str(value.number)})
    if {str(value) for value in found} <= {"true", "false"}:
        return _Type("Bool", lambda value: str(value) == "true")
    return _Type("Str", _text)


def _keys_of(fluents: Sequence[Symbol]) -> _Type | None:
    """Return how the arguments of fluents are written as a key; None for a single fluent without any."""
    arity = len(fluents[0].arguments)
    if not arity:
        return None
    parts = [_type_of(fluent.arguments[place] for fluent in fluents) for place in range(arity)]
    if arity == 1:
        return _Type(parts[0].name, lambda fluent: parts[0].write(fluent.arguments[0]))
    return _Type(
        f"<<{', '.join(part.name for part in parts)}>>",
        lambda fluent: {"#tup": [p.write(a) for p, a in zip(parts, fluent.arguments, strict=True)]},
    )


def _map(key: _Type | None, value: _Type) -> str:
    return value.name if key is None else f"{key.name} -> {value.name}"


def _text(value: Symbol) -> str:
    return value.string if value.type == SymbolType.String else str(value)
