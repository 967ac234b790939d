"""The rules of a transition system as a circuit: what each action needs, and what it does."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from checker.engines.smt.circuit import FALSE, TRUE, Circuit, Net
from checker.system.model import Atom, Goal, Kind, Literal, Outcome, Rule, Stratum, TransitionSystem
from checker.system.specialise import StepRules, specialise


@dataclass(frozen=True, slots=True)
class StepNets:
    """One action's step.

    guard: it may be taken. ways: the options chosen fit the open outcomes. goes_on: the step has a next
    board. sets: for each variable and value, that the step sets it. bad: per goal, that the step shows it.
    atoms: the step atoms that goals ask for. outcomes: those that may open, each with the nets of its
    `fired` and of each option's `enabled`.
    """

    action: int
    guard: Net
    ways: Net
    goes_on: Net
    sets: Mapping[int, Mapping[int, Net]]
    bad: Mapping[str, Net]
    atoms: Mapping[Atom, Net]
    outcomes: tuple[tuple[Outcome, Net, tuple[Net, ...]], ...]


@dataclass(frozen=True, slots=True)
class Rules:
    """A transition system as a circuit.

    initial: the board is one that a game may start with. bad: per goal, that the board shows it.
    atoms: the board atoms that goals ask for. steps: of the actions that can be possible at all.
    choices: the free input of each option's `chosen` atom.
    """

    system: TransitionSystem
    circuit: Circuit
    initial: Net
    bad: Mapping[str, Net]
    atoms: Mapping[Atom, Net]
    steps: tuple[StepNets, ...]
    choices: Mapping[Atom, Net]


def asked(goal: Goal) -> tuple[Atom, ...]:
    """Return the atoms that show a goal: those that violate it or, for `sometimes`, reach it."""
    return goal.reached if goal.kind is Kind.SOMETIMES else tuple(atom for atom, _ in goal.violated)


def compile_rules(system: TransitionSystem, goals: Sequence[Goal]) -> Rules:
    """Turn the rules that steps and `goals` need into a circuit."""
    wanted = {atom for goal in goals for atom in asked(goal)}
    cut = specialise(system, wanted)
    circuit = Circuit([len(variable.domain) for variable in system.variables])
    values: dict[Atom, Net] = {
        atom: circuit.equals(index, value)
        for index, variable in enumerate(system.variables)
        for value, atom in enumerate(variable.atoms)
    }
    choices = {o.chosen: circuit.free(f"c{o.chosen}") for outcome in system.outcomes for o in outcome.options}
    values |= choices
    _evaluate(circuit, cut.board, values)
    board = dict(values)
    stepping = set().union(*(step.goals for step in cut.steps)) if cut.steps else set()
    guards = _guards(system, circuit, values)
    steps = tuple(
        _step(circuit, rules, guards[rules.action], board, goals)
        for rules in cut.steps
        if guards[rules.action] != FALSE
    )
    initial = circuit.conj(
        circuit.disj(circuit.equals(index, value) for value in variable.initial)
        for index, variable in enumerate(system.variables)
    )
    atoms = {atom: board[atom] for atom in wanted - stepping if atom in board}
    bad = {g.name: circuit.disj(atoms.get(atom, FALSE) for atom in asked(g)) for g in goals}
    return Rules(system, circuit, initial, bad, atoms, steps, choices)


def _guards(system: TransitionSystem, circuit: Circuit, values: Mapping[Atom, Net]) -> list[Net]:
    """Return for each action that it may be taken: it is possible, and forced if any possible one is."""
    possible = [values.get(a.possible, FALSE) if a.possible else FALSE for a in system.actions]
    forced = [
        circuit.conj((net, values.get(a.forced, FALSE))) if a.forced else FALSE
        for net, a in zip(possible, system.actions, strict=True)
    ]
    calm = -circuit.disj(forced)
    return [circuit.disj((must, circuit.conj((can, calm)))) for can, must in zip(possible, forced, strict=True)]


def _step(circuit: Circuit, rules: StepRules, guard: Net, board: Mapping[Atom, Net], goals: Sequence[Goal]) -> StepNets:
    values = dict(board)
    _evaluate(circuit, rules.strata, values)
    sets: dict[int, dict[int, list[Net]]] = {}
    for effect in rules.effects:
        net = values.get(effect.atom, FALSE)
        sets.setdefault(effect.variable, {}).setdefault(effect.value, []).append(net)
    joined = {
        variable: {value: net for value, nets in ways.items() if (net := circuit.disj(nets)) != FALSE}
        for variable, ways in sets.items()
    }
    torn = circuit.disj(_two_of(circuit, list(ways.values())) for ways in joined.values())
    outcomes = tuple(
        (o, values.get(o.fired, FALSE), tuple(values.get(option.enabled, FALSE) for option in o.options))
        for o in rules.outcomes
    )
    fits = [_fits(circuit, fired, may, [values[o.chosen] for o in out.options]) for out, fired, may in outcomes]
    stuck = circuit.disj(circuit.conj((fired, -circuit.disj(may))) for _, fired, may in outcomes)
    doubtful = [circuit.conj((fired, _two_of(circuit, may))) for _, fired, may in outcomes]
    atoms = {atom: values[atom] for atom in rules.goals if atom in values}
    shown = {Kind.CONFLICT: torn, Kind.OPEN_OUTCOME: circuit.disj((stuck, *doubtful))}
    bad = {
        goal.name: shown[goal.kind]
        if goal.kind in shown
        else circuit.disj(atoms.get(atom, FALSE) for atom in asked(goal))
        for goal in goals
    }
    goes_on = circuit.conj((-torn, -stuck))
    return StepNets(rules.action, guard, circuit.conj(fits), goes_on, joined, bad, atoms, outcomes)


def _fits(circuit: Circuit, fired: Net, may: Sequence[Net], took: Sequence[Net]) -> Net:
    """Return that of the options that an outcome may take exactly one is taken, none if there is none."""
    allowed = [circuit.disj((-took, circuit.conj((fired, may)))) for took, may in zip(took, may, strict=True)]
    settled = circuit.disj((-fired, -circuit.disj(may), *took))
    return circuit.conj((*allowed, -_two_of(circuit, took), settled))


def _two_of(circuit: Circuit, nets: Sequence[Net]) -> Net:
    """Return that two or more of `nets` hold."""
    return circuit.at_least(2, [(net, 1) for net in nets])


def _evaluate(circuit: Circuit, strata: Iterable[Stratum], values: dict[Atom, Net]) -> None:
    """Add to `values` the net of every atom that the strata derive.

    A recursive stratum is its least fixpoint: with n atoms in it, n rounds from "nothing holds" reach it,
    and fewer do where a round changes no net.
    """
    for stratum in strata:
        by_head: dict[Atom, list[Rule]] = {}
        for rule in stratum.rules:
            by_head.setdefault(rule.head, []).append(rule)
        if stratum.recursive:
            values.update(dict.fromkeys(by_head, FALSE))
        for _ in range(len(by_head) if stratum.recursive else 1):
            found = {
                head: circuit.disj(_body(circuit, rule, values) for rule in rules) for head, rules in by_head.items()
            }
            if all(values.get(head) == net for head, net in found.items()):
                break
            values.update(found)


def _body(circuit: Circuit, rule: Rule, values: Mapping[Atom, Net]) -> Net:
    def net(literal: Literal) -> Net:
        found = values.get(abs(literal), FALSE)
        return found if literal > 0 else -found

    if rule.weights:
        return circuit.at_least(rule.bound, [(net(b), w) for b, w in zip(rule.body, rule.weights, strict=True)])
    return circuit.conj(net(literal) for literal in rule.body) if rule.body else TRUE
