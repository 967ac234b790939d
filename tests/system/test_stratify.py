"""Strata: each reads only earlier ones, recursion stands alone, negation in a loop is refused."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from checker.system.model import Rule
from checker.system.stratify import UnstratifiedError, stratify

ATOMS = st.integers(1, 8)
RULES = st.lists(
    st.builds(Rule, ATOMS, st.lists(ATOMS.flatmap(lambda a: st.sampled_from([a, -a])), max_size=3).map(tuple))
)


def test_levels_of_a_chain() -> None:
    """What depends on nothing comes first, and rules of one level share a stratum."""
    rules = [Rule(3, (2,)), Rule(2, (1,)), Rule(4, (-2,)), Rule(5, ())]

    assert [{r.head for r in s.rules} for s in stratify(rules)] == [{2, 5}, {3, 4}]


def test_a_positive_loop_is_one_recursive_stratum() -> None:
    """Atoms that feed each other are evaluated together; what reads them comes later."""
    rules = [Rule(1, (2,)), Rule(2, (1,)), Rule(2, (9,)), Rule(3, (-1,))]

    assert [(s.recursive, {r.head for r in s.rules}) for s in stratify(rules)] == [(True, {1, 2}), (False, {3})]


def test_negation_through_a_loop_is_refused_with_the_loop() -> None:
    """The error names the atoms of the loop and not those beside it."""
    with pytest.raises(UnstratifiedError) as caught:
        stratify([Rule(1, (2,)), Rule(2, (-1,)), Rule(3, (1,))])

    assert caught.value.atoms == {1, 2}


@given(RULES)
def test_each_stratum_reads_only_what_is_settled(rules: list[Rule]) -> None:
    """No rule reads the head of a later stratum, or of its own unless that is recursive and unnegated."""
    try:
        strata = stratify(rules)
    except UnstratifiedError:
        return
    later = {rule.head for rule in rules}
    for stratum in strata:
        own = {rule.head for rule in stratum.rules}
        later -= own
        for rule in stratum.rules:
            for lit in rule.body:
                assert abs(lit) not in later
                assert abs(lit) not in own or (stratum.recursive and lit > 0)
    assert sorted(map(repr, rules)) == sorted(repr(r) for s in strata for r in s.rules)
