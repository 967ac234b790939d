"""Read what another checker found back into a game: witnesses in the formats of AIGER 1.9 and of BTOR2.

A witness gives the initial board and the inputs of each step. The boards between are computed by the plain
evaluator, and the game is confirmed by replay like any other, so a wrong witness cannot pass.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from checker.errors import InputError
from checker.export.btor2 import state_variables
from checker.export.machine import Machine
from checker.system.model import Goal, State, Step, Trace
from checker.traces.confirm import confirm
from checker.traces.evaluate import evaluator
from checker.traces.replay import ReplayedTrace, ReplayError

FRAME = re.compile(r"@(\d+)")


@dataclass(frozen=True, slots=True)
class Witness:
    """What a witness says: the number of the property, the initial board, and the inputs of each frame."""

    bad: int
    start: State
    frames: tuple[tuple[bool, ...], ...]


def read_aiger(machine: Machine, text: str) -> Witness:
    """Read an AIGER witness: `1`, `b<number>`, the latches, a line of inputs for each frame, and a dot.

    ABC leaves out the first two lines, and means the first property, and ends with `# DONE` in place of the dot.

    Raises:
        InputError: the text is none, or does not fit the machine.

    """
    told = (line.partition("#")[0].strip() for line in text.splitlines() if not line.startswith(("c", "u")))
    lines = [line for line in told if line not in ("", ".")]
    bad = 0
    if lines[:1] in (["1"], ["sat"]):
        if not re.fullmatch(r"b\d+", "".join(lines[1:2])):
            raise InputError("an AIGER witness names the property in its second line, such as b0")
        bad, lines = int(lines[1][1:]), lines[2:]
    if len(lines) < 2:
        raise InputError("an AIGER witness has a line of latches, and one of inputs for each frame")
    latches, frames = lines[0], lines[1:]
    sizes = [variable.bits for variable in machine.system.variables]
    flags = 1 if machine.started is None else 2
    _check_bits(latches, sum(sizes) + flags, "latches")
    state, place = [], 0
    for bits in sizes:
        state.append(sum(1 << bit for bit in range(bits) if latches[place + bit] == "1"))
        place += bits
    for line in frames:
        _check_bits(line, len(machine.inputs), "inputs")
    read = tuple(tuple(letter == "1" for letter in line) for line in frames)
    return Witness(bad, _inside(machine, state), read)


def read_btor2(machine: Machine, text: str) -> Witness:
    """Read a BTOR2 witness: `sat`, `b<number>`, frame `#0` with the states, and frames `@k` with the inputs.

    Raises:
        InputError: the text is none, or does not fit the machine.

    """
    lines = [line.strip() for line in text.splitlines() if line.strip() and not line.startswith(";")]
    if len(lines) < 3 or lines[0] != "sat" or not re.fullmatch(r"b\d+", lines[1]) or lines[-1] != ".":
        raise InputError("a BTOR2 witness is sat, b<property>, the frames, and a dot")
    given: dict[int, int] = {}
    frames: list[dict[int, int]] = []
    target: dict[int, int] = given
    for line in lines[2:-1]:
        if FRAME.fullmatch(line):
            frames.append({})
            target = frames[-1]
        elif line.startswith("#"):
            # States are written out for the first frame; of later frames only the inputs matter.
            target = given if line == "#0" else {}
        else:
            number, value = _assigned(line)
            target[number] = value
    start = [variable.initial[0] for variable in machine.system.variables]
    for place, index in enumerate(state_variables(machine)):
        start[index] = given.get(place, start[index])
    inputs = range(len(machine.inputs))
    read = tuple(tuple(frame.get(number, 0) == 1 for number in inputs) for frame in frames)
    return Witness(int(lines[1][1:]), _inside(machine, start), read)


def to_game(machine: Machine, witness: Witness) -> tuple[Goal, ReplayedTrace]:
    """Play a witness, and confirm that its end shows the property.

    Raises:
        InputError: it names no property or no action, or takes a step that the rules do not allow.
        ReplayError: its end does not show the property.

    """
    if witness.bad >= len(machine.goals):
        raise InputError(f"there is no property number {witness.bad}; {len(machine.goals)} were exported")
    goal = machine.goals[witness.bad]
    states, steps = [witness.start], list[Step]()
    for number, frame in enumerate(witness.frames[:-1], start=1):
        step = machine.step(frame)
        states.append(_after(machine, states[-1], step, number))
        steps.append(step)
    on_board = Trace(tuple(states), tuple(steps))
    try:
        return goal, confirm(machine.system, goal, on_board)
    except ReplayError:
        # The board shows nothing, so the step that the last frame takes has to.
        return goal, confirm(machine.system, goal, Trace(on_board.states, (*steps, machine.step(witness.frames[-1]))))


def _after(machine: Machine, state: State, step: Step, number: int) -> State:
    for found, after in evaluator(machine.system).successors(state):
        if found.action == step.action and set(found.chosen) == set(step.chosen):
            return after
    name = machine.system.actions[step.action].name
    raise InputError(f"step {number} of the witness: {name} is not legal there, or has no next board")


def _inside(machine: Machine, state: Sequence[int]) -> State:
    """Return a board whose codes beyond a domain stand for its last value, as they do in the formats."""
    sizes: Mapping[int, int] = dict(enumerate(machine.circuit.sizes))
    return tuple(min(value, sizes[index] - 1) for index, value in enumerate(state))


def _check_bits(line: str, count: int, what: str) -> None:
    if len(line) != count or set(line) - set("01x"):
        raise InputError(f'the witness has the line "{line[:60]}" where {count} bits of {what} were expected')


def _assigned(line: str) -> tuple[int, int]:
    """Return the number and the value of an assignment such as `2 011 name@0`."""
    parts = line.split()
    if len(parts) < 2 or not parts[0].isdigit() or not re.fullmatch("[01]+", parts[1]):
        raise InputError(f'the witness has the line "{line[:60]}" where "<number> <bits>" was expected')
    return int(parts[0]), int(parts[1], 2)
