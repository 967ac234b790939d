"""What a run of mutants comes to: counts, scores by chapter and by clause, and the survivors, as text and JSON."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from checker.mutation.campaign import KILLED, OPEN, REFUSED, SAME, SURVIVED, Plan, Ran, Tried, by_rule
from checker.mutation.record import FORMAT, digest
from checker.mutation.shown import WEAK
from checker.rulebook.encoding import Encoding
from checker.rulebook.model import Rulebook

BY = ("verdict", "happens", "length", "count", "ruling")


@dataclass(frozen=True, slots=True)
class Score:
    """Counts of some mutants. by: of the killed, how many each kind of evidence noticed first."""

    killed: int
    survived: int
    same: int
    refused: int
    open: int
    by: tuple[tuple[str, int], ...]

    @property
    def percent(self) -> float | None:
        """The part that was noticed of those that can be; None if there are none. What is open counts as missed."""
        counted = self.killed + self.survived + self.open
        return 100 * self.killed / counted if counted else None

    @property
    def ruled(self) -> int:
        """How many of the killed a property or a ruling noticed, not only a recorded length or count."""
        return sum(count for name, count in self.by if name not in WEAK)

    @property
    def said(self) -> str:
        """The score as a percentage, rounded down so that 100 % means all."""
        return said(self.percent)


def said(percent: float | None) -> str:
    """Say a percentage, rounded down so that 100 % means all; a dash if there is none."""
    return "-" if percent is None else f"{int(percent * 10) / 10:.1f} %"


def score(tried: Sequence[Tried]) -> Score:
    """Count what became of mutants."""
    fates = Counter(t.fate for t in tried)
    by = Counter(t.kill.by for t in tried if t.kill is not None)
    return Score(
        fates[KILLED],
        fates[SURVIVED],
        fates[SAME],
        fates[REFUSED],
        fates[OPEN],
        tuple((name, by[name]) for name in BY if by[name]),
    )


def by_chapter(tried: Sequence[Tried]) -> dict[str, list[Tried]]:
    """Group mutants by the file of their rule, in the order of the rulebook."""
    found: dict[str, list[Tried]] = {}
    for _, group in by_rule(tried):
        found.setdefault(group[0].source.file, []).extend(group)
    return found


def by_clause(tried: Sequence[Tried]) -> dict[str, list[Tried]]:
    """Group mutants by the clauses of their rule; a rule of two clauses counts for both."""
    found: dict[str, list[Tried]] = {}
    for source, group in by_rule(tried):
        for clause in source.clauses:
            found.setdefault(clause, []).extend(group)
    return dict(sorted(found.items(), key=lambda item: _numbers(item[0])))


def _numbers(clause: str) -> list[tuple[int, str]]:
    return [(int(part), "") if part.isdigit() else (0, part) for part in clause.split(".")]


def to_text(book: Rulebook, plan: Plan, ran: Ran, every: bool) -> str:
    """Return the scores by chapter, those clauses that are not fully covered (or every one), and the survivors."""
    tried = ran.tried
    lines = [f"{book.title['en']} {book.version.name}: {len(tried)} mutants on {len(plan.boards)} boards", ""]
    lines += _table("chapter", by_chapter(tried), every=True)
    lines += ["", *_table("clause", by_clause(tried), every)]
    lines += ["", *_row("all", score(tried)), ""]
    lines += [line for t in in_order(tried, SURVIVED, OPEN) for line in _survivor(t, ran.whole)]
    lines += [line for t in in_order(tried, SAME) for line in _survivor(t, ran.whole)] if every else []
    lines += totals(ran)
    return "\n".join(lines) + "\n"


def totals(ran: Ran) -> Iterator[str]:
    """Yield what all comes to, a line for each thing to say."""
    total = score(ran.tried)
    counted = total.killed + total.survived + total.open
    noticed = ", ".join(f"{count} by {_NAMES[name]}" for name, count in total.by)
    yield f"noticed: {noticed or 'none'}"
    yield f"not counted: {total.refused} refused by the loader, {total.same} without any difference"
    yield f"score {total.said}: {total.killed} of {counted}"
    if counted:
        yield f"by properties and rulings alone {said(100 * total.ruled / counted)}: {total.ruled} of {counted}"
    if not ran.whole:
        left = f"{total.open} of {len(ran.tried)} mutants not tried to the end"
        yield f"PARTIAL: interrupted, with {left}; they count as open"


_NAMES = {
    "verdict": "a property",
    "happens": "what happens on a board",
    "length": "the length of a shortest game",
    "count": "the count of boards",
    "ruling": "a ruling",
}


def _table(heading: str, groups: dict[str, list[Tried]], every: bool) -> Iterator[str]:
    yield f"{heading:<44}{'killed':>8}{'survived':>10}{'same':>6}{'refused':>9}{'open':>6}{'score':>10}"
    for name, group in groups.items():
        found = score(group)
        if every or found.survived or found.open:
            yield from _row(name, found)


def _row(name: str, found: Score) -> Iterator[str]:
    yield (
        f"{name:<44}{found.killed:>8}{found.survived:>10}{found.same:>6}{found.refused:>9}{found.open:>6}{found.said:>10}"
    )


def in_order(tried: Sequence[Tried], *fates: str) -> Iterator[Tried]:
    """Return the mutants of some fates, rule by rule."""
    return (t for _, group in by_rule(tried) for t in group if t.fate in fates)


def _survivor(tried: Tried, whole: bool) -> Iterator[str]:
    source = tried.source
    clauses = ", ".join(source.clauses) or "model"
    yield f"{source.file}:{source.line} ({clauses}) {tried.operator}: {tried.change}"
    yield f"    {fate_said(tried, whole)}"
    if tried.survival is not None:
        yield f"    in {', '.join(tried.survival.differing)}"


def fate_said(tried: Tried, whole: bool) -> str:
    """Say in words what became of a mutant that nobody noticed."""
    if tried.survival is not None:
        game = f"after: {'; '.join(tried.survival.actions)}" if tried.survival.actions else "at once"
        return f"differs on {tried.survival.board} {game}"
    if tried.fate == OPEN:
        return "not decided within the time" if whole else "interrupted"
    if tried.fate != SAME:
        return "no board checked has this rule"
    if tried.boards:
        return f"same steps from every reachable board of {', '.join(tried.boards)}; elsewhere its rule says the same"
    return "its rule says the same on every reachable board and step"


def to_json(book: Rulebook, encoding: Encoding, plan: Plan, ran: Ran) -> str:
    """Return everything as JSON: scores by clause, and a line for each mutant with what became of it."""
    clauses = {name: _counts(group) for name, group in by_clause(ran.tried).items()}
    document = {
        "format": FORMAT,
        "rulebook": book.name,
        "version": book.version.name,
        "rules": digest(encoding),
        "boards": plan.boards,
        "sample": plan.sample,
        "whole": ran.whole,
        "score": _counts(ran.tried),
        "chapters": {name: _counts(group) for name, group in by_chapter(ran.tried).items()},
        "clauses": clauses,
    }
    head = json.dumps(document, indent=1, ensure_ascii=False).removesuffix("\n}")
    mutants = (json.dumps(_mutant(t), ensure_ascii=False) for _, group in by_rule(ran.tried) for t in group)
    return head + ',\n "mutants": [\n  ' + ",\n  ".join(mutants) + "\n ]\n}\n"


def _counts(tried: Sequence[Tried]) -> dict[str, Any]:
    found = score(tried)
    return asdict(found) | {"by": dict(found.by), "percent": found.percent, "ruled": found.ruled}


def _mutant(tried: Tried) -> dict[str, Any]:
    source = asdict(tried.source)
    del source["id"], source["column"], source["text"]
    found = asdict(tried) | {"source": source}
    return {key: value for key, value in found.items() if value not in (None, ())}


def write_text(path: Path, text: str) -> None:
    """Write a document, making its folder where that is missing."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
