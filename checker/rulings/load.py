"""Read `rulings/*.toml`."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from checker.errors import InputError, Problem, closest
from checker.rulebook.model import Rulebook, Text
from checker.rulebook.toml import position, read_toml
from checker.rulings.model import Line, Ruling, RulingStep


def load_rulings(book: Rulebook, folder: Path | None = None) -> tuple[Ruling, ...]:
    """Read every ruling of a rulebook, in the order of files and cases; of another folder if one is given.

    Raises:
        InputError: a file is wrong, an id is used twice, or a version is unknown.

    """
    rulings: dict[str, Ruling] = {}
    problems: list[Problem] = []
    for path in sorted((folder or book.folder / "rulings").glob("*.toml")):
        try:
            read = read_rulings(book, path)
        except InputError as error:
            problems += error.problems
            continue
        for ruling in read:
            if ruling.id in rulings:
                message = f'a ruling "{ruling.id}" is already in {rulings[ruling.id].path.name}'
                problems.append(Problem(message, position(path, [ruling.id])))
            rulings[ruling.id] = ruling
    if problems:
        raise InputError(problems)
    return tuple(rulings.values())


def read_rulings(book: Rulebook, path: Path) -> tuple[Ruling, ...]:
    """Read the rulings of one file, wherever it is.

    Raises:
        InputError: the file is wrong, or a version is unknown.

    """
    entries = read_toml(path, "rulings")
    problems = [
        Problem(
            f'there is no version "{version}"; {closest(version, book.versions)}', position(path, [name, "versions"])
        )
        for name, entry in entries.items()
        for version in entry.get("versions", ())
        if version not in book.versions
    ]
    if problems:
        raise InputError(problems)
    return tuple(_ruling(book, path, name, entry) for name, entry in entries.items())


def _ruling(book: Rulebook, path: Path, name: str, entry: Mapping[str, Any]) -> Ruling:
    shared = entry.get("readings", {})
    lines = entry.get("outcomes") or [entry]
    return Ruling(
        id=name,
        path=path,
        title=Text(entry["title"]),
        source=entry["source"],
        status=entry["status"],
        versions=tuple(entry.get("versions", book.versions)),
        board=entry["board"],
        clauses=tuple(entry.get("clauses", ())),
        lines=tuple(Line(shared | line.get("readings", {}), _steps(line)) for line in lines),
    )


def _steps(line: Mapping[str, Any]) -> tuple[RulingStep, ...]:
    return tuple(
        RulingStep(
            do=tuple(step.get("do_any", [step["do"]] if "do" in step else [])),
            choose=tuple(step.get("choose", ())),
            settle=step.get("settle", False),
            illegal=step.get("illegal"),
            because=step.get("because"),
            holds=tuple(step.get("holds", ())),
            fails=tuple(step.get("fails", ())),
            events=tuple(step.get("events", ())),
            no_events=tuple(step.get("no_events", ())),
        )
        for step in line["steps"]
    )
