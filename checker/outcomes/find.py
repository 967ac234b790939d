"""Say of each action on a board whether its outcome is determined, and of forced ones whether their order matters.

Two copies of the rules take the same action from the same board; a solver shows that they cannot differ. It is asked
about every board there could be, reachable or not, and where that is too much about the reachable ones. What it
finds instead is taken again by the plain evaluator before it is said.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import Enum
from itertools import combinations

from clingo.symbol import Symbol

from checker.certificates.invariant import Invariant
from checker.certificates.reached import reachable
from checker.engines.protocol import Limits
from checker.engines.smt.circuit import FALSE, Net
from checker.engines.smt.steps import Rules, StepNets
from checker.engines.smt.twice import both_forced, either_order, rules_with_deciders, taken_twice
from checker.engines.smt.unroll import Budget, OutOfBudgetError, Unrolling
from checker.errors import InternalError
from checker.system.model import Atom, State, TransitionSystem
from checker.traces import evaluator
from checker.traces.evaluate import Resolved

ANY, REACHED = "on every board there could be", "on every reachable board"

MOST = 30
"""Boards on which two orders differ at first that are followed to the end before the question stays open."""


class Kind(Enum):
    """What an action's outcome is, or what the order of two forced actions comes to."""

    FUNCTIONAL = "functional"
    OPEN = "open outcome"
    TORN = "two outcomes"
    APART = "never both possible"
    COMMUTE = "order-independent"
    MEET = "order-independent in the end"
    ORDERED = "order-dependent, ordered by one player"
    SILENT = "order-dependent, and nobody decides the order"
    UNKNOWN = "not decided"


@dataclass(frozen=True, slots=True)
class Finding:
    """What was found about one action, or two in either order.

    how: for which boards it is proved, or why it is not decided. clauses: those behind an open outcome, or behind two
    effects. board: one that shows it; ends: what variables are after it, in one way and in the other.
    """

    actions: tuple[Symbol, ...]
    kind: Kind
    how: str
    clauses: tuple[str, ...] = ()
    board: State | None = None
    ends: tuple[dict[int, int], ...] = ()


@dataclass(frozen=True, slots=True)
class Outcomes:
    """Everything found on one board. invariant: the reachable boards, if a proof rests on them."""

    system: TransitionSystem
    findings: tuple[Finding, ...]
    invariant: Invariant | None


def outcomes(system: TransitionSystem, limits: Limits) -> Outcomes:
    """Look at every action of a board, and at every two that are forced at once."""
    asker = _Asker(system, limits)
    findings = [*asker.singles(asker.rules.steps)]
    forced = [step for step in asker.rules.steps if system.actions[step.action].forced is not None]
    findings += asker.pairs(list(combinations(forced, 2)))
    return Outcomes(system, tuple(findings), asker.invariant)


@dataclass(frozen=True, slots=True)
class _Where:
    """Where a net holds: on a reachable `board`, or nowhere, which `how` is known of; or that is not `decided`."""

    how: str = ""
    board: State | None = None
    decided: bool = True


