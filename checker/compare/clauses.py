"""The clauses of two versions side by side: added, removed, reworded, renumbered."""

from __future__ import annotations

from collections.abc import Iterator

from checker.compare.model import ClauseChange
from checker.errors import InputError
from checker.rulebook.load import load_rulebook
from checker.rulebook.model import Clause, Reading, Rulebook, Version


def clause_changes(left: Rulebook, right: Rulebook, language: str) -> tuple[ClauseChange, ...]:
    """Return every clause that is not as it was, in the order of the right side, removed ones last."""
    pairs = _pairs(left, right)
    mine, yours = left.version.clauses, right.version.clauses
    back = {new: old for old, new in pairs.items()}
    found = [c for number, clause in yours.items() for c in _changes(mine.get(back.get(number, "")), clause, language)]
    gone = [clause for number, clause in mine.items() if number not in pairs]
    return (*found, *(ClauseChange("removed", c.id, None, "", c.text[language]) for c in gone))


def declared_otherwise(left: Rulebook, right: Rulebook) -> tuple[str, ...]:
    """Say of each reading that one side declares alone, or with other values or another default, what each declares."""
    names = dict.fromkeys((*left.readings, *right.readings))
    told = ((name, *(_declared(book.readings.get(name)) for book in (left, right))) for name in names)
    return tuple(f"{name}: {mine} (left), {yours} (right)" for name, mine, yours in told if mine != yours)


def _declared(reading: Reading | None) -> str:
    if reading is None:
        return "not there"
    return ", ".join(f"{value} by default" if value == reading.default else value for value in reading.values)


def _changes(old: Clause | None, new: Clause, language: str) -> Iterator[ClauseChange]:
    text = new.text[language]
    if old is None:
        yield ClauseChange("added", None, new.id, text, "")
        return
    if old.id != new.id:
        yield ClauseChange("renumbered", old.id, new.id, text, "")
    if old.text[language] != text:
        yield ClauseChange("reworded", old.id, new.id, text, old.text[language])
    if old.status != new.status:
        yield ClauseChange("status", old.id, new.id, new.status, old.status)


def _pairs(left: Rulebook, right: Rulebook) -> dict[str, str]:
    """Return, for clauses of the left, their number on the right: by the aliases, else by number or by text."""
    mine, yours = left.version, right.version
    pairs: dict[str, str] = {}
    for tag in _tags(left, right):
        old, new = mine.number(tag), yours.number(tag)
        if old in mine.clauses and new in yours.clauses and old is not None and new is not None:
            pairs.setdefault(old, new)
    taken = set(pairs.values())
    by_text = {_text(clause): number for number, clause in yours.clauses.items() if number not in taken}
    for number, clause in mine.clauses.items():
        if number in pairs:
            continue
        same_place = number in yours.clauses and number not in taken and mine.name == yours.name
        new = number if same_place else by_text.get(_text(clause))
        if new is not None and new not in taken:
            pairs[number] = new
            taken.add(new)
    return pairs


def _tags(left: Rulebook, right: Rulebook) -> list[str]:
    """Return the numbers that aliases start from: those of the versions that have none of their own."""
    found: dict[str, None] = {}
    for book in (right, left):
        for version in _unaliased(book):
            found |= dict.fromkeys(version.clauses)
    return list(found)


def _unaliased(book: Rulebook) -> Iterator[Version]:
    for name in book.versions:
        try:
            version = load_rulebook(f"{book.folder}@{name}").version
        except InputError:
            continue
        if not version.aliases:
            yield version


def _text(clause: Clause) -> str:
    return clause.text["en"]
