"""What a rulebook's rules say, whatever their variables are called, in which order they stand, and what remarks say.

Two rulebooks with one canonical form have the same ground rules on every board but for the numbers of atoms and
rules. What was told of one so holds of the other, with the places of its rules (`Canonical.order`) put in.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

from checker.rulebook.encoding import Encoding
from checker.rulebook.model import Board, Rulebook

TOKEN = re.compile(r'"(?:\\.|[^"\\])*"|\w[\w\']*')
"""A string, or a word of clingo's language with its primes."""

VARIABLE = re.compile(r"_*[A-Z]")
"""How a variable begins; a lone `_` is nobody's name."""

NUMBERED = re.compile(r"\b(?:fired|option|chosen)\(")
"""What gives rules numbers: a rule that reads it depends on the order of rules."""

NOWHERE = Path()


@dataclass(frozen=True)
class Canonical:
    """The rules in an order of their own.

    texts: what each tagged rule says with its clauses, then each rule without a tag, each group sorted. order: the
    ids of the tagged rules in that order.
    """

    texts: tuple[tuple[str, ...], tuple[str, ...]]
    order: tuple[int, ...]

    @cached_property
    def said(self) -> str:
        """Everything as one text, to be digested."""
        return repr(self.texts)


def canonical(encoding: Encoding) -> Canonical:
    """Return the canonical form of a program.

    Rules that read the numbers of rules, as only the checker's own should, keep all rules where they stand.
    """
    own: dict[int, list[str]] = {source.id: [] for source in encoding.sources}
    free: list[str] = []
    for node, owner in zip(encoding.program, encoding.owners, strict=True):
        (free if owner is None else own[owner]).append(_said(str(node), owner))
    numbered = any(NUMBERED.search(text) for text in free) or any(NUMBERED.search(s.text) for s in encoding.sources)
    if numbered:
        written = tuple(str(node) for node in encoding.program)
        return Canonical((written, tuple(map(str, encoding.sources))), tuple(own))
    texts = {s.id: repr((s.clauses, s.assumption, s.id in encoding.choosing, own[s.id])) for s in encoding.sources}
    order = tuple(sorted(texts, key=lambda rule: (texts[rule], rule)))
    return Canonical((tuple(texts[rule] for rule in order), tuple(sorted(free))), order)


def renamed(text: str) -> str:
    """Return a statement with its variables numbered as they appear."""
    names: dict[str, str] = {}

    def other(found: re.Match[str]) -> str:
        word = found[0]
        return names.setdefault(word, f"V{len(names)}") if VARIABLE.match(word) else word

    return TOKEN.sub(other, text)


def _said(text: str, owner: int | None) -> str:
    """Return a statement with its variables renamed and its rule's number left out."""
    said = renamed(text)
    return said if owner is None else re.sub(rf"\b(fired|option|chosen)\({owner},", r"\1(", said)


def anywhere(book: Rulebook) -> str:
    """Return everything that a rulebook's files say but for the rules, wherever the files are."""
    version = replace(book.version, path=NOWHERE)
    return repr(replace(book, path=NOWHERE, encoding=NOWHERE, version=version))


def laid(board: Board, readings: Mapping[str, str]) -> str:
    """Return everything that a board's file says, wherever it is, with the readings chosen."""
    return repr((replace(board, path=NOWHERE), sorted(readings.items())))
