"""What a rulebook's rules say, whatever their variables are called, in which order they and their conditions stand.

Two rulebooks with one canonical form have the same ground rules on every board but for the numbers of atoms and
rules, and the order in which `fired` lists a rule's variables. What was told of one so holds of the other, with the
places of its rules (`Canonical.order`) put in.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

from clingo.ast import AST, ASTType

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
    own: dict[int, list[AST]] = {source.id: [] for source in encoding.sources}
    free: list[str] = []
    for node, owner in zip(encoding.program, encoding.owners, strict=True):
        if owner is None:
            free.append(_said([node], None))
        else:
            own[owner].append(node)
    numbered = any(NUMBERED.search(text) for text in free) or any(NUMBERED.search(s.text) for s in encoding.sources)
    if numbered:
        written = tuple(str(node) for node in encoding.program)
        return Canonical((written, tuple(map(str, encoding.sources))), tuple(own))
    texts = {
        s.id: repr((s.clauses, s.assumption, s.id in encoding.choosing, _said(own[s.id], s.id)))
        for s in encoding.sources
    }
    order = tuple(sorted(texts, key=lambda rule: (texts[rule], rule)))
    return Canonical((tuple(texts[rule] for rule in order), tuple(sorted(free))), order)


def renamed(text: str, names: dict[str, str] | None = None) -> str:
    """Return a text with its variables numbered as they appear, new ones after those `names` has, which it adds to."""
    numbers: dict[str, str] = {} if names is None else names

    def other(found: re.Match[str]) -> str:
        word = found[0]
        return numbers.setdefault(word, f"V{len(numbers)}") if VARIABLE.match(word) else word

    return TOKEN.sub(other, text)


def _said(statements: Sequence[AST], owner: int | None) -> str:
    """Return what the statements that one rule became say: its conditions last, in an order of their own.

    A name is one variable in all of them. The rule's number and the list of its variables are left out.
    """
    first = statements[0]
    if first.ast_type != ASTType.Rule:
        return renamed(str(first))
    names: dict[str, str] = {}
    heads = "\n".join(_unnumbered(str(node), owner) for node in (first.head, *statements[1:]))
    return "\n".join((renamed(heads, names), *_in_order(map(str, first.body), names)))


def _unnumbered(text: str, owner: int | None) -> str:
    return text if owner is None else re.sub(rf"\b(fired|option|chosen)\({owner},\([^()]*\)", r"\1(", text)


def _in_order(conditions: Iterable[str], names: dict[str, str]) -> Iterator[str]:
    """Yield conditions with their variables numbered, those of one shape always the least of those left.

    Of two that are alike so far the first comes first: one rule written in two ways may then be taken for two.
    """
    shapes: dict[str, list[str]] = {}
    for text in conditions:
        shapes.setdefault(renamed(text), []).append(text)
    for _, left in sorted(shapes.items()):
        while left:
            least = left[0] if len(left) == 1 else min(left, key=lambda text: renamed(text, dict(names)))
            left.remove(least)
            yield renamed(least, names)


def anywhere(book: Rulebook) -> str:
    """Return everything that a rulebook's files say but for the rules, wherever the files are."""
    version = replace(book.version, path=NOWHERE)
    return repr(replace(book, path=NOWHERE, encoding=NOWHERE, version=version))


def laid(board: Board, readings: Mapping[str, str]) -> str:
    """Return everything that a board's file says, wherever it is, with the readings chosen."""
    return repr((replace(board, path=NOWHERE), sorted(readings.items())))
