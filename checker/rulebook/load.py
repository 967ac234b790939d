"""Read a rulebook folder into a `Rulebook`, and a board file into a `Board`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from checker.errors import InputError, Position, Problem, closest
from checker.paths import display, encodings, models
from checker.rulebook.model import (
    Board,
    Card,
    Clause,
    Finding,
    Property,
    Reading,
    Rulebook,
    Text,
    Version,
)
from checker.rulebook.toml import position, read_toml, schema_problems
from checker.system.model import Kind
from checker.typography import all_spaced


def load_rulebook(where: str) -> Rulebook:
    """Read a rulebook.

    Args:
        where: a shipped rulebook's name (`riftbound`), the folder of one's own, or its `rulebook.toml`,
            each optionally followed by `@VERSION`.

    Raises:
        InputError: a file is missing or wrong; each problem has file:line:column.

    """
    name, wanted = split_version(where)
    path = find_rulebook(name)
    data = read_toml(path, "rulebook")
    languages = tuple(data["rulebook"]["languages"])
    readings = {k: _reading(k, v) for k, v in data.get("readings", {}).items()}
    _check_readings(path, data, readings)
    properties = tuple(_property(entry) for entry in data.get("properties", ()))
    findings = tuple(_finding(entry) for entry in data.get("findings", ()))
    _check_properties(path, properties, findings, tuple(data["versions"]))
    return Rulebook(
        name=data["rulebook"]["name"],
        path=path,
        title=Text(data["rulebook"]["title"]),
        encoding=_encoding(path, data["rulebook"]["encoding"]),
        languages=languages,
        version=_version(path, data, wanted or data["rulebook"]["default_version"], languages),
        versions=tuple(data["versions"]),
        readings=readings,
        properties=properties,
        findings=findings,
        cards=_cards(path.parent, languages),
        words={lang: _words(path.parent, lang) for lang in languages},
    )


def load_board(rulebook: Rulebook, where: str) -> Board:
    """Read a board by its name in the rulebook's `boards/`, or by the path of a TOML file.

    Raises:
        InputError: there is no such board, or the file is wrong.

    """
    path = Path(where) if where.endswith(".toml") else rulebook.folder / "boards" / f"{where}.toml"
    if not path.is_file():
        raise InputError(f'there is no board "{where}"; {closest(where, rulebook.board_names())}')
    data = read_toml(path, "board")
    own = rulebook.folder / "schemas" / "board.schema.json"
    if own.is_file():
        read_toml(path, own)
    board = Board(
        name=path.stem,
        path=path,
        purpose=Text({"en": purpose} if isinstance(purpose := data["purpose"], str) else purpose),
        readings=data.get("readings", {}),
        facts=data.get("facts", {}),
        objects=data.get("objects", {}),
    )
    _check_board(rulebook, board)
    return board


def split_version(where: str) -> tuple[str, str]:
    """Split `RULEBOOK@VERSION`; the version is empty where none is named.

    Raises:
        InputError: there is no name before the @, or no version after it.

    """
    name, at, wanted = where.rpartition("@")
    if not at or Path(where).exists():
        name, wanted = where, ""
    elif not wanted:
        raise InputError(f'"{where}" names no version after the @; expected one such as {name}@1.0, or no @')
    if not name:
        raise InputError(f'"{where}" names no rulebook; expected the name of one, its folder or its rulebook.toml')
    return name, wanted


def find_rulebook(name: str) -> Path:
    """Return the `rulebook.toml` of a shipped rulebook's name, a folder, or the file itself.

    Raises:
        InputError: there is none.

    """
    for base in (Path(name), models() / name):
        for path in (base, base / "rulebook.toml"):
            if path.is_file():
                return path
    shipped = sorted(p.parent.relative_to(models()).as_posix() for p in models().rglob("rulebook.toml"))
    raise InputError(f'there is no rulebook "{name}": no such folder or file; {closest(name, shipped)}')


def rules_borrowed(book: Rulebook) -> str | None:
    """Say that a rulebook outside the shipped ones has the shipped rules; None if its rules are its own."""
    if book.folder.resolve().is_relative_to(models().resolve()) or not book.encoding.is_relative_to(encodings()):
        return None
    name, folder = book.encoding.relative_to(encodings()), display(book.folder)
    return (
        f"the rules of {folder} are the shipped ones in {display(book.encoding.parent)}, since it has no {name}; to "
        f"have its own, copy {display(encodings() / name.parts[0])} to {display(book.folder / name.parts[0])}"
    )


def _encoding(path: Path, name: str) -> Path:
    for base in (path.parent, encodings()):
        if (base / name).is_file():
            return base / name
    raise InputError(
        f'the encoding "{name}" is neither in {display(path.parent)} nor in {display(encodings())}',
        position(path, ["rulebook", "encoding"]),
    )


def _reading(name: str, entry: Mapping[str, Any]) -> Reading:
    return Reading(
        name=name,
        values=tuple(entry["values"]),
        default=entry["default"],
        clauses=tuple(entry.get("clauses", ())),
        question=Text(entry["question"]),
        tension=entry.get("tension"),
        evidence=entry.get("evidence"),
    )


def _property(entry: Mapping[str, Any]) -> Property:
    return Property(
        name=entry["name"],
        kind=Kind(entry["kind"]),
        title=Text(entry["title"]),
        clauses=tuple(entry.get("clauses", ())),
        tension=entry.get("tension"),
    )


def _finding(entry: Mapping[str, Any]) -> Finding:
    return Finding(
        property=entry["property"],
        boards=tuple(entry.get("boards", ())),
        title=Text(entry["title"]),
        tension=entry.get("tension"),
        versions=tuple(entry.get("versions", ())),
    )


def _version(path: Path, data: Mapping[str, Any], name: str, languages: Sequence[str]) -> Version:
    if name not in data["versions"]:
        raise InputError(f'{display(path)} has no version "{name}"; {closest(name, list(data["versions"]))}')
    entry = data["versions"][name]
    file = path.parent / entry["clauses"]
    written = read_toml(file, "clauses")
    _check_languages(file, written, languages)
    clauses = {
        key: Clause(key, Text(c["text"]), c["status"], c.get("why"), c.get("force", {})) for key, c in written.items()
    }
    return Version(name, entry.get("date"), file, clauses, entry.get("readings", {}), entry.get("aliases", {}))


def _cards(folder: Path, languages: Sequence[str]) -> dict[str, Card]:
    cards: dict[str, Card] = {}
    own = folder / "schemas" / "card.schema.json"
    for path in sorted((folder / "cards").glob("*.toml")):
        data = read_toml(path, "card")
        _check_languages(path, data, languages)
        if own.is_file():
            _check_card_facts(path, data, own)
        for name, entry in data.items():
            if name in cards:
                raise InputError(f'a card "{name}" is already defined in another file', position(path, [name]))
            cards[name] = Card(name, Text(entry["title"]), Text(entry.get("text", {})), entry.get("facts", {}))
    return cards


def _check_languages(path: Path, data: Mapping[str, Any], languages: Sequence[str]) -> None:
    """Demand the text of every entry in every language of the rulebook."""
    problems = [
        Problem(f"{name}.text lacks {', '.join(missing)}, of the rulebook's languages", position(path, [name, "text"]))
        for name, entry in data.items()
        if (missing := [language for language in languages if language not in entry["text"]])
    ]
    if problems:
        raise InputError(problems)


def _check_card_facts(path: Path, data: Mapping[str, Any], schema: Path) -> None:
    """Validate each card's `facts` against the game's own schema, where the game has one."""
    problems = [
        problem
        for name, entry in data.items()
        for problem in schema_problems(path, entry.get("facts", {}), schema, (name, "facts"))
    ]
    if problems:
        raise InputError(problems)


def _words(folder: Path, language: str) -> dict[str, dict[str, str]]:
    path = folder / "words" / f"{language}.toml"
    sections = read_toml(path, "words") if path.is_file() else {}
    return {name: all_spaced(section, language) for name, section in sections.items()}


def _check_readings(path: Path, data: Mapping[str, Any], readings: Mapping[str, Reading]) -> None:
    problems = [
        Problem(
            f'the default "{r.default}" of reading "{r.name}" is not one of its values {", ".join(r.values)}',
            position(path, ["readings", r.name, "default"]),
        )
        for r in readings.values()
        if r.default not in r.values
    ]
    for version, entry in data["versions"].items():
        for name, value in entry.get("readings", {}).items():
            place = position(path, ["versions", version, "readings", name])
            problems += _reading_problems(readings, name, value, place)
    if problems:
        raise InputError(problems)


def _reading_problems(readings: Mapping[str, Reading], name: str, value: str, place: Position) -> list[Problem]:
    if name not in readings:
        return [Problem(f'there is no reading "{name}"; {closest(name, list(readings))}', place)]
    if value not in readings[name].values:
        known = ", ".join(readings[name].values)
        return [Problem(f'reading "{name}" has no value "{value}"; expected one of {known}', place)]
    return []


def _check_properties(
    path: Path, properties: tuple[Property, ...], findings: tuple[Finding, ...], versions: tuple[str, ...]
) -> None:
    names = [p.name for p in properties]
    problems = [
        Problem(f'a property "{name}" is already defined', position(path, ["properties", index, "name"]))
        for index, name in enumerate(names)
        if name in names[:index]
    ]
    problems += [
        Problem(
            f'the finding is about a property "{finding.property}" that does not exist; '
            + closest(finding.property, names),
            position(path, ["findings", index, "property"]),
        )
        for index, finding in enumerate(findings)
        if finding.property not in names
    ]
    known_boards = {p.stem for p in (path.parent / "boards").glob("*.toml")}
    problems += [
        Problem(f'there is no board "{board}"', position(path, ["findings", index, "boards"]))
        for index, finding in enumerate(findings)
        for board in finding.boards
        if board not in known_boards
    ]
    problems += [
        Problem(
            f'there is no version "{version}"; {closest(version, versions)}',
            position(path, ["findings", index, "versions"]),
        )
        for index, finding in enumerate(findings)
        for version in finding.versions
        if version not in versions
    ]
    if problems:
        raise InputError(problems)


def _check_board(rulebook: Rulebook, board: Board) -> None:
    problems: list[Problem] = []
    for name, value in board.readings.items():
        place = position(board.path, ["readings", name])
        problems += _reading_problems(rulebook.readings, name, value, place)
    for name, entry in board.objects.items():
        card = entry.get("card")
        if card is not None and card not in rulebook.cards:
            place = position(board.path, ["objects", name, "card"])
            problems.append(Problem(f'there is no card "{card}"; {closest(card, list(rulebook.cards))}', place))
    if problems:
        raise InputError(problems)
