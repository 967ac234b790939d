"""The smt engine: the circuit means what the rules mean, faults come with shortest games, proofs hold."""

from __future__ import annotations

from itertools import product

import pytest

from checker.engines.protocol import Answer, Holds, Limits, Progress, Unknown, Violated
from checker.engines.smt.circuit import And, Circuit, Equals, Net
from checker.engines.smt.engine import SmtEngine
from checker.engines.smt.lemmas import Induction, two_steps
from checker.engines.smt.spacer import spacer
from checker.engines.smt.steps import Rules, compile_rules
from checker.engines.smt.unroll import Budget, OutOfBudgetError
from checker.engines.smt.walk import Walks, exclusions
from checker.pipeline import load_system
from checker.system.model import Kind, State, Trace, TransitionSystem
from checker.traces import confirm, evaluator
from tests.traces.toys import GAMES, board, game, toy

OWNERS = "owner(left, game). owner(right, game)."

LIFT = """
% A lift between three floors; below the cellar there is a pit from which it falls on, but it never goes there.
fluent(floor, (cellar; ground; roof; pit; deep)).    initially(floor, cellar).
action((up; down; fall)).    by(up, alice). by(down, alice). by(fall, game).
above(ground, cellar). above(roof, ground). above(pit, deep).
%@ 1
possible(up)   :- now(floor, L), above(_, L), L != deep.
%@ 1
possible(down) :- now(floor, L), above(L, _).
%@ 1
possible(fall) :- now(floor, pit).
%@ 1
set(floor, L') :- occurs(up), now(floor, L), above(L', L).
%@ 1
set(floor, L') :- occurs(down), now(floor, L), above(L, L').
%@ 1
set(floor, deep) :- occurs(fall).
violated(no_deep) :- now(floor, deep).
violated(no_fall) :- occurs(fall).
reached(top) :- now(floor, roof).
reached(bottom) :- now(floor, deep).
"""
LIFT_GOALS = {
    "no_deep": Kind.INVARIANT,
    "no_fall": Kind.STEP,
    "top": Kind.SOMETIMES,
    "bottom": Kind.SOMETIMES,
}
"""3 boards. `no_deep` is broken from the pit, which no game reaches: not 1-inductive, but 2-inductive."""


def trace_of(answer: Answer) -> Trace | None:
    """Return the trace or the witness of an answer."""
    match answer:
        case Violated(trace=trace) | Holds(witness=trace):
            return trace
        case Unknown():
            return None


def answers(system: TransitionSystem, limits: Limits | None = None) -> dict[str, Answer]:
    """Check every goal and return the answers, with every trace among them confirmed by replay."""
    result = SmtEngine().check(system, system.goals, limits or Limits(), lambda _: None)
    for verdict in result.verdicts:
        trace = trace_of(verdict.answer)
        if trace is not None:
            confirm(system, verdict.goal, trace)
    return {verdict.goal.name: verdict.answer for verdict in result.verdicts}


def length(answer: Answer) -> int:
    """Return the number of steps of an answer's trace."""
    trace = trace_of(answer)
    assert trace is not None
    return len(trace.steps)


def rules_of(system: TransitionSystem) -> Rules:
    """Compile all rules that the goals need."""
    return compile_rules(system, [goal for goal in system.goals if goal.kind in SmtEngine.kinds])


def value(circuit: Circuit, net: Net, state: State, chosen: frozenset[str] = frozenset()) -> bool:
    """Evaluate a net by plain recursion."""
    match circuit.gates[abs(net)]:
        case And(inputs):
            found = all(value(circuit, n, state, chosen) for n in inputs)
        case Equals(variable, index):
            found = state[variable] == index
        case free:
            found = free.name in chosen
    return found == (net > 0)


def boards(system: TransitionSystem) -> list[State]:
    """Every board there could be, reachable or not."""
    return list(product(*(range(len(variable.domain)) for variable in system.variables)))


@pytest.mark.parametrize("name", GAMES)
def test_the_circuit_means_what_the_rules_mean(name: str) -> None:
    """On every board whatever, guards, effects, faults and open outcomes agree with the plain evaluator."""
    system = game(name, OWNERS if name == "order" else "")
    rules, plain = rules_of(system), evaluator(system)
    compared = 0
    for state in boards(system):
        true = plain.evaluate(state)
        enabled = {s.action for s in rules.steps if value(rules.circuit, s.guard, state)}
        assert enabled == set(plain.enabled(state))
        for goal in system.goals:
            if goal.name in rules.bad:
                atoms = {*goal.reached, *(a for a, _ in goal.violated)} - plain.step_atoms
                assert value(rules.circuit, rules.bad[goal.name], state) == (not true.isdisjoint(atoms))
        for step in rules.steps:
            if step.action not in enabled:
                continue
            for way in plain.resolve(state, step.action):
                chosen = frozenset(f"c{atom}" for atom in way.chosen)
                assert value(rules.circuit, step.ways, state, chosen)
                assert value(rules.circuit, step.goes_on, state, chosen) == (way.next is not None)
                sets = {
                    variable: frozenset(v for v, net in ways.items() if value(rules.circuit, net, state, chosen))
                    for variable, ways in step.sets.items()
                }
                assert {v: held for v, held in sets.items() if held} == way.values
                compared += 1
    assert compared >= len(system.actions)


