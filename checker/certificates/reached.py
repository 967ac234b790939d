"""The set of all reachable boards as an invariant, exported from the symbolic engine's diagram."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from checker.certificates.invariant import Gates, Input, Invariant, Lit
from checker.engines.protocol import Limits
from checker.engines.symbolic.budget import Budget
from checker.engines.symbolic.diagrams import Function, OutOfNodesError
from checker.engines.symbolic.encoding import Encoding
from checker.engines.symbolic.engine import open_space
from checker.system.model import TransitionSystem

WIDTH = 20_000
"""Nodes of a layer past which saturation takes over, as in the engine."""


def reachable(system: TransitionSystem, limits: Limits) -> Invariant | None:
    """Return the invariant "the board is reachable", or None if the limits end the search for all of them."""
    try:
        space = open_space(system, (), Budget(limits, lambda _: None), WIDTH)
    except OutOfNodesError:
        return None
    space.explore()
    return _export(space.encoding, space.reached) if space.complete else None


def _export(encoding: Encoding, boards: Function) -> Invariant:
    """Write a diagram as gates, one for each node; values that have no code are excluded one by one."""
    inputs = [
        Input("value", index, value)
        for index, variable in enumerate(encoding.system.variables)
        for value in range(len(variable.domain))
    ]
    gates = Gates(inputs)
    number = {(item.variable, item.place): lit for lit, item in enumerate(inputs, 1)}
    never = [-lit for (variable, value), lit in number.items() if value not in encoding.values[variable]]
    return gates.invariant(_node(boards, gates, _bits(encoding, gates, number), {}), *never)


def _bits(encoding: Encoding, gates: Gates, number: Mapping[tuple[int, int], Lit]) -> dict[int, Lit]:
    """Return for each bit of the diagrams the literal that says that it is set."""
    found = {}
    for variable, bits in enumerate(encoding.current):
        for place, bit in enumerate(reversed(bits)):
            held = [number[variable, value] for value, code in encoding.values[variable].items() if code >> place & 1]
            found[bit] = _any(gates, held)
    return found


def _any(gates: Gates, lits: Sequence[Lit]) -> Lit:
    return -gates.all(*(-lit for lit in lits))


def _node(node: Function, gates: Gates, bits: Mapping[int, Lit], made: dict[Function, Lit]) -> Lit:
    """Return the literal of a node, those below it made once; the depth is that of the diagram's bits."""
    if node not in made:
        halves = node.cofactors()
        if halves is None:
            made[node] = gates.all() if node.valid() else -gates.all()
        else:
            bit = node.node_var()
            assert bit is not None, "a node with halves tests a bit"
            high, low = (_node(half, gates, bits, made) for half in halves)
            made[node] = gates.ite(bits[bit], high, low)
    return made[node]
