"""Where a mutant's rule says something else: found for many at once, and never missed."""

from __future__ import annotations

import pytest

from checker.engines.protocol import Limits
from checker.errors import InputError
from checker.mutation.infection import lay, shows
from checker.mutation.mutants import Mutant, mutants
from checker.mutation.product import compare
from checker.mutation.shown import show
from checker.mutation.workbench import as_written, ground_on, opened
from checker.rulebook.encoding import Encoding
from checker.system.model import TransitionSystem
from tests.mutation.lamps import RULES, write_lamps

MORE = """\
%@ 1
load(N) :- N = #count { O : now(lit(O), yes) }.
%@ 2
heavy :- load(N), N > 1.
%@ 3
calm :- not heavy, not now(fuse, blown).
violated(never_on, calm) :- calm, now(fuse, mended).
"""
"""Helper rules with a count, a bound and negation; with two lamps the board can be heavy."""

TWO = 'purpose = "Two lamps."\n[objects.lamp]\n[objects.candle]\n'


@pytest.fixture(scope="module")
def book(tmp_path_factory: pytest.TempPathFactory) -> str:
    folder = write_lamps(tmp_path_factory.mktemp("lamps"), RULES + MORE)
    (folder / "boards" / "two.toml").write_text(TWO, encoding="utf-8")
    return str(folder)


def every(book: str) -> tuple[Encoding, list[Mutant]]:
    encoding = opened(book)[1]
    return encoding, list(mutants(encoding, [s.id for s in encoding.sources]))


def faulty(book: str, encoding: Encoding, mutant: Mutant, board: str) -> TransitionSystem | None:
    try:
        return ground_on(book, mutant.put_into(encoding), board)
    except InputError:
        return None


@pytest.mark.parametrize(("board", "passed_over"), [("one", 12), ("two", 3)])
def test_what_never_says_anything_else_makes_no_difference(book: str, board: str, passed_over: int) -> None:
    """Each mutant that is passed over is held against the rules as written, by grounding it and comparing."""
    encoding, own = every(book)
    written = as_written(book, board)
    laid = lay(encoding, written, own)
    quiet = set(range(len(own))) - shows(laid, Limits(), "explicit")

    assert len(quiet) == passed_over
    for n in quiet:
        second = faulty(book, encoding, own[n], board)
        assert second is not None, own[n].change
        assert compare(written, second, Limits(), "explicit").same, own[n].change


@pytest.mark.parametrize("board", ["one", "two"])
def test_a_fault_is_put_in_as_grounding_does(book: str, board: str) -> None:
    encoding, own = every(book)
    laid = lay(encoding, as_written(book, board), own)

    assert len(laid.apart) > 20
    for n in laid.apart:
        second = faulty(book, encoding, own[n], board)
        assert second is not None, own[n].change
        one, other = (show(board, system, Limits()) for system in (laid.with_fault(n), second))
        assert (one.states, one.said) == (other.states, other.said), own[n].change
        assert compare(laid.with_fault(n), second, Limits(), "explicit").same, own[n].change


def test_both_engines_see_the_same(book: str) -> None:
    encoding, own = every(book)
    laid = lay(encoding, as_written(book, "two"), own)

    assert shows(laid, Limits(), "explicit") == shows(laid, Limits(), "symbolic")


def test_a_bound_off_by_one_shows_only_where_it_is_reached(book: str) -> None:
    """One lamp never makes it heavy; two lamps weigh 2, and `N >= 1` says so too early."""
    encoding, own = every(book)
    (shifted,) = (n for n, mutant in enumerate(own) if mutant.change == "`N >= 1` for `N > 1`")

    assert shifted in shows(lay(encoding, as_written(book, "two"), own), Limits(), "explicit")
    laid = lay(encoding, as_written(book, "one"), own)
    assert shifted in shows(laid, Limits(), "explicit")
    (stricter,) = (n for n, mutant in enumerate(own) if mutant.change == "`N > 2` for `N > 1`")
    assert stricter not in shows(laid, Limits(), "explicit")


def test_what_nothing_binds_is_refused_and_new_atoms_are_left_to_grounding(book: str) -> None:
    encoding, own = every(book)
    laid = lay(encoding, as_written(book, "one"), own)

    assert [own[n].change for n in sorted(laid.unsafe)] == [
        "`not occurs(light(O))` for `occurs(light(O))`",
        "`not N = #count { O: now(lit(O),yes) }` for `N = #count { O: now(lit(O),yes) }`",
        "without `load(N)`",
        "`not load(N)` for `load(N)`",
    ]
    assert laid.unsafe <= laid.unclear
    assert laid.unclear.isdisjoint(laid.apart)
    left_open = {n for n, mutant in enumerate(own) if mutant.rule in encoding.choosing}
    assert left_open <= laid.unclear
