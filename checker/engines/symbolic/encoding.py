"""Boards as binary decision diagrams: the bits of each variable, and counting and picking boards."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import reduce

from oxidd.bcdd import BCDDFunction as Function
from oxidd.bcdd import BCDDManager as Manager
from oxidd.bcdd import BCDDSubstitution as Substitution
from oxidd.util import BooleanOperator

from checker.system.model import Atom, State, TransitionSystem

AND = BooleanOperator.AND


class Encoding:
    """The bits of a system's boards, before and after a step, in one manager.

    Each variable has a group of adjacent bits, most significant first, each current bit directly above its
    next bit; the groups stand in the given order, and below them one bit per option of an open outcome.
    """

    def __init__(self, system: TransitionSystem, order: Sequence[int], nodes: int, cache: int) -> None:
        """Allocate `nodes` inner nodes and `cache` cache entries for `system` with its variables in `order`."""
        self.system = system
        self.order = tuple(order)
        chosen = [option.chosen for outcome in system.outcomes for option in outcome.options]
        self.width = 2 * system.bits + len(chosen)
        self.manager = Manager(nodes, cache, 1)
        self.manager.add_vars(self.width)
        self.current: list[tuple[int, ...]] = [()] * len(system.variables)
        bit = 0
        for variable in order:
            bits = system.variables[variable].bits
            self.current[variable] = tuple(range(bit, bit + 2 * bits, 2))
            bit += 2 * bits
        self.choices: Mapping[Atom, int] = {atom: bit + i for i, atom in enumerate(chosen)}
        self.true, self.false = self.manager.true(), self.manager.false()
        self.choice_cube = self.cube(self.choices.values())
        self._substitutions: dict[tuple[tuple[int, ...], bool], Substitution] = {}

    def bits_of(self, variable: int, primed: bool = False) -> tuple[int, ...]:
        """Return the bits of a variable: the current ones, or the next ones if `primed`."""
        return tuple(bit + primed for bit in self.current[variable])

    def cube(self, bits: Iterable[int]) -> Function:
        """Return the conjunction of `bits`: a set of bits to quantify over."""
        return self.conjunction(self.manager.var(bit) for bit in sorted(bits, reverse=True))

    def cube_of(self, variables: Iterable[int], primed: bool = False) -> Function:
        """Return the conjunction of all bits of `variables`."""
        return self.cube(bit for variable in variables for bit in self.bits_of(variable, primed))

    def conjunction(self, parts: Iterable[Function]) -> Function:
        """Return the conjunction of `parts`."""
        return reduce(lambda left, right: left & right, parts, self.true)

    def disjunction(self, parts: Iterable[Function]) -> Function:
        """Return the disjunction of `parts`."""
        return reduce(lambda left, right: left | right, parts, self.false)

    def code(self, variable: int, value: int) -> Iterable[tuple[int, bool]]:
        """Yield each current bit of a variable with what it is for the domain's value number `value`."""
        bits = self.current[variable]
        for position, bit in enumerate(bits):
            yield bit, bool(value >> (len(bits) - 1 - position) & 1)

    def equals(self, variable: int, value: int, primed: bool = False) -> Function:
        """Return the boards on which a variable has the domain's value number `value`."""
        var, not_var = self.manager.var, self.manager.not_var
        literals = [(var if on else not_var)(bit + primed) for bit, on in self.code(variable, value)]
        return self.conjunction(reversed(literals))

    def same(self, variable: int) -> Function:
        """Return the pairs of boards on which a variable does not change."""
        var = self.manager.var
        return self.conjunction(var(bit).equiv(var(bit + 1)) for bit in reversed(self.current[variable]))

    def boards(self, values: Mapping[int, Iterable[int]]) -> Function:
        """Return the boards on which each variable of `values` has one of the values given for it."""
        place = {variable: position for position, variable in enumerate(self.order)}
        return self.conjunction(
            self.disjunction(self.equals(variable, value) for value in values[variable])
            for variable in sorted(values, key=place.__getitem__, reverse=True)
        )

    def board(self, state: State) -> Function:
        """Return the set that holds one board."""
        return self.boards({variable: (value,) for variable, value in enumerate(state)})

    def count(self, boards: Function) -> int:
        """Count boards; `boards` must not read the next bits."""
        return boards.sat_count(self.width) >> (self.system.bits + len(self.choices))

    def count_with_choices(self, boards: Function) -> int:
        """Count pairs of a board and the choices made on it."""
        return boards.sat_count(self.width) >> self.system.bits

    def pick(self, boards: Function) -> State:
        """Return one board of a set that is not empty: the same one every time."""
        cube = boards.pick_cube()
        if cube is None:
            raise ValueError("there is no board in an empty set")
        return tuple(
            sum(1 << (len(bits) - 1 - place) for place, bit in enumerate(bits) if cube[bit])
            for bits in self.current
        )

    def assignment(self, state: State, chosen: Iterable[Atom] = ()) -> list[tuple[int, bool]]:
        """Return the value of every current and choice bit, as `Function.eval` takes them."""
        bits = [pair for variable, value in enumerate(state) for pair in self.code(variable, value)]
        taken = set(chosen)
        return bits + [(bit, atom in taken) for atom, bit in self.choices.items()]

    def rename(self, variables: Sequence[int], to_next: bool) -> Substitution:
        """Return the substitution of the next bits of `variables` for the current ones, or the reverse."""
        key = (tuple(variables), to_next)
        if key not in self._substitutions:
            var = self.manager.var
            bits = [bit for variable in variables for bit in self.current[variable]]
            pairs = [(bit, var(bit + 1)) if to_next else (bit + 1, var(bit)) for bit in bits]
            self._substitutions[key] = Function.make_substitution(pairs)
        return self._substitutions[key]
