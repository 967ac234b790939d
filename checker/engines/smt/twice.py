"""Two copies of a step: nets that hold on boards from which an action, or two of them, may end differently.

What a step makes of a variable is read as the rules state it: any value that they set, or its own if they set none.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from checker.engines.smt.circuit import FALSE, TRUE, Circuit, Equals, Net
from checker.engines.smt.steps import Rules, StepNets, compile_rules
from checker.system.model import Action, Atom, Goal, Kind, TransitionSystem

GAME = "game"
SEEN = "seen"


def rules_with_deciders(system: TransitionSystem) -> Rules:
    """Turn the rules into a circuit that also tells what is forced, and who decides it."""
    atoms = [atom for a in system.actions for atom in (a.possible, a.forced, *(who for _, who in a.by))]
    return compile_rules(system, [Goal(SEEN, Kind.INVARIANT, tuple((a, None) for a in dict.fromkeys(atoms) if a))])


@dataclass(frozen=True, slots=True)
class Twice:
    """An action taken twice from one board.

    same: with the same choices of open outcomes it may end differently, two rules setting one thing to two values.
    free: it may if the choices of the copies differ as well. again: the second copy's input of each choice.
    """

    same: Net
    free: Net
    again: Mapping[Net, Net]


def taken_twice(rules: Rules, step: StepNets) -> Twice:
    """Return where an action may end differently."""
    circuit = rules.circuit
    again = {net: circuit.free(f"again{atom}") for atom, net in rules.choices.items()}
    other = _copied(circuit, step, again)
    taken = circuit.conj((step.guard, step.ways))
    same = circuit.conj((taken, _differ(circuit, step.sets, step.sets)))
    both = circuit.conj((taken, other.ways))
    # Where a copy has no next board at all, for want of an option, there is nothing to compare.
    ends = circuit.conj((both, _goes_on(circuit, step), _goes_on(circuit, other)))
    return Twice(same, circuit.conj((ends, _differ(circuit, step.sets, other.sets))), again)


def _goes_on(circuit: Circuit, step: StepNets) -> Net:
    """Return that a step has a next board, or would have but for two values of one variable."""
    stuck = [circuit.conj((fired, -circuit.disj(may))) for _, fired, may in step.outcomes]
    return -circuit.disj(stuck)


def _copied(circuit: Circuit, step: StepNets, inputs: Mapping[Net, Net]) -> StepNets:
    """Return a step with some inputs replaced."""
    outcomes = [(o, fired, may) for o, fired, may in step.outcomes]
    roots = [step.guard, step.ways, step.goes_on]
    roots += [net for ways in step.sets.values() for net in ways.values()]
    roots += [net for _, fired, may in outcomes for net in (fired, *may)]
    moved = dict(zip(roots, circuit.copy(roots, inputs), strict=True))
    return StepNets(
        step.action, moved[step.guard], moved[step.ways], moved[step.goes_on],
        {variable: {value: moved[net] for value, net in ways.items()} for variable, ways in step.sets.items()},
        {}, {}, tuple((o, moved[fired], tuple(moved[net] for net in may)) for o, fired, may in outcomes),
    )  # fmt: skip


_Sets = Mapping[int, Mapping[int, Net]]


def _differ(circuit: Circuit, one: _Sets, other: _Sets) -> Net:
    """Return that some variable may get two different values, one of each copy."""
    ways = []
    for variable in one:
        left, right = _may(circuit, variable, one[variable]), _may(circuit, variable, other[variable])
        ways += [circuit.conj((a, b)) for x, a in left.items() for y, b in right.items() if x != y]
    return circuit.disj(ways)


def _may(circuit: Circuit, variable: int, ways: Mapping[int, Net]) -> dict[int, Net]:
    """Return for each value that the variable may have it after the step."""
    none = circuit.conj(-net for net in ways.values())
    return {
        value: circuit.disj((ways.get(value, FALSE), circuit.conj((none, circuit.equals(variable, value)))))
        for value in range(circuit.sizes[variable])
    }


@dataclass(frozen=True, slots=True)
class Both:
    """Two forced actions that may be taken on one board: on any, and where no one player decides between them."""

    any: Net
    silent: Net


def both_forced(rules: Rules, one: StepNets, other: StepNets) -> Both:
    """Return where two actions are forced at once."""
    circuit, actions = rules.circuit, rules.system.actions
    forced = [_net(rules, actions[step.action].forced) for step in (one, other)]
    both = circuit.conj((*forced, one.guard, other.guard))
    return Both(both, circuit.conj((both, -_one_player(rules, one.action, other.action))))


@dataclass(frozen=True, slots=True)
class Orders:
    """Where the boards after two forced actions in either order differ; one no longer possible is left out.

    silent: and no one player decides between them. chosen: one player does, and each leaves the other to be taken.
    """

    silent: Net
    chosen: Net


def either_order(rules: Rules, one: StepNets, other: StepNets) -> Orders:
    """Return where the order of two actions may matter; open outcomes go the same way in both."""
    circuit, both = rules.circuit, both_forced(rules, one, other)
    if both.any == FALSE:
        return Orders(FALSE, FALSE)
    (left, then), (right, before) = _after_both(circuit, one, other), _after_both(circuit, other, one)
    ways = [net for key, a in left.items() for net in (circuit.conj((a, -right[key])), circuit.conj((right[key], -a)))]
    differ = circuit.conj((one.ways, other.ways, one.goes_on, other.goes_on, circuit.disj(ways)))
    chosen = circuit.conj((both.any, -both.silent, differ, then, before))
    return Orders(circuit.conj((both.silent, differ)), chosen)


def _after_both(circuit: Circuit, first: StepNets, second: StepNets) -> tuple[dict[tuple[int, int], Net], Net]:
    """Return for each value of each variable they change that it has it after one action and then the other.

    And that after the first action the other may still be taken.
    """
    values = {
        (variable, value): net
        for variable, ways in first.sets.items()
        for value, net in _may(circuit, variable, ways).items()
    }
    roots = [second.guard, second.ways, second.goes_on, *(n for ways in second.sets.values() for n in ways.values())]
    inputs = {
        net: values[gate.variable, gate.value]
        for net in circuit.cone(roots)
        if isinstance(gate := circuit.gates[net], Equals) and (gate.variable, gate.value) in values
    }
    late = _copied(circuit, second, inputs)
    takes = circuit.conj((late.guard, late.ways, late.goes_on))
    found = {}
    for variable in {*first.sets, *second.sets}:
        ways = late.sets.get(variable, {})
        kept = circuit.conj(-net for net in ways.values())
        for value in range(circuit.sizes[variable]):
            now = values.get((variable, value), circuit.equals(variable, value))
            then = circuit.disj((ways.get(value, FALSE), circuit.conj((kept, now))))
            found[variable, value] = circuit.ite(takes, then, now)
    return found, late.guard


def _one_player(rules: Rules, one: int, other: int) -> Net:
    """Return that the same players, and not the game, decide two actions."""
    circuit = rules.circuit
    first, second = (_deciders(rules, rules.system.actions[action]) for action in (one, other))
    same = []
    for who in sorted({*first, *second}):
        a, b = first.get(who, FALSE), second.get(who, FALSE)
        same.append(circuit.disj((circuit.conj((a, b)), circuit.conj((-a, -b)))))
    return circuit.conj((*same, -first.get(GAME, FALSE)))


def _deciders(rules: Rules, action: Action) -> dict[str, Net]:
    found: dict[str, list[Net]] = {}
    for who, atom in action.by:
        found.setdefault(str(who), []).append(TRUE if atom is None else _net(rules, atom))
    return {who: rules.circuit.disj(nets) for who, nets in found.items()}


def _net(rules: Rules, atom: Atom | None) -> Net:
    return FALSE if atom is None else rules.atoms.get(atom, FALSE)
