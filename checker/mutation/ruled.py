"""Hold mutants against the rulings: those whose rule says something else during a game are played again."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from checker.errors import InputError
from checker.mutation.infection import Laid, lay
from checker.mutation.mutants import Mutant
from checker.mutation.shown import Kill
from checker.rulebook.encoding import Encoding
from checker.rulebook.model import Rulebook
from checker.rulings.load import load_rulings
from checker.rulings.model import Played, Ruling
from checker.rulings.play import Setup, Sitting, setups, sittings
from checker.system.model import Atom, Trace
from checker.traces.evaluate import evaluator


def setups_of(book: Rulebook) -> list[Setup]:
    """Return what the rulings of this version are played on: boards, each with the readings chosen."""
    return list(setups(_rulings(book)))


def noticed_by_rulings(
    book: Rulebook, encoding: Encoding, setup: Setup, mutants: Sequence[Mutant]
) -> list[tuple[int, Kill]]:
    """Return which of the mutants some ruling notices on one board, by their numbers, and which ruling.

    A ruling that fails under the rules as written notices nothing. A mutant of which it takes grounding to tell
    what it does is tried where its clauses are cited, or fire in a game.
    """
    games = setups(_rulings(book))[setup]
    rulings = [
        replace(ruling, lines=tuple(line for other, line in games if other.id == ruling.id))
        for ruling in {ruling.id: ruling for ruling, _ in games}.values()
    ]
    (sitting,) = sittings(book, encoding, rulings)
    played = list(sitting.games())
    passing = _passing(rulings, [game for game, _ in played])
    laid = lay(encoding, sitting.ground.system, mutants)
    seen = _seen(laid, [trace for _, trace in played])
    found = {n: _noticed(sitting.under(laid.with_fault(n)), passing) for n, a in laid.apart.items() if a in seen}
    cited = {clause for game, _ in played for clause in (*game.clauses, *game.ruling.clauses)}
    for n in laid.unclear:
        clauses = set(encoding.sources[mutants[n].rule].clauses)
        if not clauses or clauses & cited:
            found[n] = _ground(book, mutants[n].put_into(encoding), passing)
    return [(n, kill) for n, kill in sorted(found.items()) if kill is not None]


def _rulings(book: Rulebook) -> Iterator[Ruling]:
    return (ruling for ruling in load_rulings(book) if book.version.name in ruling.versions)


def _passing(rulings: Sequence[Ruling], played: Sequence[Played]) -> list[Ruling]:
    failed = {game.ruling.id for game in played if game.failure is not None}
    return [ruling for ruling in rulings if ruling.id not in failed]


def _seen(laid: Laid, games: Iterable[Trace]) -> set[Atom]:
    """Return every atom that holds on some board of the games or in some way their steps could go."""
    rules = evaluator(laid.system)
    seen: set[Atom] = set()
    for trace in games:
        for state in trace.states:
            seen |= rules.evaluate(state)
        for state, step in zip(trace.states, trace.steps, strict=False):
            for way in rules.resolve(state, step.action):
                seen |= way.true
    return seen


def _ground(book: Rulebook, faulty: Encoding, rulings: Sequence[Ruling]) -> Kill | None:
    """Play rulings by faulty rules, ground anew; that the loader or a name in a ruling objects is noticed too."""
    try:
        kills = (_noticed(sitting, rulings) for sitting in sittings(book, faulty, rulings, strict=False))
        return next((kill for kill in kills if kill is not None), None)
    except InputError as error:
        return Kill("ruling", "", error.problems[0].message)


def _noticed(sitting: Sitting, rulings: Sequence[Ruling]) -> Kill | None:
    """Return the first of the rulings that no longer goes as ruled."""
    asked = {ruling.id for ruling in rulings}
    for game, _ in sitting.games():
        failure = game.failure
        if failure is not None and game.ruling.id in asked:
            what = f"step {failure.step}: expected {failure.expected}; {failure.actual}"
            return Kill("ruling", game.ruling.id, what)
    return None
