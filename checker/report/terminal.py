"""A result on a terminal: tables of verdicts, the games of violations, and what is not covered."""

from __future__ import annotations

import io
import os
import sys
from collections import Counter
from collections.abc import Sequence

from rich.console import Console
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from checker.report.draw import Drawing, draw
from checker.report.evidence import behind, evidence, grouped, idle, permits, reasons, tension
from checker.report.labels import Labels
from checker.report.model import (
    BoardReport,
    Document,
    Game,
    PropertyReport,
    RulebookReport,
    StepView,
)
from checker.report.told import as_told, more, otherwise, remarks

STYLES = {
    "holds": "green",
    "violated": "bold red",
    "finding vanished": "bold red",
    "unknown": "magenta",
    "known finding": "yellow",
    "not on this board": "dim",
}
URGENT = ("violated", "finding vanished", "unknown", "known finding", "holds", "not on this board")
"""The order in which verdicts are listed."""

QUIET = frozenset({"holds", "not on this board"})
"""Verdicts that are only counted; on a single board what holds is listed too."""

SHOWN = 8
"""How many names of what never happens are listed."""

PIPE_WIDTH = 110
"""Columns where standard output is no terminal, so that a file looks the same everywhere."""


def to_text(document: Document) -> str:
    """Return the result as a terminal shows it, in colour if standard output is one."""
    colour = sys.stdout.isatty()
    width = os.get_terminal_size().columns if colour else PIPE_WIDTH
    stream = io.StringIO()
    console = Console(
        file=stream,
        force_terminal=colour,
        width=width,
        highlight=False,
        markup=False,
        emoji=False,
        color_system="auto" if colour else None,
    )
    teller = _Teller(console, Labels(document.language))
    for book in document.rulebooks:
        teller.rulebook(book)
    # Tables pad their cells; nobody wants the blanks in a file.
    lines = (line.rstrip() for line in stream.getvalue().splitlines())
    return "\n".join(lines).rstrip() + "\n"


