"""Results that are hard to render: texts with markup in them, and a long game on a crowded board."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields, is_dataclass, replace
from typing import Any

from checker.report.model import BoardView, ChangeView, Cited, Document, Game, ObjectView, StepView
from tests.report.hats import document, richer

NASTY = "<script>alert(\"1\")</script><img src=x onerror=alert(2)> &amp; 'q' 🗡️ \u05e9\u05dc\u05d5\u05dd {0} %0A ::x]]> "

TEXTS = frozenset(
    {
        "title",
        "text",
        "sentence",
        "events",
        "zone",
        "zones",
        "under",
        "controller",
        "badges",
        "culprits",
        "purpose",
        "finding",
        "note",
        "how",
        "question",
        "by",
        "was",
        "value",
        "tension",
        "tool",
        "differs",
        "breaks",
        "dropped",
        "stays",
        "version",
    }
)
"""Fields that hold free text."""


def hostile() -> Document:
    """Return the result of the game of hats with `NASTY` in front of every free text."""
    changed: Document = _map(document(), lambda text: NASTY + text)
    return changed


def hostile_games() -> Document:
    """Return the result that has everything, with `NASTY` in front of every free text."""
    changed: Document = _map(richer(), lambda text: NASTY + text)
    return changed


def _map(value: Any, change: Callable[[str], str]) -> Any:
    if is_dataclass(value) and not isinstance(value, type):
        new = {f.name: _field(f.name, getattr(value, f.name), change) for f in fields(value)}
        return replace(value, **new)
    return tuple(_map(item, change) for item in value) if isinstance(value, tuple) else value


def _field(name: str, value: Any, change: Callable[[str], str]) -> Any:
    if name in TEXTS and isinstance(value, str):
        return change(value)
    if name in TEXTS and isinstance(value, tuple):
        return tuple(change(item) for item in value)
    return _map(value, change)


def long_game(steps: int = 100, cards: int = 16) -> Document:
    """Return a result whose one violation takes many steps on a board with many cards."""
    result = document()
    (book,) = result.rulebooks
    board = book.boards[0]
    boards = [_crowd(cards, number) for number in range(steps + 1)]
    clause = Cited("434.1", "Attaching ties two cards on the board together, and one of them is Top-Most.", "a.lp", 3)
    told = tuple(
        StepView(
            number=number,
            term=f"move(card{number % cards},field)",
            sentence=f"Alice moves Veteran Poro number {number % cards} to the battlefield",
            by="Alice",
            forced=False,
            allowed=(clause, clause),
            events=("Veteran Poro moves",),
            changes=(ChangeView(f"at(c{number})", "field", "base", "field", "Veteran Poro gets there", (clause,)),),
            board=boards[number],
            matters=True,
            because=(number - 1,) if number > 1 else (),
        )
        for number in range(1, steps + 1)
    )
    game = Game(boards[0], (), told, None, (steps,))
    broken = replace(board.properties[0], game=game)
    return replace(result, rulebooks=(replace(book, boards=(replace(board, properties=(broken,)),)),))


def _crowd(cards: int, number: int) -> BoardView:
    """Return a board on which every other card is tucked under the one before it."""
    objects = tuple(
        ObjectView(
            name=f"c{index}",
            title=f"Veteran Poro (poro{index})",
            zone="the field" if (index // 2 + number) % 3 else "the base",
            under=(f"Veteran Poro (poro{index - 1})",) if index % 2 else (),
            controller=("Alice", "Bob")[index // 2 % 2],
            turned=(index + number) % 4 == 0,
            badges=("stunned", "Equip asleep") if (index + number) % 5 == 0 else (),
        )
        for index in range(cards)
    )
    return BoardView(("the base", "the field"), objects, (("Turn", "Alice"), ("Step", str(number))))
