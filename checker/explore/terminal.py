"""Play in a terminal: numbers to choose, letters for the rest."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from checker.errors import InputError
from checker.explore.jump import Answer, jump
from checker.explore.save import to_itf, to_ruling
from checker.explore.say import Speaker
from checker.explore.table import Position, Table
from checker.explore.whynot import why_not
from checker.report.draw import draw
from checker.report.model import Cited

WALK = 10
"""Steps of a random walk."""


class Session:
    """A game at a terminal. `position` is where it stands."""

    def __init__(self, table: Table, echo: Callable[[str], object]) -> None:
        self.table, self.echo = table, echo
        self.speaker = Speaker(table)
        self.labels = self.speaker.labels
        self.position = table.begin()
        self.commands: dict[str, Callable[[str], None]] = {
            "u": self._undo, "w": self._why, "g": self._game, "j": self._jump, "r": self._walk, "s": self._save,
            "i": self._begin,
        }  # fmt: skip

    def run(self, lines: Iterable[str]) -> None:
        """Read commands until `q` or the end of the input."""
        self.echo(self.labels["text_help"])
        self._show()
        for line in lines:
            word, _, rest = line.strip().partition(" ")
            if word == "q":
                return
            try:
                if word.isascii() and word.isdigit():
                    self._take(int(word))
                elif word in self.commands:
                    self.commands[word](rest.strip())
                elif word:
                    self._refuse(word)
            except (InputError, OSError) as error:
                self.echo(str(error))

    def _refuse(self, word: str) -> None:
        self.echo(self.labels("text_what", word))
        self.echo(self.labels["text_help"])

    def _take(self, number: int) -> None:
        moves = self.table.moves(self.position)
        if not 1 <= number <= len(moves):
            self._refuse(str(number))
            return
        self._go(self.table.position(self.position.start, (*self.position.tokens, moves[number - 1].token)))

    def _undo(self, _: str) -> None:
        if not self.position.tokens:
            self.echo(self.labels["text_no_undo"])
            return
        self._go(self.table.position(self.position.start, self.position.tokens[:-1]))

    def _begin(self, number: str) -> None:
        if not (number.isascii() and number.isdigit()):
            self._refuse(f"i {number}")
            return
        self._go(self.table.begin(int(number)))

    def _why(self, word: str) -> None:
        for why in why_not(self.table, self.position):
            refusal = self.speaker.refusal(why)
            if word.lower() not in f"{refusal.sentence} {refusal.term}".lower():
                continue
            self.echo(f"{refusal.sentence}  [{refusal.term}]")
            for line in refusal.lines:
                clauses = self._ids(line.clauses)
                self.echo(f"{'  ' * (line.depth + 1)}{line.text}{f'  [{clauses}]' if clauses else ''}")

    def _game(self, _: str) -> None:
        for step in self.table.game(self.position).steps:
            self.echo(f"{step.number}. {self.labels.sentence(step.sentence)}")

    def _jump(self, name: str) -> None:
        found = jump(self.table, name)
        if isinstance(found, Answer):
            self.echo(self.labels[f"answer_{found.value}"])
        else:
            self._go(found)

    def _walk(self, seed: str) -> None:
        if not (seed.isascii() and seed.isdigit()):
            self._refuse(f"r {seed}")
            return
        self._go(self.table.walk(self.position, WALK, int(seed)))

    def _save(self, name: str) -> None:
        if Path(name).suffix not in (".toml", ".json"):
            self._refuse(f"s {name}")
            return
        text = (to_ruling if name.endswith(".toml") else to_itf)(self.table, self.position)
        Path(name).write_text(text, encoding="utf-8")
        self.echo(self.labels("text_saved", name))

    def _go(self, position: Position) -> None:
        self.position = position
        self._show()

    def _show(self) -> None:
        for line in self._lines():
            self.echo(line)

    def _lines(self) -> Iterator[str]:
        """Yield the last step, the board, what it shows, and the legal moves with their numbers."""
        game, labels = self.table.game(self.position), self.labels
        yield ""
        if game.steps:
            last = game.steps[-1]
            yield f"{labels('last_step', last.number)}{labels['colon']}{labels.sentence(last.sentence)}"
            for change in last.changes:
                clauses = self._ids(change.clauses)
                yield f"    {change.sentence}{f'  [{clauses}]' if clauses else ''}"
        boards = [game.start, *(step.board for step in game.steps if step.board is not None)]
        drawing = draw(boards[-1], labels)
        for row in drawing.rows:
            marks = ", ".join((*((row.controller,) if row.controller else ()), *row.marks))
            tucked = "  " * row.depth + ("↳ " if row.depth else "")
            yield f"  {row.place:<26}{tucked}{row.title}{f' ({marks})' if marks else ''}"
        yield "  " + " · ".join(f"{heading}{labels['colon']}{value}" for heading, value, _ in drawing.status)
        for one in self.table.shown(self.position):
            said = labels["reaches" if one.property.kind.value == "sometimes" else "breaks"]
            culprits = labels.joined(map(self.table.words.term, one.culprits))
            title = one.property.title[self.table.language]
            yield f"! {said}{labels['colon']}{title}{f' ({culprits})' if culprits else ''}"
            if one.finding is not None:
                yield f"  {labels['finding']}{labels['colon']}{one.finding.title[self.table.language]}"
        yield from self._choices()

    def _choices(self) -> Iterator[str]:
        moves = self.table.moves(self.position)
        if not moves:
            yield self.labels["game_over" if self.position.over else "no_moves"]
        for number, move in enumerate(moves, start=1):
            clauses = self._ids(self.speaker.clauses(move))
            yield f"{number:>3} {self.speaker.move(move)}{f'  [{clauses}]' if clauses else ''}"

    def _ids(self, clauses: Iterable[Cited]) -> str:
        return ", ".join(dict.fromkeys(cited.id or self.labels["assumed"] for cited in clauses))
