"""What a comparison of readings comes to, as text, as Markdown and as JSON."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass

from checker.compare.model import Parting
from checker.compare.readings import Choice, title
from checker.compare.report import count, side_by_side
from checker.rulebook.model import Rulebook


@dataclass(frozen=True, slots=True)
class Summary:
    """A choice over all boards.

    taken: it is what is taken anyway. matters: the boards where it changes the ground rules, smallest first.
    breaks and keeps: properties, with the board, that are broken under the choice and not otherwise, and the
    reverse; for two readings only what neither does alone. parting: the shortest game on the smallest board that
    tells one reading from what is taken. undecided: boards where something is open. why_open: why there may be a
    game where none was found.
    """

    choice: Choice
    taken: bool
    matters: tuple[str, ...]
    breaks: tuple[str, ...]
    keeps: tuple[str, ...]
    parting: Parting | None
    undecided: tuple[str, ...]
    why_open: str = ""

    @property
    def same(self) -> bool:
        """Whether nothing tells the choice from what is taken, exhaustively."""
        return self.parting is None and not self.why_open and not self.undecided


@dataclass(frozen=True, slots=True)
class Decision:
    """Everything `equipoise readings` found.

    pairs: of two readings, where the two do something that neither does alone. pairs_asked: how many values of
    two readings were looked at. pairs_left: the boards too large for that. recommended: a set that keeps
    everything, None if there is no such set.
    """

    rulebook: str
    boards: tuple[str, ...]
    summaries: tuple[Summary, ...]
    pairs: tuple[Summary, ...]
    pairs_asked: int
    pairs_left: tuple[str, ...]
    recommended: Choice | None
    note: str


def to_json(found: Decision) -> str:
    """Return the decision field by field."""
    return json.dumps(asdict(found), ensure_ascii=False, indent=2) + "\n"


def to_text(found: Decision, book: Rulebook, language: str) -> str:
    """Return what every value of every reading does, then what pairs do, then what is recommended."""
    lines = [
        f"{found.rulebook}: {count(len(found.boards), 'board')}; every value against what each board takes without it"
    ]
    for name, group in _by_reading(found.summaries).items():
        lines += ["", f"{name}: {book.readings[name].question[language]}"]
        lines += (line for summary in group for line in _lines(summary))
    lines += ["", *_pair_lines(found)]
    lines += [f"recommended: {title(found.recommended)}"] if found.recommended else []
    return "\n".join([*lines, found.note]) + "\n"


def to_markdown(found: Decision, book: Rulebook, language: str) -> str:
    """Return a table with a row for each value, then the game that tells each from what is taken."""
    lines = [f"# {book.title[language]} {book.version.name}: readings", ""]
    lines += [
        f"What the text leaves open, on {len(found.boards)} boards: each value against what a board takes without it.",
        "",
        "| reading | value | other rules on | breaks | mends | told apart on |",
        "|---|---|---|---|---|---|",
    ]
    lines += (_row(summary) for summary in found.summaries)
    pairs = list(_pair_lines(found))
    lines += ["", *pairs, ""] if pairs else [""]
    lines += [f"Recommended: `{title(found.recommended)}`", ""] if found.recommended else []
    lines.append(f"{found.note[:1].upper()}{found.note[1:]}.")
    for name, group in _by_reading(found.summaries).items():
        shown = [summary for summary in group if summary.parting is not None]
        lines += ["", f"## {name}", "", book.readings[name].question[language]]
        lines += (line for summary in shown for line in ("", "```text", *_lines(summary), "```"))
    return "\n".join(lines) + "\n"


def _row(summary: Summary) -> str:
    ((name, value),) = summary.choice
    apart = "nothing" if summary.same else "no game was found"
    if summary.parting is not None:
        apart = f"{summary.parting.board}, {count(len(summary.parting.steps), 'step') or 'at the start'}"
    said = f"{value} (taken)" if summary.taken else value
    matters = count(len(summary.matters), "board") or "none"
    return f"| {name} | {said} | {matters} | {_named(summary.breaks)} | {_named(summary.keeps)} | {apart} |"


def _named(names: Sequence[str]) -> str:
    """Return properties, each once, with the boards."""
    boards: dict[str, list[str]] = {}
    for name in names:
        wanted, _, board = name.rpartition(" on ")
        boards.setdefault(wanted, []).append(board)
    return "; ".join(f"{wanted} ({', '.join(on)})" for wanted, on in boards.items())


def _by_reading(summaries: Iterable[Summary]) -> Mapping[str, list[Summary]]:
    groups: dict[str, list[Summary]] = {}
    for summary in summaries:
        groups.setdefault(summary.choice[0][0], []).append(summary)
    return groups


def _lines(summary: Summary) -> Iterator[str]:
    said = summary.choice[0][1] + (" (taken)" if summary.taken else "")
    if not summary.matters:
        yield f"  {said}: the same rules on every board"
        return
    apart = "" if summary.parting else "; no game tells it from what is taken, exhaustively"
    if not summary.parting and not summary.same:
        apart = "; no game was found that tells it from what is taken"
    yield f"  {said}: other rules on {count(len(summary.matters), 'board')}{apart}"
    yield from _kept(summary)
    if summary.parting is not None:
        yield from _game(summary.parting)


def _kept(summary: Summary) -> Iterator[str]:
    for heading, names in (("breaks", summary.breaks), ("mends", summary.keeps), ("undecided on", summary.undecided)):
        if names:
            yield f"    {heading} {', '.join(names)}"


def _pair_lines(found: Decision) -> Iterator[str]:
    """Say what two readings do together that neither does alone."""
    if not found.pairs_asked:
        return
    left = f", boards {', '.join(found.pairs_left)} left out" if found.pairs_left else ""
    said = f"{count(found.pairs_asked, 'pair')} of values{left}"
    yield f"{said}; {len(found.pairs) or 'none'} break or mend together what neither does alone."
    for summary in found.pairs:
        yield f"- {title(summary.choice)}:"
        yield from _kept(summary)


def _game(parting: Parting) -> Iterator[str]:
    when = f"after {count(len(parting.steps), 'step')}" if parting.steps else "at the start"
    yield f"    told apart on {parting.board} {when} (left as taken, right as chosen):"
    yield from (f"    {number}. {step}" for number, step in enumerate(parting.steps, start=1))
    yield from (f"    => {line}" for line in parting.ending)
    yield from side_by_side(parting.rows)
