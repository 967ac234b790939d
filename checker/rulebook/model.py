"""A rulebook as files say it: versions, readings, properties, clauses, cards and boards."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from checker.errors import InputError, choices, closest
from checker.system.model import Kind
from checker.typography import spaced


@dataclass(frozen=True, slots=True)
class Text:
    """A text in every language of the rulebook; `text["fr"]` falls back to English, and has French spaces."""

    languages: Mapping[str, str]

    def __getitem__(self, language: str) -> str:
        own = self.languages.get(language)
        if own:
            return spaced(own, language)
        return self.languages.get("en") or next(iter(self.languages.values()), "")


@dataclass(frozen=True, slots=True)
class Reading:
    """A switch: an ambiguous clause with its readings, or what differs between versions."""

    name: str
    values: tuple[str, ...]
    default: str
    clauses: tuple[str, ...]
    question: Text
    tension: str | None
    evidence: str | None


@dataclass(frozen=True, slots=True)
class Clause:
    """One numbered clause in our own words. `status` is encoded, definition or out_of_scope."""

    id: str
    text: Text
    status: str
    why: str | None
    force: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Property:
    """A question asked of every board."""

    name: str
    kind: Kind
    title: Text
    clauses: tuple[str, ...]
    tension: str | None


@dataclass(frozen=True, slots=True)
class Finding:
    """A violation the rules as written really have.

    Expected on `boards` (all boards if empty) under `versions` (every version if empty).
    """

    property: str
    boards: tuple[str, ...]
    title: Text
    tension: str | None
    versions: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Version:
    """A published version of the rules: its date, clause file, and the switch values it fixes.

    aliases: where this version numbers a clause otherwise than the tags do; a key stands for all clauses
    under it, and the longest key that fits counts. An empty value: this version has no such clause.
    """

    name: str
    date: str | None
    path: Path
    clauses: Mapping[str, Clause]
    readings: Mapping[str, str]
    aliases: Mapping[str, str]

    def number(self, tag: str) -> str | None:
        """Return the number a rule's tag has in this version, or None where it has none.

        A tag `1.2:322.7` means that clause of version 1.2 alone; a tag without a version is numbered as in
        the rulebook's default version.
        """
        version, colon, number = tag.rpartition(":")
        if colon:
            return number if version == self.name else None
        parts = tag.split(".")
        for length in range(len(parts), 0, -1):
            key = ".".join(parts[:length])
            if key in self.aliases:
                alias = self.aliases[key]
                return ".".join([alias, *parts[length:]]) if alias else None
        return tag


@dataclass(frozen=True, slots=True)
class Card:
    """A card: its title, our paraphrase of its text, and the facts rules read."""

    name: str
    title: Text
    text: Text
    facts: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Board:
    """A bounded board: its objects and constants; `readings` override the rulebook's defaults."""

    name: str
    path: Path
    purpose: Text
    readings: Mapping[str, str]
    facts: Mapping[str, Any]
    objects: Mapping[str, Mapping[str, Any]]


@dataclass(frozen=True, slots=True)
class Rulebook:
    """Everything `rulebook.toml` and the files it names say."""

    name: str
    path: Path
    title: Text
    encoding: Path
    languages: tuple[str, ...]
    version: Version
    versions: tuple[str, ...]
    readings: Mapping[str, Reading]
    properties: tuple[Property, ...]
    findings: tuple[Finding, ...]
    cards: Mapping[str, Card]
    words: Mapping[str, Mapping[str, Mapping[str, str]]]

    @property
    def folder(self) -> Path:
        """The folder of the rulebook."""
        return self.path.parent

    def board_names(self) -> tuple[str, ...]:
        """The names of the shipped boards, in alphabetical order."""
        return tuple(sorted(p.stem for p in (self.folder / "boards").glob("*.toml")))

    def require_language(self, language: str) -> None:
        """Refuse a language that the rulebook has no texts in.

        Raises:
            InputError: it is not one of the rulebook's.

        """
        if language not in self.languages:
            raise InputError(f'{self.name} is not told in "{language}"; {choices(self.languages)}')

    def choose(self, board: Board, given: Mapping[str, str]) -> dict[str, str]:
        """Return the value of every reading: given, else the board's, else the version's, else the default.

        Raises:
            InputError: an unknown reading or value.

        """
        chosen = {name: reading.default for name, reading in self.readings.items()}
        for source in (self.version.readings, board.readings, given):
            for name, value in source.items():
                if name not in self.readings:
                    raise InputError(f'there is no reading "{name}"; {closest(name, list(self.readings))}')
                if value not in self.readings[name].values:
                    known = ", ".join(self.readings[name].values)
                    raise InputError(f'reading "{name}" has no value "{value}"; expected one of {known}')
                chosen[name] = value
        return chosen

    def finding(self, name: str, board: str) -> Finding | None:
        """Return the known finding for a property on a board, if this version expects one."""
        for finding in self.findings:
            here = not finding.boards or board in finding.boards
            now = not finding.versions or self.version.name in finding.versions
            if finding.property == name and here and now:
                return finding
        return None
