"""Boards as binary decision diagrams: the bits of each variable, and counting and picking boards."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import reduce

from checker.engines.symbolic.diagrams import Function, Manager, Substitution
from checker.system.model import Atom, State, TransitionSystem

CURRENT, NEXT, END = 0, 1, 2
"""The copies of a bit: before the step, after it, and on a board where a run ends."""


class Encoding:
    """The bits of a system's boards in one manager.

    Only values in `possible` (atoms) have a code. Each variable has a group of adjacent bits, most
    significant first; the copies of a bit stand together, the current one on top. The groups stand in
    `order`, and below them one bit per option of an open outcome.
    """

    def __init__(
        self,
        system: TransitionSystem,
        possible: Collection[Atom],
        order: Sequence[int],
        copies: int,
        manager: Manager,
    ) -> None:
        self.system = system
        self.manager = manager
        self.order = tuple(order)
        self.values = [
            {value: code for code, value in enumerate(v for v, a in enumerate(variable.atoms) if a in possible)}
            for variable in system.variables
        ]
        chosen = [option.chosen for outcome in system.outcomes for option in outcome.options]
        sizes = [(len(values) - 1).bit_length() for values in self.values]
        self.bits = sum(sizes)
        self.width = copies * self.bits + len(chosen)
        manager.add_vars(self.width)
        self.current: list[tuple[int, ...]] = [()] * len(sizes)
        bit = 0
        for variable in order:
            self.current[variable] = tuple(range(bit, bit + copies * sizes[variable], copies))
            bit += copies * sizes[variable]
        self.choices: Mapping[Atom, int] = {atom: bit + i for i, atom in enumerate(chosen)}
        self.true, self.false = manager.true(), manager.false()
        self.choice_cube = self.cube(self.choices.values())
        self._substitutions: dict[tuple[tuple[int, ...], bool], Substitution] = {}

    def cube(self, bits: Iterable[int]) -> Function:
        """Return the conjunction of `bits`: a set of bits to quantify over."""
        return self.conjunction(self.manager.var(bit) for bit in sorted(bits, reverse=True))

    def cube_of(self, variables: Iterable[int], copy: int = CURRENT) -> Function:
        """Return the conjunction of all bits of `variables`."""
        return self.cube(bit + copy for variable in variables for bit in self.current[variable])

    def conjunction(self, parts: Iterable[Function]) -> Function:
        """Return the conjunction of `parts`."""
        return reduce(lambda left, right: left & right, parts, self.true)

    def disjunction(self, parts: Iterable[Function]) -> Function:
        """Return the disjunction of `parts`."""
        return reduce(lambda left, right: left | right, parts, self.false)

    def equals(self, variable: int, value: int, copy: int = CURRENT) -> Function:
        """Return the boards on which a variable has the domain's value number `value`."""
        code = self.values[variable].get(value)
        if code is None:
            return self.false
        var, not_var = self.manager.var, self.manager.not_var
        literals = [(var if on else not_var)(bit + copy) for bit, on in self._literals(variable, code)]
        return self.conjunction(reversed(literals))

    def _literals(self, variable: int, code: int) -> Iterator[tuple[int, bool]]:
        bits = self.current[variable]
        for position, bit in enumerate(bits):
            yield bit, bool(code >> (len(bits) - 1 - position) & 1)

    def same(self, variables: Iterable[int], copy: int) -> Function:
        """Return the pairs of boards, current and another copy, that agree on `variables`."""
        bits = sorted((bit for variable in variables for bit in self.current[variable]), reverse=True)
        return self.conjunction(self.manager.var(b).equiv(self.manager.var(b + copy)) for b in bits)

    def boards(self, values: Mapping[int, Iterable[int]]) -> Function:
        """Return the boards on which each variable of `values` has one of the values given for it."""
        return self.conjunction(
            self.disjunction(self.equals(variable, value) for value in values[variable])
            for variable in reversed(self.order)
            if variable in values
        )

    def board(self, state: State) -> Function:
        """Return the set that holds one board."""
        return self.boards({variable: (value,) for variable, value in enumerate(state)})

    def count(self, boards: Function) -> int:
        """Count boards; `boards` reads current bits alone."""
        return boards.sat_count(self.width) >> (self.width - self.bits)

    def count_with_choices(self, boards: Function) -> int:
        """Count pairs of a board and the choices made on it."""
        return boards.sat_count(self.width) >> (self.width - self.bits - len(self.choices))

    def pick(self, boards: Function, copy: int = CURRENT) -> State:
        """Return one board of a set that is not empty: the same one every time."""
        cube = boards.pick_cube()
        assert cube is not None, "an empty set has no board"
        codes = (
            sum(1 << (len(bits) - 1 - place) for place, bit in enumerate(bits) if cube[bit + copy])
            for bits in self.current
        )
        return tuple(list(values)[code] for values, code in zip(self.values, codes, strict=True))

    def pick_choices(self, boards: Function) -> tuple[Atom, ...]:
        """Return the options chosen in one pair of a board and choices of a set that is not empty."""
        cube = boards.pick_cube()
        assert cube is not None, "an empty set has no choices"
        return tuple(atom for atom, bit in self.choices.items() if cube[bit])

    def assignment(self, state: State, chosen: Iterable[Atom] = ()) -> list[tuple[int, bool]]:
        """Return the value of every current and choice bit, as `Function.eval` takes them."""
        taken = set(chosen)
        bits = [(bit, atom in taken) for atom, bit in self.choices.items()]
        for variable, value in enumerate(state):
            bits += self._literals(variable, self.values[variable][value])
        return bits

    def rename(self, variables: Sequence[int], to_next: bool) -> Substitution | None:
        """Return the substitution of next bits for the current ones of `variables`, or the reverse.

        None where there is nothing to substitute.
        """
        if not variables:
            return None
        key = (tuple(variables), to_next)
        if key not in self._substitutions:
            var = self.manager.var
            bits = [bit for variable in variables for bit in self.current[variable]]
            pairs = [(bit, var(bit + NEXT)) if to_next else (bit + NEXT, var(bit)) for bit in bits]
            self._substitutions[key] = Function.make_substitution(pairs)
        return self._substitutions[key]
