"""The game that `equipoise new` writes, to be changed by tests."""

from __future__ import annotations

from pathlib import Path

import pytest

from checker.ci.scaffold import write_rulebook
from checker.cli import main

DETACH = "%@ 1.a\nset(attached(G, U'), no) :- occurs(attach(G, U)), now(attached(G, U'), yes).\n"
"""The rule that a new attachment ends the old one; without it a blade is on two units after two steps."""

CLAUSE = '["1.a"]\ntext = { en = "Attaching gear detaches it from where it was." }\nstatus = "encoded"\n'
OUT_OF_SCOPE = CLAUSE.replace('"encoded"', '"out_of_scope"\nwhy = "tried out"')


def start(folder: Path) -> Path:
    """Write the game into a folder and return it."""
    write_rulebook(folder, "Swords")
    return folder


def edit(file: Path, old: str, new: str) -> None:
    """Replace the one place where a text stands in a file."""
    text = file.read_text(encoding="utf-8")
    assert text.count(old) == 1, f"{old!r} is not once in {file}"
    file.write_text(text.replace(old, new), encoding="utf-8")


def break_it(folder: Path) -> Path:
    """Take away the rule that a new attachment ends the old one, and say so in the clauses."""
    edit(folder / "rules" / "attach.lp", DETACH, "")
    edit(folder / "clauses" / "1.toml", CLAUSE, OUT_OF_SCOPE)
    return folder


def run(*arguments: object) -> int:
    """Run the command line and return its exit code."""
    with pytest.raises(SystemExit) as stop:
        main([str(argument) for argument in arguments])
    return int(stop.value.code or 0)
