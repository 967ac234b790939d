"""VMT-LIB: a machine as SMT-LIB 2 text with `:next`, `:init`, `:trans` and `:invar-property`.

Everything is state, inputs too, whose next value is left open, so that a property may speak of the step that is
taken. Gates are named as in `engines.smt.text`, board 0 being the present board and board 1 the next one.
"""

from __future__ import annotations

from collections.abc import Iterator

from checker.engines.smt.circuit import Free, Net
from checker.engines.smt.text import (
    BoardText,
    board_constants,
    conjunction,
    disjunction,
    literal,
    net_name,
    variable_name,
    width,
)
from checker.export.machine import Machine


def to_vmt(machine: Machine, comment: str) -> str:
    """Write a machine as VMT-LIB text; property number i is the goal number i."""
    return "\n".join([f"; {comment}", "(set-logic QF_BV)", *_lines(machine)]) + "\n"


def flags(machine: Machine) -> list[Net]:
    """Return the nets of the state bits."""
    return [net for net in (machine.broken, machine.started) if net is not None]


def free_name(machine: Machine, net: Net, board: int) -> str:
    """Return the constant of an input or a state bit on a board."""
    gate = machine.circuit.gates[net]
    assert isinstance(gate, Free), "inputs and state bits are free in the circuit"
    return f"b{board}_{gate.name}"


def _lines(machine: Machine) -> Iterator[str]:
    sizes = machine.circuit.sizes
    free = [*machine.inputs, *flags(machine)]
    inside: list[str] = []
    for board in (0, 1):
        for line in board_constants(machine.circuit, board):
            if not line.startswith("(assert "):
                yield line
            elif board == 0:  # what a step sets is inside the domain anyway
                inside.append(line.removeprefix("(assert ").removesuffix(")"))
    text = BoardText(machine.circuit, 0)
    yield from text.gates((*machine.roots, machine.rules.initial, *free))
    for net in free:
        yield f"(declare-const {free_name(machine, net, 1)} Bool)"
    for number, size in enumerate(sizes):
        now, then = variable_name(number, 0), variable_name(number, 1)
        yield f"(define-fun next_x{number} () (_ BitVec {width(size)}) (! {now} :next {then}))"
        yield f"; next_x{number} is {machine.system.variables[number].name}"
    for number, net in enumerate(free):
        yield f"(define-fun next_f{number} () Bool (! {free_name(machine, net, 0)} :next {free_name(machine, net, 1)}))"
    off = [f"(not {free_name(machine, net, 0)})" for net in flags(machine)]
    start = conjunction([net_name(machine.rules.initial, 0), *inside, *off])
    yield f"(define-fun init () Bool (! {start} :init true))"
    yield f"(define-fun trans () Bool (! {conjunction(list(_step(machine)))} :trans true))"
    for number, (goal, net) in enumerate(zip(machine.goals, machine.bad, strict=True)):
        yield f"; property {number} is {goal.name}"
        yield f"(define-fun property{number} () Bool (! {net_name(-net, 0)} :invar-property {number}))"


def _step(machine: Machine) -> Iterator[str]:
    """Yield what binds the next board."""
    for number, size in enumerate(machine.circuit.sizes):
        after = variable_name(number, 0)
        for value, net in machine.sets[number]:
            after = f"(ite {disjunction([net_name(net, 0)])} {literal(value, size)} {after})"
        yield f"(= {variable_name(number, 1)} {after})"
    yield f"(= {free_name(machine, machine.broken, 1)} {net_name(machine.next_broken, 0)})"
    if machine.started is not None:
        yield free_name(machine, machine.started, 1)
