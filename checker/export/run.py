"""The command `export`: write a board for other checkers, or tell the game that one of them found."""

from __future__ import annotations

import platform
import sys
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path

import click

from checker import __version__
from checker.check import BoardResult, Judged, Status
from checker.engines.protocol import Counts, Holds, Violated
from checker.errors import InputError, closest
from checker.export.aiger import to_aiger
from checker.export.btor2 import to_btor2
from checker.export.machine import KINDS, Machine, machine
from checker.export.vmt import to_vmt
from checker.export.witness import read_aiger, read_btor2, to_game
from checker.pipeline import read_rules, system_of
from checker.report.model import FORMAT, Document, RunFacts
from checker.report.render import render
from checker.report.summary import collect, summarise
from checker.rulebook.load import load_board, load_rulebook
from checker.rulebook.model import Property, Rulebook
from checker.system.model import Kind, Trace

READERS = {"aiger": read_aiger, "btor2": read_btor2}


def run_export(
    rulebook: str, board: str, readings: Mapping[str, str], wanted: Sequence[str], form: str, output: Path | None
) -> int:
    """Write a board in `form`, to `output` or to standard output; 0 if that went well.

    AIGER is written in its binary format if the file's name ends in `.aig`, else as text.

    Raises:
        InputError: anything wrong with the files or the arguments; then nothing is written.

    """
    made, told = _machine(rulebook, board, readings, wanted)
    comment = f"{told.rulebook.name} {told.rulebook.version.name}, {told.board.name}; equipoise {__version__}"
    if form == "aiger":
        graph = to_aiger(made, comment)
        binary = output is not None and output.suffix == ".aig"
        content = graph.binary() if binary else graph.text().encode()
    else:
        content = (to_btor2 if form == "btor2" else to_vmt)(made, comment).encode()
    if output is None:
        click.echo(content.decode(), nl=False)
    else:
        output.write_bytes(content)
        click.echo(f"wrote {output}", err=True)
    return 0


def run_witness(
    rulebook: str, board: str, readings: Mapping[str, str], wanted: Sequence[str], form: str, witness: Path
) -> int:
    """Read a witness for what `run_export` wrote, confirm the game by replay and tell it; 1 if it breaks a property.

    Raises:
        InputError: the witness cannot be read, or takes a step that the rules do not allow.
        ReplayError: its end does not show what it is said to show.

    """
    if form not in READERS:
        raise InputError(f"witnesses are read in the formats {' and '.join(READERS)}, not in {form}")
    made, told = _machine(rulebook, board, readings, wanted)
    try:
        text = sys.stdin.read() if str(witness) == "-" else witness.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"{witness} cannot be read: {error}") from None
    goal, game = to_game(made, READERS[form](made, text))
    asked = next(p for p in told.rulebook.properties if p.name == goal.name)
    reached = goal.kind is Kind.SOMETIMES
    trace = Trace(game.states, ())
    answer = Holds("witness", trace) if reached else Violated(trace, shortest=False)
    status = Status.HOLDS if reached else Status.VIOLATED
    judged = (Judged(asked, answer, "witness", status, None, game),)
    result = BoardResult(told.rulebook, told.board, told.readings, made.system, judged, Counts(), 0.0, {})
    run = RunFacts(f"equipoise {__version__}", platform.python_version(), _now(), 0.0, ())
    book = collect(told.rulebook, [summarise(result, "en")], "en")
    click.echo(render(Document(FORMAT, "en", (book,), run), "text"), nl=False)
    return 0 if reached else 1


def _machine(
    rulebook: str, board: str, readings: Mapping[str, str], wanted: Sequence[str]
) -> tuple[Machine, BoardResult]:
    """Load a board, and make a machine that is asked for some properties; also return it without verdicts."""
    book = load_rulebook(rulebook)
    layout = load_board(book, board)
    chosen = book.choose(layout, readings)
    properties = _properties(book, wanted)
    system = system_of(book, read_rules(book), layout, chosen, properties)
    return machine(system, system.goals), BoardResult(book, layout, chosen, system, (), Counts(), 0.0, {})


def _properties(book: Rulebook, wanted: Sequence[str]) -> tuple[Property, ...]:
    """Return the properties asked for, by default all that a circuit can show."""
    able = {p.name: p for p in book.properties if p.kind in KINDS}
    for name in wanted:
        if name not in {p.name for p in book.properties}:
            raise InputError(f'{book.name} has no property "{name}"; {closest(name, list(able))}')
        if name not in able:
            raise InputError(f'"{name}" asks about whole runs; a board is exported with what one board or step shows')
    return tuple(p for name, p in able.items() if not wanted or name in wanted)


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")