class _Teller:
    """Prints the parts of a result."""

    def __init__(self, console: Console, labels: Labels) -> None:
        self.console, self.labels = console, labels

    def rulebook(self, book: RulebookReport) -> None:
        """Print a rulebook: its boards, the verdicts that ask for attention, and the games of violations."""
        date = f" ({book.date})" if book.date else ""
        self.console.print(f"{book.title} {book.version}{date}", style="bold")
        self._print(self._boards(book.boards))
        asked = all(len(board.properties) == 1 for board in book.boards)
        quiet: frozenset[str] = QUIET
        if len(book.boards) == 1:
            quiet = frozenset() if asked else QUIET - {"holds"}
        listed = [
            (board, wanted)
            for status in URGENT
            for board in book.boards
            for wanted in board.properties
            if wanted.status == status and status not in quiet
        ]
        if listed:
            self._print(self._verdicts(listed))
        all_of_it = [(board, wanted) for board in book.boards for wanted in board.properties]
        for board, wanted in _games(all_of_it if asked else listed, asked):
            self._property(book, board, wanted)
        self._not_covered(book)

    def _print(self, table: Table) -> None:
        self.console.print(table)
        self.console.print()

    def _boards(self, boards: Sequence[BoardReport]) -> Table:
        """Return a line for each board: its reachable boards, its verdicts by status, seconds."""
        table = _table()
        found = {board.board: Counter(wanted.status for wanted in board.properties) for board in boards}
        statuses = [status for status in STYLES if any(found[board.board][status] for board in boards)]
        table.add_column(self.labels["board"], no_wrap=True)
        table.add_column(self.labels["reachable"], justify="right", no_wrap=True)
        for status in statuses:
            table.add_column(self.labels.status[status], justify="right")
        table.add_column(self.labels["seconds"], justify="right")
        for board in boards:
            counts = found[board.board]
            tally = (Text(str(counts[status] or ""), STYLES[status]) for status in statuses)
            table.add_row(board.board, self._states(board), *tally, f"{board.seconds:.2f}")
        return table

    def _states(self, board: BoardReport) -> str:
        if board.counts.states is None:
            return "?"
        return ("" if board.counts.complete else "≥ ") + self.labels.number(board.counts.states)

    def _verdicts(self, listed: Sequence[tuple[BoardReport, PropertyReport]]) -> Table:
        """Return a line for each verdict; on each board one for all that are unknown for the same reason."""
        table = _table()
        for heading in ("board", "verdict", "property", "evidence", "tension"):
            table.add_column(self.labels[heading], no_wrap=heading in ("board", "verdict"))
        unknown = Counter((b.board, w.how) for b, w in listed if w.status == "unknown")
        for board, wanted in listed:
            title, count = wanted.title, 1
            if wanted.status == "unknown":
                count = unknown.pop((board.board, wanted.how), 0)
                title = title if count == 1 else self.labels("properties", count)
            if count:
                verdict = Text(self.labels.status[wanted.status], STYLES[wanted.status])
                said = Text(evidence(wanted, self.labels))
                table.add_row(board.board, verdict, Text(title), said, wanted.tension if count == 1 else "")
        return table

    def _property(self, book: RulebookReport, board: BoardReport, wanted: PropertyReport) -> None:
        verdict = Text(self.labels.status[wanted.status], STYLES[wanted.status])
        title = f"{self.labels['colon']}{wanted.title} ({board.board})"
        self.console.print(Text.assemble(verdict, title), style="bold")
        for line in remarks(wanted, self.labels):
            self._line(line, 1)
        if said := tension(book, wanted, self.labels):
            self._line(f"{self.labels['tension']} {said}", 1, "dim")
        ways = (as_told(wanted), *otherwise(wanted))
        for number, way in enumerate(ways, start=1):
            if number > 1:
                self._line(f"{self.labels('another', number, len(ways))}{self.labels['colon'].rstrip()}", 1, "bold")
            if way.game is not None:
                self._game(way, way.game)
        if clauses := idle(book, wanted):
            self._line(self.labels("idle", ", ".join(clauses)), 1)
        self.console.print()

    def _game(self, wanted: PropertyReport, game: Game) -> None:
        before = game.start
        for step in game.steps:
            self._step(step)
            before = step.board or before
        if game.loop is not None:
            line = self.labels("loops", game.loop) if game.loop else self.labels["loops_start"]
            self._line(line, 1)
        self._drawing(draw(before, self.labels), last=bool(game.steps and game.steps[-1].board is None))
        end = self.labels["reached_end" if wanted.status == "holds" else "broken_end"]
        culprits = f" ({self.labels.joined(wanted.culprits)})" if wanted.culprits else ""
        self._line(f"{end}{self.labels['colon']}{wanted.title}{culprits}", 1)
        self._line(reasons(game, self.labels), 1)
        if clauses := [cited.id for cited in permits(wanted) if cited.id]:
            self._line(f"{self.labels['permits']}{self.labels['colon']}{', '.join(clauses)}", 1)
        if clauses := [cited.id or "" for cited in behind(game)]:
            self._line(f"{self.labels['behind']}{self.labels['colon']}{', '.join(clauses)}", 1)
        if wanted.note:
            self._line(wanted.note, 1)

    def _step(self, step: StepView) -> None:
        notes = [self.labels["forced"]] if step.forced else []
        notes += [] if step.matters else [self.labels["aside"]]
        notes += [self.labels.listed("because", step.because)] if step.because else []
        said = f" ({', '.join(notes)})" if notes else ""
        style = "" if step.matters else "dim"
        self._line(f"{step.number}. {self.labels.sentence(step.sentence)}{said}.", 1, style)
        for change in step.changes:
            clauses = ", ".join(dict.fromkeys(cited.id or self.labels["assumed"] for cited in change.clauses))
            self._line(f"{change.sentence}{f'  [{clauses}]' if clauses else ''}", 2, "dim")

    def _drawing(self, drawing: Drawing, last: bool) -> None:
        if last:
            self._line(self.labels["before"], 1)
        table = _table()
        for heading in ("place", "object", "controller", "marks"):
            table.add_column(self.labels[heading], overflow="fold")
        for row in drawing.rows:
            title = "  " * row.depth + ("↳ " if row.depth else "") + row.title
            table.add_row(Text(row.place), Text(title), Text(row.controller), Text(", ".join(row.marks)))
        self.console.print(Padding(table, (0, 0, 0, 2)))
        if drawing.status:
            colon = self.labels["colon"]
            self._line(" · ".join(f"{heading}{colon}{value}" for heading, value, _ in drawing.status), 1)

    def _not_covered(self, book: RulebookReport) -> None:
        for title, missing in grouped(book.never, self.labels):
            rest = self.labels("more", len(missing) - SHOWN) if len(missing) > SHOWN else ""
            self._line(f"{title}{self.labels['colon']}{', '.join(missing[:SHOWN])}{rest}", 0, "magenta")
        if book.untagged:
            self._line(f"{self.labels['untagged']}{self.labels['colon']}{', '.join(book.untagged)}", 0, "magenta")
        if book.not_encoded:
            count = self.labels.number(len(book.not_encoded))
            self._line(f"{self.labels['not_encoded']}{self.labels['colon']}{count}", 0, "dim")
        self.console.print()

    def _line(self, text: str, depth: int, style: str = "") -> None:
        self.console.print(Padding(Text(text, style), (0, 0, 0, 2 * depth)))


def _games(
    listed: Sequence[tuple[BoardReport, PropertyReport]], asked: bool
) -> list[tuple[BoardReport, PropertyReport]]:
    """Choose the games to tell: of each property that is violated, or asked for, one shortest."""
    told: dict[str, tuple[BoardReport, PropertyReport]] = {}
    for board, wanted in listed:
        if wanted.game is None or not (asked or wanted.status == "violated" or more(wanted)):
            continue
        known = told[wanted.name][1].game if wanted.name in told else None
        if known is None or len(wanted.game.steps) < len(known.steps):
            told[wanted.name] = (board, wanted)
    return list(told.values())


def _table() -> Table:
    return Table(box=None, pad_edge=False, header_style="dim", show_edge=False)
