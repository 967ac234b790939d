"""Read `rulings/*.toml`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import chain
from pathlib import Path
from typing import Any

from clingo import parse_term

from checker.errors import InputError, Problem, closest
from checker.rulebook.lint import nearest_clause
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


def has_rulings(folder: Path) -> bool:
    """Tell whether a rulebook has files of rulings in its folder."""
    return any((folder / "rulings").glob("*.toml"))


def read_rulings(book: Rulebook, path: Path) -> tuple[Ruling, ...]:
    """Read the rulings of one file, wherever it is.

    Raises:
        InputError: the file is wrong, a version is unknown, the rulebook's version lacks a clause it rests on, or a
            game asks nothing.

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
    for name, entry in entries.items():
        problems += _problems(path, name, entry)
    if problems:
        raise InputError(problems)
    rulings = tuple(_ruling(book, path, name, entry) for name, entry in entries.items())
    for ruling in rulings:
        problems += _clause_problems(book, ruling)
    if problems:
        raise InputError(problems)
    return rulings


def _problems(path: Path, name: str, entry: Mapping[str, Any]) -> Iterator[Problem]:
    """Yield what is wrong with the games of a ruling, whatever the rulebook."""
    games: list[list[str | int]] = [["outcomes", n, "steps"] for n in range(len(entry.get("outcomes", ())))]
    for keys in games or [["steps"]]:
        steps: Any = entry
        for key in keys:
            steps = steps[key]
        if not any(step.keys() & ASKS for step in steps):
            message = f"the game asks nothing: no step of it has one of {', '.join(ASKS)}"
            yield Problem(message, position(path, [name, *keys]))
        for number, step in enumerate(steps):
            for key, message in _step_problems(step):
                yield Problem(message, position(path, [name, *keys, number, key]))


ASKS = ("do", "do_any", "illegal", "holds", "fails", "events", "no_events")
"""What a step says that a game may not do."""

TERMS = ("do", "do_any", "choose", "illegal", "events", "no_events")
"""What a step names by terms without variables."""


def _step_problems(step: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield what is wrong with a step: the key, and a sentence."""
    if "because" in step and "illegal" not in step:
        yield "because", "because says what makes an action illegal; expected illegal beside it"
    if "choose" in step and not step.keys() & {"do", "do_any"}:
        yield "choose", "choose says how the outcome of an action goes; expected do or do_any beside it"
    if "do" in step and "do_any" in step:
        yield "do_any", "a step takes one action; expected do or do_any, not both"
    for key in TERMS:
        texts = step.get(key, [])
        for text in [texts] if isinstance(texts, str) else texts:
            if not _is_term(text):
                yield key, f"{key} has {text!r}; expected a term without variables, such as attach(blade, knight)"


def _is_term(text: str) -> bool:
    try:
        parse_term(text, logger=lambda *_: None)
    except RuntimeError:
        return False
    return True


def _clause_problems(book: Rulebook, ruling: Ruling) -> Iterator[Problem]:
    """Yield the clauses that a ruling rests on and the rulebook's version, which it names, does not have."""
    version = book.version
    if version.name not in ruling.versions:
        return
    named: Iterator[tuple[str, list[str | int]]] = ((clause, ["clauses"]) for clause in ruling.clauses)
    for clause, keys in chain(named, _reasons(ruling)):
        if version.number(clause) not in version.clauses:
            other = f'its own "{clause}" is another'
            near = other if clause in version.clauses else nearest_clause(clause, list(version.clauses))
            message = f'version {version.name} has no clause "{clause}", on which the ruling rests; {near}'
            yield Problem(message, position(ruling.path, [ruling.id, *keys]))


def _reasons(ruling: Ruling) -> Iterator[tuple[str, list[str | int]]]:
    """Yield the clauses that are to forbid an action, each with its keys in the ruling."""
    for place, line in enumerate(ruling.lines):
        game: list[str | int] = ["outcomes", place] if len(ruling.lines) > 1 else []
        for number, step in enumerate(line.steps):
            if step.because is not None:
                yield step.because, [*game, "steps", number, "because"]


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
