"""Names that rules read and nobody writes: a misspelt fluent would be silently false.

Reads the rules as clingo prints them, which takes a hundredth of the time of walking its syntax tree.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from clingo.ast import ASTType

from checker.errors import Problem, closest
from checker.rulebook.encoding import Encoding, place_of
from checker.rulebook.model import Reading

READS: Mapping[str, str] = MappingProxyType(
    {
        "now": "fluent",
        "next": "fluent",
        "changed": "fluent",
        "set": "fluent",
        "initially": "fluent",
        "possible": "action",
        "forced": "action",
        "by": "action",
        "occurs": "action",
        "event": "event",
    }
)
"""For each predicate whose first argument is such a name: the predicate whose heads declare the names."""

ATOM = re.compile(rf'"(?:\\.|[^"\\])*"|\b({"|".join((*READS, "fluent", "action", "reading"))})\(|[()]')
CONSTANT = re.compile(r"-?\d+|[a-z]\w*", re.ASCII)


@dataclass(frozen=True, slots=True)
class Names:
    """What the heads of the rules declare: for `fluent`, `action` and `event` the names with their arities.

    values: of a fluent whose every head lists its values as constants, those values.
    open: the predicates some head of which has a variable for a name, so that any name may be declared.
    """

    known: Mapping[str, frozenset[tuple[str, int]]]
    values: Mapping[tuple[str, int], frozenset[str]]
    open: frozenset[str]


def declared(encoding: Encoding) -> Names:
    """Collect what the heads of the rules declare."""
    known: dict[str, set[tuple[str, int]]] = {kind: set() for kind in READS.values()}
    values: dict[tuple[str, int], set[str] | None] = {}
    unknown: set[str] = set()
    for rule in encoding.program:
        for name, arguments in _atoms(str(rule.head)) if rule.ast_type == ASTType.Rule else ():
            if name not in known:
                continue
            first = _signature(arguments[0])
            if first is None:
                unknown.add(name)
                continue
            known[name].add(first)
            if name == "fluent":
                said, before = _constants(arguments[1]), values.get(first, set())
                values[first] = None if said is None or before is None else before | said
    return Names(
        {kind: frozenset(names) for kind, names in known.items()},
        {name: frozenset(found) for name, found in values.items() if found is not None},
        frozenset(unknown),
    )


def name_problems(encoding: Encoding, readings: Mapping[str, Reading]) -> Iterator[Problem]:
    """Yield what bodies of rules read and no head declares: fluents, their values, actions, events and readings.

    What heads name is held against the declarations once it is ground (`system.build`).

    Args:
        encoding: the rulebook, whose heads declare all but the readings.
        readings: the switches of the rulebook with their values.

    """
    names = declared(encoding)
    for rule in encoding.program:
        if rule.ast_type == ASTType.Rule:
            body = ", ".join(map(str, rule.body))
            yield from (Problem(fault, place_of(rule)) for fault in faults(names, readings, body))


def faults(names: Names, readings: Mapping[str, Reading], text: str) -> Iterator[str]:
    """Yield a sentence for each misspelt name in a list of literals, as clingo prints it."""
    for name, arguments in _atoms(text):
        message = _fault(names, readings, name, arguments)
        if message is not None:
            yield message


def _fault(names: Names, readings: Mapping[str, Reading], name: str, arguments: list[str]) -> str | None:
    if name == "reading" and len(arguments) == 2:
        return _reading_fault(readings, *arguments)
    kind = READS.get(name)
    if kind is None or kind in names.open or (first := _signature(arguments[0])) is None:
        return None
    shown = f"{first[0]}/{first[1]}"
    if first not in names.known[kind]:
        near = closest(shown, sorted(f"{n}/{a}" for n, a in names.known[kind]))
        return f"{name} speaks of {shown}, but no rule has it as {_article(kind)}; {near}"
    if kind != "fluent" or len(arguments) != 2 or first not in names.values:
        return None
    known = names.values[first]
    extra = sorted((_constants(arguments[1]) or set()) - known)
    return f"{shown} never has the value {extra[0]}; {closest(extra[0], sorted(known))}" if extra else None


def _reading_fault(readings: Mapping[str, Reading], name: str, value: str) -> str | None:
    if not CONSTANT.fullmatch(name):
        return None
    if name not in readings:
        return f'there is no reading "{name}"; {closest(name, list(readings))}'
    extra = sorted((_constants(value) or set()) - set(readings[name].values))
    return f'reading "{name}" has no value "{extra[0]}"; {closest(extra[0], readings[name].values)}' if extra else None


def _article(kind: str) -> str:
    return f"{'a' if kind == 'fluent' else 'an'} {kind}"


def _atoms(text: str) -> Iterator[tuple[str, list[str]]]:
    """Yield every atom in printed literals that reads or declares a name: its predicate and its arguments."""
    depth = 0
    for found in ATOM.finditer(text):
        if found[1] and depth == 0:
            yield found[1], _split(text[found.end() :], ",")
        depth += {"(": 1, ")": -1}.get(found[0][-1], 0)


def _split(text: str, separator: str) -> list[str]:
    """Split at the separators outside brackets and strings, up to the bracket that closes before any opens."""
    parts, depth, start = [], 0, 0
    for token in re.finditer(r'"(?:\\.|[^"\\])*"|[()]|' + separator, text):
        if token[0] == "(":
            depth += 1
        elif token[0] == separator and depth == 0:
            parts.append(text[start : token.start()])
            start = token.end()
        elif token[0] == ")":
            depth -= 1
            if depth < 0:
                return [*parts, text[start : token.start()]]
    return [*parts, text[start:]]


def _signature(term: str) -> tuple[str, int] | None:
    """Return the name and arity of a term such as exhausted(C), or None where a variable or pool stands for it."""
    name, bracket, inside = term.partition("(")
    if not CONSTANT.fullmatch(name):
        return None
    return name, len(_split(inside, ",")) if bracket else 0


def _constants(term: str) -> set[str] | None:
    """Return the constants a term stands for, or None where it has a variable or anything compound."""
    parts = _split(term[1:], ";") if term.startswith("(") else [term]
    return set(parts) if all(CONSTANT.fullmatch(p) for p in parts) else None
