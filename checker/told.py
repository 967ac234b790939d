"""Boards told before: looked up by what the rulebook's files say, without grounding a rule.

A report is found again only if the rules say the same (`rulebook.canonical`), and everything else in the files is
the same to the letter. The places of rules are then put in as they are now. A report that speaks of a place where
no rule stands is not kept, nor one with something undecided in it.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from checker.check import Status
from checker.report.model import BoardReport, Document
from checker.report.read import build
from checker.rulebook.canonical import anywhere, canonical, laid
from checker.rulebook.encoding import Encoding
from checker.rulebook.model import Board, Rulebook
from checker.store import digest_of, store_at
from checker.system.model import Kind, by_place, rule_name

NO_PLACE = -1
"""What stands for the place of a clause that is cited by no rule."""


@dataclass(frozen=True, slots=True)
class Asked:
    """One board to tell. readings: those given. how: all else that a report depends on, as text."""

    board: Board
    readings: Mapping[str, str]
    how: str


def known(document: Document) -> str:
    """Say how many verdicts came from the store; nothing if none did."""
    boards = [board for book in document.rulebooks for board in book.boards]
    found = sum(int(dict(board.details).get("from_store", 0)) for board in boards)
    asked = sum(len(board.properties) for board in boards)
    return f"{found:,} of {asked:,} verdicts from the store" if found else ""


class Told:
    """The boards of one rulebook as they were told before."""

    def __init__(self, store: Path, book: Rulebook, encoding: Encoding) -> None:
        self.store, self.book = store_at(store), book
        self.rules = canonical(encoding)
        self.places = [encoding.sources[rule] for rule in self.rules.order]
        self.base = f"{self.rules.said} {anywhere(book)}".encode()

    def find(self, asked: Sequence[Asked]) -> list[BoardReport | None]:
        """Return the reports that are kept, None for each board without one."""
        keys = [self._key(one) for one in asked]
        texts = self.store.find_told(keys)
        return [self._from_text(texts[key]) if key in texts else None for key in keys]

    def keep(self, asked: Asked, report: BoardReport) -> None:
        """Write a report down, unless something in it is undecided or its places cannot be told."""
        if any(wanted.status == Status.UNKNOWN.value for wanted in report.properties):
            return
        try:
            text = self._to_text(report)
        except LookupError:
            return
        self.store.keep_told(self._key(asked), text)

    def _key(self, asked: Asked) -> str:
        return digest_of(self.base, laid(asked.board, asked.readings).encode(), asked.how.encode())

    def _to_text(self, report: BoardReport) -> str:
        """Return a report as JSON with rules by their number in the canonical order.

        Raises:
            LookupError: no rule stands where the report says one does.

        """
        at = {(source.file, source.line): number for number, source in enumerate(self.places)}
        named = {rule_name(source): number for number, source in enumerate(self.places)}

        def place(file: str, line: int) -> tuple[str, int]:
            return "", at[file, line] if file else NO_PLACE

        def names(rules: Sequence[str]) -> list[int]:
            return [named[rule] for rule in rules]

        return json.dumps(_with_rules(asdict(replace(report, seconds=0.0, details=())), place, names))

    def _from_text(self, text: str) -> BoardReport | None:
        """Return the report that `_to_text` wrote, with rules where they stand now; None if it does not fit."""

        def place(_: str, number: int) -> tuple[str, int]:
            source = None if number == NO_PLACE else self.places[number]
            return (source.file, source.line) if source else ("", 0)

        def names(numbers: Sequence[int]) -> list[str]:
            return list(map(rule_name, sorted((self.places[number] for number in numbers), key=lambda s: s.id)))

        try:
            report = build(BoardReport, _with_rules(json.loads(text), place, names))
        except (ValueError, LookupError, TypeError):
            return None
        assert isinstance(report, BoardReport), "what was asked to be built"
        return replace(report, details=(("from_store", str(len(report.properties))),))


def _with_rules(plain: Any, place: Callable[[str, int], tuple[str, int]], names: Callable[[Any], list[Any]]) -> Any:
    """Return a plain report with other places and other names of rules, where it has any."""
    if isinstance(plain, list | tuple):
        return [_with_rules(item, place, names) for item in plain]
    if not isinstance(plain, dict):
        return plain
    found = {key: _with_rules(value, place, names) for key, value in plain.items()}
    if plain.get("kind") == Kind.RULES_FIRE.value:
        rules = {key: names(plain[key]) for key in ("culprits", "asked", "dead")}
        found |= rules | {key: sorted(rules[key], key=lambda name: by_place(str(name))) for key in ("asked", "dead")}
    if "line" in plain:
        found["file"], found["line"] = place(plain["file"], plain["line"])
    return found
