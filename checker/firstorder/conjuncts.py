"""Which clauses stand behind each conjunct of an action: the comment above it, else that of its definition."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TypeAlias

from checker.firstorder.annotations import Definition, Note, Term, cited, notes

Clauses: TypeAlias = tuple[str, ...]


def clauses_behind(definition: Definition, known: Mapping[str, Definition]) -> list[Clauses]:
    """Return for each conjunct of a definition, in the order of `theory.conjuncts`, the clauses that it stands for.

    Definitions used as conjuncts are followed. What a definition without clauses says, as that something stays as
    it is, stands for those of a comment above its use, if there are any.
    """
    return list(_walk(definition.noted, definition.head, known))


def _walk(term: Term, own: Clauses, known: Mapping[str, Definition]) -> Iterator[Clauses]:
    """Yield the clauses of each conjunct of a term; `own` are those of a conjunct that has no comment."""
    above, parts = _apart(term if isinstance(term, list) else [term])
    first = parts[0]
    places: Sequence[int] = _CONJUNCTS.get(first, ()) if isinstance(first, str) else ()
    if first == "and":
        places = range(1, len(parts))
    if places:
        for place in places:
            said = cited(above[place])
            used = _name(parts[place]) in known
            for clauses in _walk(parts[place], () if used else said or own, known):
                yield clauses or said
    elif (name := _name(term)) in known:
        yield from _walk(known[name].noted, known[name].head, known)
    else:
        yield cited(notes(term)) or own


_CONJUNCTS = {"ite": (2, 3), "=>": (2,)}
"""Where conjuncts stand in a term, by its operator; in an `and` everywhere."""


def _name(term: Term) -> str:
    """Return the operator of a term, nothing if that is a term itself."""
    first = _apart(term)[1][0] if isinstance(term, list) else term
    return first if isinstance(first, str) else ""


def _apart(term: Sequence[Term]) -> tuple[list[list[Note]], list[Term]]:
    """Return the parts of a term, and for each the comments directly above it."""
    above: list[list[Note]] = [[]]
    parts: list[Term] = []
    for part in term:
        if isinstance(part, Note):
            above[-1].append(part)
        else:
            parts.append(part)
            above.append([])
    return above[:-1], parts