class _Asker:
    """Asks a solver about boards: all there could be first, then the reachable ones."""

    def __init__(self, system: TransitionSystem, limits: Limits) -> None:
        self.system, self.limits = system, limits
        self.rules: Rules = rules_with_deciders(system)
        self.invariant: Invariant | None = None
        self._game = Unrolling(self.rules, Budget(limits))
        self._plain = evaluator(system)
        self._lemmas: list[Net] | None = None

    def singles(self, steps: Sequence[StepNets]) -> Iterator[Finding]:
        """Say of each action whether it has one outcome."""
        twice = [taken_twice(self.rules, step) for step in steps]
        where = self._where([net for two in twice for net in (two.same, two.free)])
        for step, two in zip(steps, twice, strict=True):
            name = (self.system.actions[step.action].name,)
            torn, open_ = where[two.same], where[two.free]
            if torn.board is not None:
                yield self._torn(step, torn.board)
            elif open_.board is not None:
                yield self._open(step, open_.board)
            elif torn.decided and open_.decided:
                yield Finding(name, Kind.FUNCTIONAL, REACHED if REACHED in (torn.how, open_.how) else ANY)
            else:
                yield Finding(name, Kind.UNKNOWN, torn.how if not torn.decided else open_.how)

    def pairs(self, pairs: Sequence[tuple[StepNets, StepNets]]) -> Iterator[Finding]:
        """Say of forced actions whether their order matters; nothing of two that one player orders if it does not."""
        both = [both_forced(self.rules, one, other) for one, other in pairs]
        met = self._where([net for two in both for net in (two.any, two.silent)])
        orders = {
            number: either_order(self.rules, one, other)
            for number, (one, other) in enumerate(pairs)
            if met[both[number].any].board is not None
        }
        where = self._where([net for order in orders.values() for net in (order.silent, order.chosen)])
        for number, (one, other) in enumerate(pairs):
            names = (self.system.actions[one.action].name, self.system.actions[other.action].name)
            silent = met[both[number].silent]
            if not silent.decided or not met[both[number].any].decided:
                yield Finding(names, Kind.UNKNOWN, silent.how or met[both[number].any].how)
            elif silent.board is not None:
                order = orders[number].silent
                yield self._order(one, other, order, where[order], Kind.SILENT) or Finding(
                    names, Kind.COMMUTE, where[order].how
                )
            elif both[number].silent != FALSE:
                yield Finding(names, Kind.APART, silent.how)
            if number in orders:
                order = orders[number].chosen
                found = self._order(one, other, order, where[order], Kind.ORDERED)
                if found is not None and found.kind is not Kind.MEET:
                    yield found

    def _where(self, nets: Iterable[Net]) -> dict[Net, _Where]:
        """Say of each net whether it holds on a reachable board; few questions for many nets."""
        found: dict[Net, _Where] = {}
        left: list[Net] = []
        try:
            for net in dict.fromkeys(nets):
                left.append(net)
                if net == FALSE or not self._game.check(self._game.net(net, 0)):
                    found[left.pop()] = _Where(ANY)
            while left:
                some = self.rules.circuit.disj(left)
                if not self._game.check(*self._game.formulas([some, *self._reached()], 0)):
                    return found | dict.fromkeys(left, _Where(REACHED))
                model = self._game.solver.model()
                board, true = self._game.state(model, 0), self._game.true(model, left, 0)
                found |= {net: _Where("", board) for net, holds in zip(left, true, strict=True) if holds}
                left = [net for net, holds in zip(left, true, strict=True) if not holds]
        except OutOfBudgetError as spent:
            return {net: found.get(net, _Where(str(spent), decided=False)) for net in nets}
        return found

    def _reached(self) -> list[Net]:
        if self._lemmas is None:
            self.invariant = reachable(self.system, self.limits)
            if self.invariant is None:
                raise OutOfBudgetError("the reachable boards are too many for the limits")
            self._lemmas = self.invariant.nets(self.rules.circuit)
        return self._lemmas

    def _ways(self, step: StepNets, board: State) -> list[Resolved]:
        """Return the ways a step may go, by the plain evaluator."""
        if step.action not in self._plain.enabled(board):
            raise InternalError(f"{self.system.actions[step.action].name} is not possible where the circuit says so")
        return list(self._plain.resolve(board, step.action))

    def _torn(self, step: StepNets, board: State) -> Finding:
        name = (self.system.actions[step.action].name,)
        for way in self._ways(step, board):
            for variable in way.conflicts:
                low, *_, high = sorted(way.values[variable])
                atoms = [e.atom for e in self.system.effects if e.variable == variable and e.atom in way.true]
                ends = ({variable: low}, {variable: high})
                return Finding(name, Kind.TORN, "", self._clauses(atoms, way.true), board, ends)
        raise InternalError(f"{name[0]} sets nothing to two values where the circuit says so")

    def _open(self, step: StepNets, board: State) -> Finding:
        name = (self.system.actions[step.action].name,)
        ways = self._ways(step, board)
        ends = dict.fromkeys(way.next for way in ways if way.next is not None)
        if len(ends) < 2:
            raise InternalError(f"{name[0]} has one outcome where the circuit says it has two")
        fired = [o.fired for o in self.system.outcomes if o.fired in ways[0].true]
        changed = tuple(_changed(board, end) for end in ends)
        return Finding(name, Kind.OPEN, "", self._clauses(fired, ways[0].true), board, changed)

    def _clauses(self, atoms: list[Atom], true: frozenset[Atom]) -> tuple[str, ...]:
        fired = {atom for atom in atoms if atom in self.system.fired}
        fired |= {behind for atom in atoms if atom not in fired for behind in self._plain.behind(atom, true)}
        sources = {source.id: source for source in self.system.sources}
        return tuple(dict.fromkeys(c for atom in sorted(fired) for c in sources[self.system.fired[atom]].clauses))

    def _order(self, one: StepNets, other: StepNets, net: Net, where: _Where, kind: Kind) -> Finding | None:
        """Return a board on which it matters for good which of two actions is first; None if there is none."""
        names = (self.system.actions[one.action].name, self.system.actions[other.action].name)
        if not where.decided:
            return Finding(names, Kind.UNKNOWN, where.how)
        circuit, seen, board = self.rules.circuit, [net], where.board
        while board is not None and len(seen) <= MOST:
            left, right = (self._ends(board, steps) for steps in ((one, other), (other, one)))
            if left != right and self._ends(board, (one,)) != self._ends(board, (other,)):
                ends = (min(left - right or left), min(right - left or right))
                return Finding(names, kind, "", (), board, tuple(_changed(board, end) for end in ends))
            seen.append(-circuit.conj(circuit.equals(v, value) for v, value in enumerate(board)))
            again = circuit.conj(seen)
            rest = self._where([again])[again]
            board = rest.board
            if not rest.decided:
                return Finding(names, Kind.UNKNOWN, rest.how)
        if board is not None:
            return Finding(names, Kind.UNKNOWN, f"the orders differ at first on more than {MOST} boards")
        met = len(seen) - 1
        how = f"{REACHED}; on {met} the orders differ at first, and meet again"
        return Finding(names, Kind.MEET, how) if met else None

    def _ends(self, board: State, steps: Sequence[StepNets]) -> frozenset[State]:
        """Return the stable boards that actions in this order, and what is forced then, can end on."""
        boards = {board}
        for step in steps:
            boards = {end for before in boards for end in self._then(before, step)}
        ends: set[State] = set()
        seen = set(boards)
        while boards:
            state = boards.pop()
            true = self._plain.evaluate(state)
            forced = any(a.forced in true and a.possible in true for a in self.system.actions)
            after = [end for _, end in self._plain.successors(state)] if forced else []
            ends |= set() if forced else {state}
            boards |= set(after) - seen
            seen |= set(after)
        return frozenset(ends)

    def _then(self, board: State, step: StepNets) -> list[State]:
        if step.action not in self._plain.enabled(board):
            return [board]
        return [way.next for way in self._plain.resolve(board, step.action) if way.next is not None]


def _changed(board: State, end: State) -> dict[int, int]:
    return {v: value for v, (was, value) in enumerate(zip(board, end, strict=True)) if was != value}
