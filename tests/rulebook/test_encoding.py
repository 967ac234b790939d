"""What the rewriting of rules keeps: pools, open outcomes, and which rules can be switched off."""

from __future__ import annotations

from pathlib import Path

from checker.pipeline import load_system, read_rules, system_of
from checker.rulebook.load import load_board, load_rulebook
from checker.traces import successors
from tests.toybook import RULES, write_toy


def test_a_pool_of_atoms_may_be_a_head(tmp_path: Path) -> None:
    """`colour(red; blue).` is two facts, as in clingo."""
    rules = RULES + "colour(red; blue).\nfluent(paint, C) :- colour(C).\ninitially(paint, red).\n"
    system = load_system(str(write_toy(tmp_path, rules=rules)), "one")

    paint = next(v for v in system.variables if str(v.name) == "paint")

    assert [str(value) for value in paint.domain] == ["blue", "red"]


def test_an_open_outcome_with_a_pool_offers_each_value_once(tmp_path: Path) -> None:
    """`{ set(F, (a; b)) } = 1` leaves two next boards."""
    rules = RULES.replace(
        "%@ 1\nset(lit(O), yes) :- occurs(light(O)).", "%@ 1\n{ set(lit(O), (yes; no)) } = 1 :- occurs(light(O))."
    )
    system = load_system(str(write_toy(tmp_path, rules=rules)), "one")
    (start,) = system.initial_states()

    assert sorted(after for _, after in successors(system, start)) == [(0,), (1,)]


def test_a_rule_switched_off_is_as_if_not_written(tmp_path: Path) -> None:
    """Without its second tagged rule the toy can light the lamp to no effect."""
    book = load_rulebook(str(write_toy(tmp_path)))
    encoding = read_rules(book).without({1})
    board = load_board(book, "one")
    system = system_of(book, encoding, board, {"speed": "slow"}, book.properties, strict=False)
    (start,) = system.initial_states()

    assert [after for _, after in successors(system, start)] == [start]


def test_an_open_outcome_without_any_option_has_no_next_board(tmp_path: Path) -> None:
    """Choosing among nothing is not doing nothing: the step is stuck, however little is left to ground."""
    rules = RULES + "place(V) :- object(V, place, _).\n%@ 1\n{ set(lit(O), V) : place(V) } = 1 :- occurs(light(O)).\n"
    system = load_system(str(write_toy(tmp_path, rules=rules)), "one")
    (start,) = system.initial_states()

    assert [len(outcome.options) for outcome in system.outcomes] == [0]
    assert successors(system, start) == []


def test_options_that_depend_on_another_choice_come_after_it(tmp_path: Path) -> None:
    """The second outcome may take what the first left, whichever is written first."""
    rules = (
        RULES
        + """\
fluent(a, (1; 2)). fluent(b, (0; 1; 2)). initially(a, 1). initially(b, 0).
%@ 1
{ set(b, 1) : not set(a, 1) ; set(b, 2) : set(a, 1) } = 1 :- occurs(light(O)).
%@ 1
{ set(a, (1; 2)) } = 1 :- occurs(light(O)).
"""
    )
    system = load_system(str(write_toy(tmp_path, rules=rules)), "one")
    (start,) = system.initial_states()
    names = [str(v.name) for v in system.variables]
    after = {(state[names.index("a")], state[names.index("b")]) for _, state in successors(system, start)}

    assert after == {(0, 2), (1, 1)}
