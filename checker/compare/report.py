"""Tell what a comparison found, as text or as JSON."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict
from types import MappingProxyType

from checker.compare.joint import ADDED, CHANGED, EVENTS, REMOVED
from checker.compare.model import BoardComparison, Comparison, Parting, Row
from checker.errors import counted

KINDS = {
    ADDED: "behaviour added: legal on the right alone",
    REMOVED: "behaviour removed: legal on the left alone",
    CHANGED: "behaviour changed: another next board, or another decider",
    EVENTS: "other events: a step makes other things happen",
}

FEW = 20
"""Clauses at most that only have another number and are listed before the verdicts."""


def to_json(found: Comparison) -> str:
    """Return the comparison field by field."""
    return json.dumps(asdict(found), ensure_ascii=False, indent=2) + "\n"


def to_text(found: Comparison) -> str:
    """Return the comparison part by part; a part that shows nothing says so in one line."""
    lines = [f"left   {found.left}", f"right  {found.right}"]
    lines += [f"boards that one side lacks: {', '.join(found.alone)}"] if found.alone else []
    for name, part in PARTS.items():
        said = list(part(found)) if name in found.asked else []
        lines += ["", *said] if said else []
    return "\n".join([*lines, "", last_line(found)]) + "\n"


def last_line(found: Comparison) -> str:
    """Say in one line what changed."""
    kinds = [p.kind for p in shortest(found.boards) if p.clause is None]
    said = [
        count(len(found.clauses), "clause change"),
        f"{count(len(found.alone), 'board')} on one side only" if found.alone else "",
        f"{counted(len(found.declared), 'reading')} declared otherwise" if found.declared else "",
        count(sum(len(b.verdicts) for b in found.boards), "changed verdict"),
        count(len(found.rulings), "flipped ruling"),
        f"behaviour {', '.join(kinds)}" if kinds else "",
    ]
    starts = any(b.starts or any(b.only) for b in found.boards)
    said.append("other fluents or other initial boards" if starts else "")
    said.append(count(sum(len(b.undecided) for b in found.boards), "undecided verdict"))
    asks = f"{counted(len(found.questions), 'property asks', 'properties ask')} something else"
    said.append(asks if found.questions else "")
    untold = sum(bool(b.trouble) for b in found.boards)
    said.append(f"{count(untold, 'board')} not compared" if untold else "")
    said.append(f"{count(len(found.relaid), 'board')} laid out otherwise" if found.relaid else "")
    alone = [change for change in found.readings if change.parting is not None]
    said.append(f"{len(alone)} of {len(found.readings)} readings make a difference alone" if found.readings else "")
    return "; ".join(filter(None, said)) or "no change"


def shortest(boards: Iterable[BoardComparison]) -> list[Parting]:
    """Return, for each kind and for each clause, the shortest game of all boards; kinds first, then by length."""
    best: dict[tuple[str, str], Parting] = {}
    for parting in (p for board in boards for p in board.partings):
        key = (parting.kind, "") if parting.clause is None else ("", parting.clause)
        known = best.get(key)
        if known is None or len(parting.steps) < len(known.steps):
            best[key] = parting
    return sorted(best.values(), key=lambda p: (p.clause is not None, len(p.steps), p.board, p.steps, p.clause or ""))


def _clauses(found: Comparison) -> Iterator[str]:
    yield from (f"reading {declared}" for declared in found.declared)
    if not found.clauses:
        yield "clauses: the same"
        return
    counts = Counter(change.what for change in found.clauses)
    yield f"clauses: {', '.join(f'{number} {what}' for what, number in sorted(counts.items()))}"
    whole = counts["renumbered"] <= FEW or found.asked == ("clauses",)
    for change in found.clauses:
        if change.what == "renumbered" and not whole:
            continue
        number = change.right if change.left is None or change.left == change.right else change.left
        moved = f" -> {change.right}" if change.left and change.right and change.left != change.right else ""
        yield f"  {change.what:<11}{number}{moved}: {change.was if change.what == 'removed' else change.text}"
        if change.what in ("reworded", "status"):
            yield f"  {'':<11}was: {change.was}"
    if not whole:
        yield f"  {counts['renumbered']} clauses have another number: --only clauses lists them"


def _verdicts(found: Comparison) -> Iterator[str]:
    changes = [change for board in found.boards for change in board.verdicts]
    undecided = [f"{name} on {board.board}" for board in found.boards for name in board.undecided]
    untold = [board.board for board in found.boards if board.trouble]
    if found.questions:
        yield f"properties that ask something else: {', '.join(found.questions)}"
    if undecided:
        yield f"verdicts: undecided on either side, or both: {', '.join(undecided)}"
    if not changes and not undecided:
        yield f"verdicts: the same on every board{' that was compared' if untold else ''}"
    for change in changes:
        yield f"verdict {change.property} on {change.board}: {change.left} -> {change.right}: {change.title}"
        yield from _game(change.game)
        if change.culprits:
            yield f"    because of {'; '.join(change.culprits)}"


def _rulings(found: Comparison) -> Iterator[str]:
    if not found.rulings_played:
        yield "rulings: none on the boards to compare on"
    elif not found.rulings:
        yield f"rulings: all {found.rulings_played} go the same way on both sides"
    for change in found.rulings:
        yield f"ruling {change.ruling} ({change.status}): {change.title}"
        yield f"  left   {change.left}"
        yield f"  right  {change.right}"


def _behaviour(found: Comparison) -> Iterator[str]:
    for board in found.boards:
        yield from _notes(board)
    partings = shortest(found.boards)
    by_game: dict[tuple[str, tuple[str, ...], tuple[str, ...]], list[Parting]] = {}
    for parting in partings:
        by_game.setdefault((parting.board, parting.steps, parting.ending), []).append(parting)
    for same in by_game.values():
        yield from _parting(same)
        yield ""
    yield _bounds(found.boards, bool(partings))


def _readings(found: Comparison) -> Iterator[str]:
    """Say what each reading on which the sides part does by itself."""
    for change in found.readings:
        told = f"on {count(change.boards, 'board')}" if change.boards else "no board shows it by itself"
        undecided = f" (not exhausted: {', '.join(change.why_open)})" if change.why_open else ""
        fixed = f", left open on the {change.open}" if change.open else ""
        yield f"reading {change.reading} alone, {change.left} -> {change.right}{fixed}: {told}{undecided}"
        if change.parting is not None:
            yield from _lines(change.parting)


def _notes(board: BoardComparison) -> Iterator[str]:
    if board.trouble:
        yield f"board {board.board} was not compared: {board.trouble}"
    if board.starts:
        yield f"board {board.board}: other initial values of {', '.join(board.starts)}"
    for side, names in zip(("left", "right"), board.only, strict=True):
        if names:
            yield f"board {board.board}: only the {side} has {', '.join(names)}; not compared"


def _parting(same: Sequence[Parting]) -> Iterator[str]:
    first = same[0]
    for parting in same:
        if parting.clause is None:
            yield KINDS[parting.kind]
    clauses = [p.clause for p in same if p.clause is not None]
    if clauses:
        yield f"{first.kind}: by clauses {', '.join(clauses)}"
    yield from _lines(first)


def _lines(parting: Parting) -> Iterator[str]:
    """Yield the board, the game, what differs at its end, and the two boards."""
    yield f"  board {parting.board}, {count(len(parting.steps), 'step') or 'at the start'}"
    yield from _game(parting.steps)
    yield from (f"    => {line}" for line in parting.ending)
    yield from side_by_side(parting.rows)


def side_by_side(rows: Sequence[Row]) -> Iterator[str]:
    """Yield the two boards at the end of a game as a table, marking where they differ."""
    if not rows:
        return
    widths = [
        max(len(text) for text in texts) for texts in zip(*((r.fluent, r.left, r.right) for r in rows), strict=True)
    ]
    wide, left, right = (max(width, 5) for width in widths)
    yield f"      {'':<{wide}}  {'left':<{left}}  right"
    for row in rows:
        mark = "   <-" if row.left != row.right else ""
        yield f"      {row.fluent:<{wide}}  {row.left:<{left}}  {row.right + mark:<{right}}".rstrip()


def _game(steps: Sequence[str]) -> Iterator[str]:
    return (f"    {number}. {step}" for number, step in enumerate(steps, start=1))


def _bounds(boards: Sequence[BoardComparison], differ: bool) -> str:
    """Say how far the search went: what was explored, what is the same as text, what stayed open."""
    same = sum(board.same for board in boards)
    states = sum(board.states or 0 for board in boards)
    opened = [f"{board.board} ({board.why_open})" for board in boards if board.why_open]
    untold = [board.board for board in boards if board.trouble]
    looked = counted(len(boards), "board")
    if same == len(boards) and not (differ or opened or untold or any(b.starts or any(b.only) for b in boards)):
        return f"behaviour: the same ground rules on {looked}, so that no game tells the two apart"
    said = f"{looked}: the same ground rules on {same}; {states:,} joint boards explored on the others"
    if opened or untold:
        return f"{said}; not exhausted: {', '.join([*opened, *untold])}"
    both = " by what both have" if any(any(board.only) for board in boards) else ""
    return f"{said}, exhaustively" + ("" if differ else f"; no board up to these bounds tells the two apart{both}")


def count(number: int, noun: str) -> str:
    """Return a number of things, nothing for none."""
    return f"{number} {noun}{'' if number == 1 else 's'}" if number else ""


PARTS: Mapping[str, Callable[[Comparison], Iterator[str]]] = MappingProxyType(
    {
        "clauses": _clauses,
        "verdicts": _verdicts,
        "rulings": _rulings,
        "behaviour": _behaviour,
        "readings": _readings,
    }
)
"""How each part is told, in the order of the report."""
