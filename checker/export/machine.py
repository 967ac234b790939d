"""A board as a sequential circuit: what every export format writes down.

The action taken is a code on input bits, the options of open outcomes are inputs too. A state bit `broken`
remembers that some step was not legal, so that no format needs constraints: what is bad counts only while
`broken` is off.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from checker.engines.smt.circuit import Circuit, Net
from checker.engines.smt.steps import Rules, compile_rules
from checker.errors import InputError
from checker.system.model import Atom, Goal, Kind, Step, TransitionSystem

KINDS = frozenset({Kind.INVARIANT, Kind.STEP, Kind.SOMETIMES, Kind.CONFLICT, Kind.OPEN_OUTCOME})
"""What can be asked of one board or one step; other kinds ask about whole runs."""


@dataclass(frozen=True, slots=True)
class Machine:
    """A sequential circuit over the nets of `rules.circuit`.

    goals: the properties asked for. action: the nets of the bits of the action's code, lowest first; the code is
    an index into `rules.steps`. choices: the input of each option. broken, started: the nets of two state bits,
    off at the beginning; `started` is on from the first step, and None where there is one initial board. sets:
    for each variable, that the step gives it a value. next_broken: the value of `broken` after the step. bad: for
    each goal, that this board or step shows it.
    """

    system: TransitionSystem
    rules: Rules
    goals: tuple[Goal, ...]
    action: tuple[Net, ...]
    choices: tuple[tuple[Atom, Net], ...]
    broken: Net
    started: Net | None
    sets: tuple[tuple[tuple[int, Net], ...], ...]
    next_broken: Net
    bad: tuple[Net, ...]

    @property
    def circuit(self) -> Circuit:
        """Where the nets are."""
        return self.rules.circuit

    @property
    def inputs(self) -> tuple[Net, ...]:
        """Every input, in the order in which formats list them."""
        return (*self.action, *(net for _, net in self.choices))

    @property
    def roots(self) -> tuple[Net, ...]:
        """Every net that is written down for its own sake."""
        return (*self.bad, self.next_broken, *(net for ways in self.sets for _, net in ways))

    def name(self, net: Net) -> str:
        """Say what an input is: a bit of the action's code, or the effect it chooses."""
        for bit, own in enumerate(self.action):
            if own == net:
                return f"action[{bit}]"
        effects = {o.chosen: o.effect for outcome in self.system.outcomes for o in outcome.options}
        return next(f"choose_{atom} {effects[atom]}" for atom, own in self.choices if own == net)

    def step(self, values: Sequence[bool]) -> Step:
        """Return the step that the values of the inputs take.

        Raises:
            InputError: the code stands for no action.

        """
        code = sum(1 << bit for bit, value in enumerate(values[: len(self.action)]) if value)
        if code >= len(self.rules.steps):
            raise InputError(f"the code {code} stands for no action; there are {len(self.rules.steps)}")
        step = self.rules.steps[code]
        own = {option.chosen for outcome, _, _ in step.outcomes for option in outcome.options}
        pairs = zip(self.choices, values[len(self.action) :], strict=True)
        return Step(step.action, tuple(atom for (atom, _), value in pairs if value and atom in own))


def machine(system: TransitionSystem, goals: Sequence[Goal]) -> Machine:
    """Turn a board, with the properties to be asked, into a sequential circuit."""
    rules = compile_rules(system, goals)
    circuit = rules.circuit
    count = len(rules.steps)
    action = tuple(circuit.free(f"a{bit}") for bit in range((count - 1).bit_length() if count else 0))
    takes = [_code(circuit, action, index) for index in range(count)]
    broken = circuit.free("broken")
    several = any(len(variable.initial) > 1 for variable in system.variables)
    started = circuit.free("started") if several else None
    fine = -broken if started is None else circuit.conj((-broken, circuit.disj((started, rules.initial))))
    legal = [circuit.conj((take, step.guard, step.ways)) for take, step in zip(takes, rules.steps, strict=True)]
    on = circuit.disj(circuit.conj((net, step.goes_on)) for net, step in zip(legal, rules.steps, strict=True))
    bad = []
    for goal in goals:
        shown = (circuit.conj((net, step.bad[goal.name])) for net, step in zip(legal, rules.steps, strict=True))
        bad.append(circuit.conj((fine, circuit.disj((rules.bad[goal.name], *shown)))))
    sets: list[dict[int, list[Net]]] = [{} for _ in system.variables]
    for take, step in zip(takes, rules.steps, strict=True):
        for variable, ways in step.sets.items():
            for value, net in ways.items():
                sets[variable].setdefault(value, []).append(circuit.conj((take, net)))
    return Machine(
        system=system,
        rules=rules,
        goals=tuple(goals),
        action=action,
        choices=tuple(sorted(rules.choices.items())),
        broken=broken,
        started=started,
        sets=tuple(tuple((value, circuit.disj(nets)) for value, nets in sorted(ways.items())) for ways in sets),
        next_broken=-circuit.conj((fine, on)),
        bad=tuple(bad),
    )


def _code(circuit: Circuit, bits: Sequence[Net], value: int) -> Net:
    return circuit.conj(net if value >> bit & 1 else -net for bit, net in enumerate(bits))