def test_options_that_do_not_fit_are_no_way() -> None:
    """Of the two ways to mend a fuse, taking neither or both is none."""
    system = game("lamps")
    rules = rules_of(system)
    mend = next(s for s in rules.steps if str(system.actions[s.action].name) == "mend")
    state = board(system, fuse="blown")
    names = [f"c{option.chosen}" for option in system.outcomes[0].options]
    subsets = [frozenset(), frozenset(names[:1]), frozenset(names[1:]), frozenset(names)]
    assert [value(rules.circuit, mend.ways, state, s) for s in subsets] == [False, True, True, False]


@pytest.mark.parametrize("bound", range(8))
def test_weights_add_up(bound: int) -> None:
    """The gates of a weighted body hold exactly where the weights reach the bound."""
    weights = (3, 1, 2, 1)
    circuit = Circuit([2] * 4)
    net = circuit.at_least(bound, [(circuit.equals(i, 1), weight) for i, weight in enumerate(weights)])
    for state in product((0, 1), repeat=4):
        total = sum(weight for weight, on in zip(weights, state, strict=True) if on)
        assert value(circuit, net, state) == (total >= bound)


def test_a_variable_holds_one_value_and_the_folding_knows() -> None:
    circuit = Circuit([3, 1])
    red, blue, green = (circuit.equals(0, i) for i in range(3))
    assert circuit.conj((red, blue)) == -1
    assert circuit.disj((red, blue, green)) == 1
    assert circuit.conj((red, -blue)) == red
    assert circuit.equals(1, 0) == 1


def test_lamps_are_decided_with_shortest_games() -> None:
    found = answers(game("lamps"))
    assert {name: length(found[name]) for name in ("bright", "overload", "dead", "open")} == {
        "bright": 2,
        "overload": 2,
        "dead": 3,
        "open": 3,
    }
    assert isinstance(found["dead"], Holds)
    assert isinstance(found["bright"], Violated)
    assert found["bright"].culprits == ("blue", "red")
    assert found["torn"] == Holds("inductive, any depth")
    lost = Violated(None, ("lost",), note="no game reaches it: inductive, any depth")
    assert found["lost"] == lost


def test_a_step_violation_leaves_the_next_board_out() -> None:
    trace = trace_of(answers(game("lamps"))["overload"])
    assert trace is not None
    assert (len(trace.states), len(trace.steps)) == (2, 2)


def test_a_conflict_names_fluent_and_values_and_an_open_outcome_its_options() -> None:
    found = answers(game("clash"))
    assert isinstance(found["torn"], Violated)
    assert isinstance(found["open"], Violated)
    assert found["torn"].culprits == ("coin", "heads", "tails")
    assert found["open"].culprits == ("set(coin,heads)", "set(coin,tails)")
    assert (length(found["torn"]), length(found["open"])) == (1, 1)


def test_recursion_counts_and_initial_boards() -> None:
    found = answers(game("chain"))
    assert (length(found["gap"]), length(found["taut"])) == (1, 3)
    several = answers(game("chain", "initially(tied(4), yes)."))
    assert (length(several["gap"]), length(several["taut"])) == (0, 2)


def test_the_option_chosen_decides_a_step_violation() -> None:
    extra = "violated(waste) :- occurs(mend), next(fuse, dead)."
    system = game("lamps", extra, waste=Kind.STEP)
    found = trace_of(answers(system)["waste"])
    assert found is not None
    dead = {str(o.effect): o.chosen for o in system.outcomes[0].options}["set(fuse,dead)"]
    assert (len(found.steps), found.steps[-1].chosen) == (3, (dead,))


def test_the_lift_is_safe_at_any_depth() -> None:
    found = answers(toy(LIFT, LIFT_GOALS))
    assert found["no_deep"] == found["no_fall"] == Holds("inductive, any depth")
    assert (isinstance(found["top"], Holds), length(found["top"])) == (True, 2)
    assert isinstance(found["bottom"], Violated)


def test_the_counterexample_to_induction_is_a_board_one_step_before_a_fault() -> None:
    system = toy(LIFT, LIFT_GOALS)
    induction = Induction(rules_of(system), Budget(Limits()))
    pit = induction.counterexample("no_deep", [])
    assert pit == board(system, floor="pit")
    assert board(system, floor="deep") in {after for _, after in evaluator(system).successors(pit)}
    assert induction.counterexample("no_fall", []) == pit


def test_what_steps_keep_is_no_lemma_unless_games_start_with_it() -> None:
    system = toy(LIFT, LIFT_GOALS)
    rules = rules_of(system)
    floor = system.variables[0].domain
    deep, pit = (rules.circuit.equals(0, [str(v) for v in floor].index(name)) for name in ("deep", "pit"))
    induction = Induction(rules, Budget(Limits()))
    assert induction.largest([deep, -deep, -pit]) == [-deep, -pit]
    assert induction.largest([-deep]) == []


