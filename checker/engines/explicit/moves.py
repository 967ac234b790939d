"""The step of one action on a chunk: where it may be taken, what goes wrong, and the next boards."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product

import numpy as np

from checker.engines.explicit.bits import Rows, Words, rows_of, transpose
from checker.engines.explicit.chunk import Chunk
from checker.engines.explicit.layout import Layout
from checker.engines.explicit.program import Program, Values, compile_rules
from checker.system.model import Action, Atom, Effect, Option, Outcome
from checker.system.specialise import StepRules

_TOP = 255


@dataclass(frozen=True, slots=True)
class Change:
    """What a step may do to one variable: the codes it may set, each with the atoms that set it."""

    variable: int
    codes: tuple[tuple[int, tuple[Atom, ...]], ...]


@dataclass(frozen=True, slots=True)
class Flips:
    """Up to eight bits of one word that a step may flip, and the spread of a byte to those bits.

    bits: for each bit its place, the index of its change, and the indices of the codes that have it set.
    """

    word: int
    bits: tuple[tuple[int, int, tuple[int, ...]], ...]
    spread: Words


@dataclass(frozen=True)
class Variant:
    """An action with one way its open outcomes may go: `picks` has an option or None per outcome.

    keep, fixed: per word, the bits that stay and the bits that are set whatever the board.
    """

    chosen: tuple[Atom, ...]
    program: Program
    picks: tuple[tuple[Outcome, Option | None], ...]
    contested: tuple[Change, ...]
    changes: tuple[Change, ...]
    flips: tuple[Flips, ...]
    keep: Words
    fixed: Words
    goals: frozenset[Atom]


@dataclass(frozen=True)
class Moves:
    """One variant of an action on a chunk.

    taken: the boards on which it is taken. clash: those on which two rules set one variable to two values.
    stuck: those on which an open outcome has no option. undecided: those and those where one has two or more.
    None stands for no board.
    """

    action: int
    variant: Variant
    chunk: Chunk
    values: Values
    taken: Words
    clash: Words | None
    stuck: Words | None
    undecided: Words | None

    @property
    def lands(self) -> Words:
        """The boards that have a next board."""
        lands = self.taken
        for wrong in (self.clash, self.stuck):
            if wrong is not None:
                lands = lands & ~wrong
        return lands

    def rows(self) -> Rows:
        """Return the boards that have a next board, as indices in the chunk."""
        return rows_of(self.lands)

    def next_boards(self, rows: Rows) -> Words:
        """Return the next boards of the given boards, shape (words, rows)."""
        variant, boards = self.variant, self.chunk.boards
        result = np.empty((len(boards), len(rows)), dtype=np.uint64)
        for word, column in enumerate(boards):
            np.take(column, rows, out=result[word], mode="clip")
        result &= variant.keep
        result |= variant.fixed
        sets = [[_any(self.values, atoms) for _, atoms in change.codes] for change in variant.changes]
        anything = [np.bitwise_or.reduce(vectors) for vectors in sets]
        for flips in variant.flips:
            block = np.zeros((8, self.values.width), dtype=np.uint64)
            for row, (place, change, codes) in enumerate(flips.bits):
                block[row] = self.chunk.planes[flips.word, place]
                for code in codes:
                    block[row] ^= sets[change][code]
                block[row] &= anything[change]
            lanes = transpose(block).view(np.uint8).ravel()
            result[flips.word] ^= flips.spread.take(lanes.take(rows))
        return result


@dataclass(frozen=True)
class ActionRules:
    """The step rules of one action, compiled. touched: per word, the bits that some effect may change."""

    action: Action
    index: int
    variants: tuple[Variant, ...]
    touched: Words

    def moves(self, chunk: Chunk) -> Iterator[Moves]:
        """Yield what the action does on a chunk, a variant at a time, leaving out those never taken."""
        enabled = chunk.enabled(self.action)
        if enabled is None or not enabled.any():
            return
        for variant in self.variants:
            values = Values(chunk.values.width, chunk.values)
            variant.program.run(values)
            taken, stuck, undecided = _choices(variant, values, enabled)
            if taken.any():
                clash = _clash(variant, values, taken)
                yield Moves(self.index, variant, chunk, values, taken, clash, stuck, undecided)


def compile_action(action: Action, step: StepRules, layout: Layout) -> ActionRules:
    """Compile the step rules of an action, one variant per combination of open outcomes."""
    choices = [[(outcome, option) for option in (*outcome.options, None)] for outcome in step.outcomes]
    variants = tuple(_variant(step, picks, layout) for picks in product(*choices))
    touched = np.zeros((layout.words, 1), dtype=np.uint64)
    for effect in step.effects:
        field = layout.fields[effect.variable]
        touched[field.word] |= np.uint64(field.mask)
    return ActionRules(action, step.action, variants, touched)


def _variant(step: StepRules, picks: tuple[tuple[Outcome, Option | None], ...], layout: Layout) -> Variant:
    fixed = {o.chosen: o is pick for outcome, pick in picks for o in outcome.options}
    program = compile_rules(step.strata, fixed)
    gone = step.heads() - program.heads | {atom for atom, true in fixed.items() if not true}
    sure = program.always | {atom for atom, true in fixed.items() if true}
    changes = _changes([e for e in step.effects if e.atom not in gone])
    static = [c for c in changes if any(atom in sure for _, atoms in c.codes for atom in atoms)]
    dynamic = tuple(c for c in changes if c not in static)
    keep = np.full((layout.words, 1), -1, dtype=np.int64).view(np.uint64)
    constant = np.zeros((layout.words, 1), dtype=np.uint64)
    for change in static:
        field = layout.fields[change.variable]
        code = next(code for code, atoms in change.codes if any(atom in sure for atom in atoms))
        keep[field.word] &= ~np.uint64(field.mask)
        constant[field.word] |= np.uint64(code << field.low)
    return Variant(
        chosen=tuple(pick.chosen for _, pick in picks if pick is not None),
        program=program,
        picks=picks,
        contested=tuple(c for c in changes if len(c.codes) > 1),
        changes=dynamic,
        flips=tuple(_flips(dynamic, layout)),
        keep=keep,
        fixed=constant,
        goals=step.goals - gone,
    )


def _changes(effects: Sequence[Effect]) -> list[Change]:
    found: dict[int, dict[int, list[Atom]]] = {}
    for effect in effects:
        found.setdefault(effect.variable, {}).setdefault(effect.value, []).append(effect.atom)
    return [
        Change(variable, tuple((code, tuple(atoms)) for code, atoms in sorted(codes.items())))
        for variable, codes in sorted(found.items())
    ]


def _flips(changes: Sequence[Change], layout: Layout) -> Iterator[Flips]:
    """Group the bits of changing variables by eight within a word."""
    by_word: dict[int, list[tuple[int, int, tuple[int, ...]]]] = {}
    for index, change in enumerate(changes):
        field = layout.fields[change.variable]
        for bit in range(field.width):
            codes = tuple(i for i, (code, _) in enumerate(change.codes) if code >> bit & 1)
            by_word.setdefault(field.word, []).append((field.low + bit, index, codes))
    byte = np.arange(_TOP + 1, dtype=np.uint64)
    for word, bits in by_word.items():
        for start in range(0, len(bits), 8):
            group = tuple(bits[start : start + 8])
            spread = np.zeros(_TOP + 1, dtype=np.uint64)
            for row, (place, _, _) in enumerate(group):
                spread |= (byte >> np.uint64(row) & np.uint64(1)) << np.uint64(place)
            yield Flips(word, group, spread)


def _choices(variant: Variant, values: Values, enabled: Words) -> tuple[Words, Words | None, Words | None]:
    """Return where the variant is taken, where an outcome has no option, and where one is undecided."""
    taken, stuck, undecided = enabled, None, None
    for outcome, pick in variant.picks:
        fired = values[outcome.fired]
        once = twice = values.constant(False)
        for option in outcome.options:
            open_now = values[option.enabled]
            once, twice = once | open_now, twice | once & open_now
        if pick is None:
            taken = taken & ~(fired & once)
            stuck = _or(stuck, fired)
            undecided = _or(undecided, fired)
        else:
            taken = taken & fired & values[pick.enabled]
            undecided = _or(undecided, twice)
    return taken, _within(stuck, taken), _within(undecided, taken)


def _clash(variant: Variant, values: Values, taken: Words) -> Words | None:
    """Return where some variable is set to two values."""
    clash: Words | None = None
    for change in variant.contested:
        once = _any(values, change.codes[0][1])
        for _, atoms in change.codes[1:]:
            more = _any(values, atoms)
            clash = _or(clash, once & more)
            once = once | more
    return _within(clash, taken)


def _any(values: Values, atoms: Sequence[Atom]) -> Words:
    result = values[atoms[0]]
    for atom in atoms[1:]:
        result = result | values[atom]
    return result


def _or(left: Words | None, right: Words) -> Words:
    return right if left is None else left | right


def _within(vector: Words | None, taken: Words) -> Words | None:
    """Return the part of a vector among the boards taken, None if there is none."""
    if vector is None:
        return None
    part = vector & taken
    return part if part.any() else None
