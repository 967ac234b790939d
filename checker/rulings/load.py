"""Read `rulings/*.toml`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from checker.errors import InputError, Problem, closest
from checker.rulebook.model import Rulebook, Text
from checker.rulebook.toml import position, read_toml
from checker.rulings.model import Line, Ruling, RulingStep


def load_rulings(book: Rulebook) -> tuple[Ruling, ...]:
    """Read every ruling of a rulebook, in the order of files and cases.

    Raises:
        InputError: a file is wrong, an id is used twice, or a version is unknown.

    """
    rulings: dict[str, Ruling] = {}
    problems: list[Problem] = []
    for path in sorted((book.folder / "rulings").glob("*.toml")):
        for name, entry in read_toml(path, "rulings").items():
            versions = tuple(entry.get("versions", book.versions))
            for version in versions:
                if version not in book.versions:
                    message = f'there is no version "{version}"; {closest(version, book.versions)}'
                    problems.append(Problem(message, position(path, [name, "versions"])))
            if name in rulings:
                message = f'a ruling "{name}" is already in {rulings[name].path.name}'
                problems.append(Problem(message, position(path, [name])))
            shared = entry.get("readings", {})
            lines = entry.get("outcomes") or [entry]
            rulings[name] = Ruling(
                id=name,
                path=path,
                title=Text(entry["title"]),
                source=entry["source"],
                status=entry["status"],
                versions=versions,
                board=entry["board"],
                clauses=tuple(entry.get("clauses", ())),
                lines=tuple(Line(shared | line.get("readings", {}), _steps(line)) for line in lines),
            )
    if problems:
        raise InputError(problems)
    return tuple(rulings.values())


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
