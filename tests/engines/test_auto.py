"""The default engine: who is asked in which order, with what budget, and whose answer counts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest

from checker.engines import auto
from checker.engines.auto import AutoEngine
from checker.engines.protocol import Counts, Engine, Holds, Limits, Report, Result, Unknown, Verdict, Violated
from checker.engines.registry import engine
from checker.errors import InternalError
from checker.system.model import Goal, Kind, TransitionSystem
from tests.engines.test_smt import LIFT, LIFT_GOALS
from tests.traces.toys import toy


class Recorded:
    """Stands before an engine: notes what it is asked, and leaves everything open if it is `blind`."""

    def __init__(self, name: str, asked: list[tuple[str, list[str], Limits]], blind: bool) -> None:
        self.name, self.asked, self.blind = name, asked, blind
        self.kinds = engine(name).kinds

    def check(self, system: TransitionSystem, goals: Sequence[Goal], limits: Limits, report: Report) -> Result:
        """Note what is asked, and ask the engine unless it is blind."""
        self.asked.append((self.name, [goal.name for goal in goals], limits))
        if self.blind:
            return Result(tuple(Verdict(goal, Unknown("blind"), self.name) for goal in goals), Counts(), 0.0)
        return engine(self.name).check(system, goals, limits, report)


def lift(
    monkeypatch: pytest.MonkeyPatch, blind: set[str], limits: Limits
) -> tuple[dict[str, Verdict], list[tuple[str, list[str], Limits]]]:
    """Check the lift with some engines blind; return the verdicts, and what each engine was asked."""
    asked: list[tuple[str, list[str], Limits]] = []

    def recorded(name: str) -> Engine:
        return Recorded(name, asked, name in blind)

    monkeypatch.setattr(auto, "engine", recorded)
    system = toy(LIFT, LIFT_GOALS | {"all": Kind.ACTIONS_REACHABLE})
    result = AutoEngine().check(system, system.goals, limits, lambda _: None)
    return {verdict.goal.name: verdict for verdict in result.verdicts}, asked


ALL = [*LIFT_GOALS, "all"]


def test_symbolic_answers_and_explicit_gives_the_second_opinion(monkeypatch: pytest.MonkeyPatch) -> None:
    found, asked = lift(monkeypatch, set(), Limits())
    assert [(name, goals) for name, goals, _ in asked] == [("symbolic", ALL), ("explicit", ALL)]
    assert {verdict.engine for verdict in found.values()} == {"symbolic"}


def test_smt_is_asked_before_bounded_search_about_what_it_can_decide(monkeypatch: pytest.MonkeyPatch) -> None:
    found, asked = lift(monkeypatch, {"symbolic"}, Limits())
    assert [(name, goals) for name, goals, _ in asked] == [("symbolic", ALL), ("smt", list(LIFT_GOALS))]
    assert {found[name].engine for name in LIFT_GOALS} == {"smt"}
    assert found["no_deep"].answer == Holds("inductive, any depth")
    assert (found["all"].engine, found["all"].answer) == ("symbolic", Unknown("blind"))


def test_bounded_search_comes_last(monkeypatch: pytest.MonkeyPatch) -> None:
    found, asked = lift(monkeypatch, {"symbolic", "smt"}, Limits(depth=4))
    assert [name for name, _, _ in asked] == ["symbolic", "smt", "asp"]
    assert (found["top"].engine, isinstance(found["top"].answer, Holds)) == ("asp", True)
    assert (found["no_deep"].engine, isinstance(found["no_deep"].answer, Unknown)) == ("asp", True)


def test_seconds_are_shared_out_and_other_limits_are_for_each(monkeypatch: pytest.MonkeyPatch) -> None:
    _, asked = lift(monkeypatch, {"symbolic", "smt", "asp"}, Limits(100.0, 1 << 34, 4))
    seconds = [limits.seconds or 0.0 for _, _, limits in asked]
    assert seconds[0] == 50
    assert 40 < seconds[1] < 50 < seconds[2] < 100
    assert {(limits.memory, limits.depth) for _, _, limits in asked} == {(1 << 34, 4)}
    _, asked = lift(monkeypatch, {"symbolic", "smt", "asp"}, Limits())
    assert [limits.seconds for _, _, limits in asked] == [None, 60, 60]


def test_nobody_is_asked_once_the_seconds_are_spent(monkeypatch: pytest.MonkeyPatch) -> None:
    found, asked = lift(monkeypatch, {"symbolic"}, Limits(seconds=0))
    assert [name for name, _, _ in asked] == ["symbolic"]
    assert {str(verdict.answer) for verdict in found.values()} == {str(Unknown("blind"))}


def test_a_second_opinion_that_differs_ends_the_run(monkeypatch: pytest.MonkeyPatch) -> None:
    class Lying(Recorded):
        def check(self, system: TransitionSystem, goals: Sequence[Goal], limits: Limits, report: Report) -> Result:
            result = super().check(system, goals, limits, report)
            changed = [replace(v, answer=Violated(None)) if v.goal.name == "no_fall" else v for v in result.verdicts]
            return replace(result, verdicts=tuple(changed)) if self.name == "explicit" else result

    monkeypatch.setattr(auto, "engine", lambda name: Lying(name, [], blind=False))
    system = toy(LIFT, LIFT_GOALS)
    with pytest.raises(InternalError, match="no_fall: symbolic says holds"):
        AutoEngine().check(system, system.goals, Limits(), lambda _: None)