def test_two_steps_prove_what_one_does_not() -> None:
    system = toy(LIFT, LIFT_GOALS)
    rules = rules_of(system)
    assert two_steps(rules, "no_deep", [], Budget(Limits()))
    assert not two_steps(rules, "top", [], Budget(Limits()))
    assert not two_steps(rules_of(game("chain")), "taut", [], Budget(Limits()))


def test_spacer_finds_an_invariant_that_induction_accepts() -> None:
    rules = rules_of(toy(LIFT, LIFT_GOALS))
    found = spacer(rules, "no_deep", [], 10.0)
    assert found is not None
    induction = Induction(rules, Budget(Limits()))
    assert induction.largest(found) == list(dict.fromkeys(found))
    assert induction.excludes("no_deep", found)
    assert spacer(rules, "no_fall", [], 10.0)
    assert spacer(rules, "top", [], 10.0) is None


def test_spacer_sees_steps_that_open_outcomes_settle() -> None:
    rules = rules_of(game("lamps"))
    assert spacer(rules, "dead", [], 10.0) is None
    assert spacer(rules, "overload", [], 10.0) is None
    assert spacer(rules, "lost", [], 10.0)


def test_spacer_gives_up_in_time() -> None:
    rules = rules_of(load_system("bench/equip_bench", "u3_g3_b1_e2"))
    with pytest.raises(OutOfBudgetError, match="Spacer gave up after 0 s"):
        spacer(rules, "located_with_bearer", [], 0.05)


def test_what_a_proof_needs_is_inductive_by_itself() -> None:
    system = load_system("bench/equip_bench", "u3_g3_b1_e2")
    proved = SmtEngine().prove(system, system.goals, Limits(depth=11), lambda _: None)
    assert {proof.goal for proof in proved.proofs} == {"located_with_bearer", "same_controller", "home_base"}
    induction = Induction(proved.rules, Budget(Limits()))
    for proof in proved.proofs:
        assert sorted(induction.largest(proof.lemmas)) == sorted(proof.lemmas)
        assert induction.excludes(proof.goal, proof.lemmas)
    assert max(len(proof.lemmas) for proof in proved.proofs) < 20


def test_lemmas_are_said_in_the_rulebooks_terms() -> None:
    system = load_system("bench/equip_bench", "u2_g2_b1_e1")
    result = SmtEngine().check(system, [system.goal["same_controller"]], Limits(), lambda _: None)
    said = str(result.details["lemmas of same_controller"]).split("; ")
    assert "not same_controller" in said
    assert "chain != activate(g(0),u(1))" in said
    assert result.details["proof of same_controller"] == "induction"


def test_a_bound_or_an_empty_budget_is_unknown() -> None:
    assert answers(game("lamps"), Limits(depth=2))["dead"] == Unknown(
        "no game of at most 2 steps shows it; Spacer says that some longer game shows it", 2
    )
    spent = answers(game("lamps"), Limits(seconds=0.0))
    assert spent["bright"] == Unknown("the budget of 0 seconds is spent", None)
    spent = answers(game("lamps"), Limits(memory=1))
    assert spent["bright"] == Unknown("the budget of 1 bytes of memory is spent", None)


def test_other_kinds_are_unknown() -> None:
    assert answers(game("wheel"))["stops"] == Unknown("the smt engine does not decide termination properties")


def test_progress_is_reported_at_each_depth() -> None:
    seen: list[Progress] = []
    system = game("lamps")
    SmtEngine().check(system, system.goals, Limits(depth=2), seen.append)
    assert [progress.level for progress in seen] == [0, 1, 2]


def test_random_games_show_only_reachable_boards() -> None:
    system = load_system("bench/equip_bench", "u1_g1_b1_e1")
    rules = rules_of(system)
    reachable = set(system.initial_states())
    for state in (waiting := list(reachable)):
        new = {after for _, after in evaluator(system).successors(state)} - reachable
        reachable |= new
        waiting.extend(new)
    walks = Walks(rules, 100)
    seen: set[State] = set()
    for _ in range(150):
        for place in range(100):
            seen.add(tuple(next(i for i, held in enumerate(row) if held >> place & 1) for row in walks.held))
        assert all(sum(row) == walks.all for row in walks.held), "each variable holds exactly one value"
        walks.step()
    assert seen <= reachable
    assert len(reachable) == 108
    assert len(seen) > 80
    never = [(a, b) for a, b in exclusions(rules) if a == b]
    assert all(not value(rules.circuit, net, state) for net, _ in never for state in reachable)


@pytest.mark.parametrize(("name", "deep"), [("u2_g2_b1_e1", 9), ("u3_g3_b1_e2", 11)])
def test_the_benchmark_is_decided(name: str, deep: int) -> None:
    found = answers(load_system("bench/equip_bench", name))
    proved = {goal for goal, answer in found.items() if answer == Holds("inductive, any depth")}
    assert proved == {"located_with_bearer", "same_controller", "home_base"}
    assert (length(found["no_loose_gear"]), length(found["not_all_loose"])) == (4, deep)
