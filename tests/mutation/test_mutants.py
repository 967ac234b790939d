"""Which faults are made of a rule, and that each stands in for exactly that rule."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

from checker.mutation.mutants import mutants
from checker.rulebook.encoding import Encoding, read_encoding

RULES = """\
side(north; south).
%@ 1
possible(go(P)) :- player(P), load(P, N), N < 3, not asleep(P).
%@ 2
event(meet(P, P')) :- occurs(go(P)), near(P, P'), 2 <= #count { X : near(P, X) }.
%@ 3
{ set(at(P), L) : free(L, P); set(at(P), north) : tired(P) } = 1 :- occurs(go(P)).
%@ 4
action(rest(P)) :- player(P), home(P, south).
home(ann, north).
"""


def encoding(tmp_path: Path, rules: str = RULES) -> Encoding:
    path = tmp_path / "rules.lp"
    path.write_text(rules, encoding="utf-8")
    return read_encoding(path)


def changes(tmp_path: Path, rule: int) -> list[tuple[str, str]]:
    return [(m.operator, m.change) for m in mutants(encoding(tmp_path), [rule])]


def test_a_guard_is_dropped_weakened_negated_and_shifted(tmp_path: Path) -> None:
    assert changes(tmp_path, 0) == [
        ("drop rule", "left out"),
        ("weaken guard", "without `player(P)`"),
        ("negate literal", "`not player(P)` for `player(P)`"),
        ("weaken guard", "without `load(P,N)`"),
        ("negate literal", "`not load(P,N)` for `load(P,N)`"),
        ("weaken guard", "without `N < 3`"),
        ("negate literal", "`not N < 3` for `N < 3`"),
        ("shift bound", "`N <= 3` for `N < 3`"),
        ("wrong constant", "`N < 4` for `N < 3`"),
        ("weaken guard", "without `not asleep(P)`"),
        ("negate literal", "`asleep(P)` for `not asleep(P)`"),
    ]


def test_two_players_are_taken_for_each_other(tmp_path: Path) -> None:
    """P and P' share a letter, so they are swapped in each literal that has one of them, and in the head."""
    swaps = [change for operator, change in changes(tmp_path, 1) if operator == "swap variables"]

    assert swaps == [
        "`occurs(go(P'))` for `occurs(go(P))`",
        "`near(P',P)` for `near(P,P')`",
        "`2 <= #count { X: near(P',X) }` for `2 <= #count { X: near(P,X) }`",
        "`event(meet(P',P))` for `event(meet(P,P'))`",
    ]


def test_an_open_outcome_loses_an_option_or_a_condition(tmp_path: Path) -> None:
    found = changes(tmp_path, 2)

    assert ("drop effect", "without the option set(at(P),L)") in found
    assert ("drop effect", "without the option set(at(P),north)") in found
    assert ("drop literal", "without `tired(P)`") in found
    assert ("negate literal", "`not tired(P)` for `tired(P)`") in found


def test_a_wrong_constant_is_one_that_stands_in_such_a_place(tmp_path: Path) -> None:
    assert ("wrong constant", "`home(P,north)` for `home(P,south)`") in changes(tmp_path, 3)


def test_variables_that_are_gone_leave_a_number_behind(tmp_path: Path) -> None:
    """Or `fired` would bind nothing and clingo would refuse the rule."""
    rules = "%@ 1\nset(a, yes) :- occurs(go(X)), near(X, Y).\n"
    dropped = [m for m in mutants(encoding(tmp_path, rules), [0]) if m.change == "without `near(X,Y)`"]

    assert [str(node) for node in dropped[0].nodes] == [
        "fired(0,(X,0)) :- occurs(go(X)).",
        "set(a,yes) :- fired(0,(X,Y)).",
    ]


def test_a_mutant_stands_in_for_its_rule_alone(tmp_path: Path) -> None:
    plain = encoding(tmp_path)
    for mutant in mutants(plain, [s.id for s in plain.sources]):
        faulty = mutant.put_into(plain)
        assert Counter(faulty.owners)[mutant.rule] == len(mutant.nodes)
        others = [(str(n), o) for n, o in zip(plain.program, plain.owners, strict=True) if o != mutant.rule]
        assert [(str(n), o) for n, o in zip(faulty.program, faulty.owners, strict=True) if o != mutant.rule] == others


def test_every_mutant_is_another_rule(tmp_path: Path) -> None:
    plain = encoding(tmp_path)
    texts = [(m.rule, tuple(map(str, m.nodes))) for m in mutants(plain, [s.id for s in plain.sources])]
    written = [
        (source.id, tuple(str(n) for n, o in zip(plain.program, plain.owners, strict=True) if o == source.id))
        for source in plain.sources
    ]

    assert len(texts) == len(set(texts))
    assert not set(texts) & set(written)
