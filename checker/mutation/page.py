"""The result of a run of mutants as a page to read: scores, survivors with their games, and how it was made."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from checker.mutation.campaign import KILLED, OPEN, SAME, SURVIVED, Plan, Ran, Tried
from checker.mutation.score import by_chapter, by_clause, fate_said, in_order, score, totals
from checker.mutation.shown import WEAK
from checker.rulebook.model import Rulebook

METHOD = """\
Each mutant is the rulebook with one rule written a little differently: left out, a condition forgotten or negated, a
bound off by one, two cards mixed up, another constant. A mutant is *killed* if a property gives another verdict on
some board, or a ruling no longer goes as ruled; else if the length of a shortest game or the count of reachable boards
is another. It is *the same* if from every reachable board of every board it allows the same steps with the same
events and effects: shown by a search over all of them, so it is no miss. *Refused* are those that the loader does not
take, such as a variable that nothing binds. The score is killed of killed, survived and open (not decided in time).
"""


def to_markdown(book: Rulebook, plan: Plan, ran: Ran) -> str:
    """Return the page."""
    lines = [f"# Mutants of {book.title['en']} {book.version.name}", ""]
    lines += [f"{len(ran.tried):,} mutants on {len(plan.boards)} boards and the rulings of this version.", "", METHOD]
    lines += [f"- {line}" for line in totals(ran)]
    lines += ["", "## Survivors", "", *_survivors(ran)]
    lines += ["## Noticed only by a recorded length or count", "", *_weak(ran.tried)]
    lines += ["", "## By chapter", "", *_table("Chapter", by_chapter(ran.tried))]
    lines += ["", "## By clause", "", *_table("Clause", by_clause(ran.tried))]
    lines += ["", "## Without any difference", "", *_same(ran.tried)]
    return "\n".join(lines) + "\n"


def _survivors(ran: Ran) -> Iterator[str]:
    left = list(in_order(ran.tried, SURVIVED, OPEN))
    if not left:
        yield from ("None.", "")
    for tried in left:
        yield f"**{_place(tried)}**, {_change(tried)}"
        yield ""
        yield f"- {fate_said(tried, ran.whole)}"
        if tried.survival is not None:
            yield f"- in {', '.join(f'`{about}`' for about in tried.survival.differing)}"
        yield ""


def _weak(tried: Sequence[Tried]) -> Iterator[str]:
    weak = [t for t in in_order(tried, KILLED) if t.kill is not None and t.kill.by in WEAK]
    if not weak:
        yield "None."
    for one in weak:
        assert one.kill is not None, "chosen for it"
        yield f"- {_place(one)}, {_change(one)}: {one.kill.board}, {one.kill.what}"


def _same(tried: Sequence[Tried]) -> Iterator[str]:
    same = list(in_order(tried, SAME))
    silent = sum(not one.boards for one in same)
    yield f"{len(same)} mutants; of {silent} the rule never says anything else. By what was changed:"
    yield ""
    for operator, count in sorted(Counter(one.operator for one in same).items(), key=lambda item: (-item[1], item[0])):
        yield f"- {operator}: {count}"


def _place(tried: Tried) -> str:
    source = tried.source
    return f"{source.file}:{source.line} ({', '.join(source.clauses) or 'model'})"


def _change(tried: Tried) -> str:
    return f"{tried.operator}: {tried.change}"


def _table(heading: str, groups: dict[str, list[Tried]]) -> Iterator[str]:
    yield f"| {heading} | killed | by property or ruling | survived | same | refused | open | score |"
    yield "|---|---:|---:|---:|---:|---:|---:|---:|"
    for name, group in groups.items():
        found = score(group)
        cells: Iterable[object] = (
            name,
            found.killed,
            found.ruled,
            found.survived,
            found.same,
            found.refused,
            found.open,
            found.said,
        )
        yield f"| {' | '.join(map(str, cells))} |"
