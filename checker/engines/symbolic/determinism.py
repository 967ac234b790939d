"""Does the order of what must happen matter? For all boards at once.

Every board of a resolution is paired with every stable board that forced steps can lead it to: one diagram
over the bits of the board and a third copy, the END bits. Two forced actions on one board are then compared
by what they can end on.
"""

from __future__ import annotations

from collections.abc import Iterator, Set
from dataclasses import dataclass, replace
from itertools import combinations

from checker.engines.budget import BudgetSpentError
from checker.engines.different import Alike, Key
from checker.engines.protocol import NO_RESOLUTION, Answer, Further, Holds, Shown, Unknown, Violated
from checker.engines.symbolic.diagrams import XOR, Function, OutOfNodesError
from checker.engines.symbolic.encoding import END
from checker.engines.symbolic.goals import open_options, step_value
from checker.engines.symbolic.reach import Space
from checker.engines.symbolic.search import Game, Target, holds, shortest, step_into, steps_from
from checker.system.model import Goal, State, Trace

GAME = "game"


def decide_determinism(space: Space, goal: Goal) -> Answer:
    """Decide whether resolutions come out one way, and if not, who decides.

    Raises:
        BudgetSpentError: a limit was reached.

    """
    if not space.complete:
        return Unknown(space.stopped, len(space.rings) - 1)
    resolution = _resolution(space, goal)
    orders = Orders(space, resolution.inside)
    found = _nearest(space, resolution, orders, frozenset())
    if found is not None:
        answer = Violated(found.trace, found.culprits, note=found.note)
        several = space.budget.limits.games > 1
        return replace(answer, further=_further(space, resolution, orders, found)) if several else answer
    if not resolution.inside.satisfiable():
        return Holds(NO_RESOLUTION)
    ordered, chosen = orders.noted(in_order=True), orders.noted(in_order=False)
    if ordered:
        players = sorted({player for who in ordered.values() for player in who})
        return Holds(f"order-dependent, ordered by {', '.join(players)}: {', '.join(sorted(ordered))}")
    if chosen:
        said = (f"{name} ({', '.join(sorted(who))})" for name, who in sorted(chosen.items()))
        return Holds(f"functional given choices: {', '.join(said)}")
    return Holds("functional")


@dataclass(frozen=True, slots=True)
class Resolution:
    """What belongs to a resolution.

    begun: per action, the steps (boards and choices) that begin it. inside: the boards from there on, as far
    as forced steps lead.
    """

    begun: dict[int, Function]
    inside: Function


def _resolution(space: Space, goal: Goal) -> Resolution:
    moves, encoding = space.moves, space.encoding
    begun, inside = {}, encoding.false
    for transition, relation in zip(moves.transitions, moves.relations, strict=True):
        values = [step_value(moves, relation.action, a) | moves.board_atom(a) for a in goal.resolution]
        steps = space.reached & transition.steps & encoding.disjunction(values)
        if steps.satisfiable():
            begun[relation.action] = steps
            inside = inside | relation.image((steps & transition.taken).exists(encoding.choice_cube))
    fresh = inside
    while fresh.satisfiable():
        fresh = space.after(fresh & moves.busy) & ~inside
        inside = inside | fresh
    return Resolution(begun, inside)


@dataclass(frozen=True, slots=True)
class Pair:
    """Two forced actions, and the boards on which they can end on different stable boards.

    silent: where no one player decides both. ordered: where one does, each leaves the other to be taken, and it
    matters which is first. chosen: where one does and it matters only which is taken.
    """

    actions: tuple[int, int]
    silent: Function
    ordered: Function
    chosen: Function


class Orders:
    """The forced steps within a set of boards that is closed under them."""

    def __init__(self, space: Space, inside: Function) -> None:
        self.space, self.moves, self.inside = space, space.moves, inside
        self.encoding = space.encoding
        self.ends_cube = self.encoding.cube_of(self.encoding.order, END)
        ends = self._ends()
        self.ends: dict[int, Function] = {}
        self.lands: dict[int, Function] = {}
        for transition, relation in zip(self.moves.transitions, self.moves.relations, strict=True):
            forced = inside & self.moves.forced[relation.action]
            lands = forced & transition.taken.exists(self.encoding.choice_cube)
            if lands.satisfiable():
                self.lands[relation.action] = lands
                self.ends[relation.action] = relation.preimage(ends) & forced
        self.alike = Alike(self.encoding.system)
        self.pairs = list(self._pairs())

    def _ends(self) -> Function:
        """Return the pairs of a board inside and a stable board that forced steps from it can end on."""
        stable = self.inside & ~self.moves.busy
        pairs = fresh = stable & self.encoding.same(self.encoding.order, END)
        while fresh.satisfiable():
            fresh = self.space.before_forced(fresh) & self.inside & ~pairs
            pairs = pairs | fresh
        return pairs

    def _pairs(self) -> Iterator[Pair]:
        for one, other in combinations(self.lands, 2):
            self.space.budget.check()
            both = self.lands[one] & self.lands[other]
            if not both.satisfiable():
                continue
            differ = (both & self.ends[one]).apply_exists(XOR, both & self.ends[other], self.ends_cube)
            if differ.satisfiable():
                decided = self._one_player(one, other)
                order = self._leaves(one, other) & self._leaves(other, one) & self._swapped(one, other, both)
                yield Pair((one, other), differ & ~decided, differ & decided & order, differ & decided & ~order)

    def _deciders(self, action: int) -> dict[str, Function]:
        """Return the boards on which each player (or the game) decides an action."""
        found: dict[str, Function] = {}
        for who, atom in self.encoding.system.actions[action].by:
            where = self.encoding.true if atom is None else self.moves.board_atom(atom)
            found[str(who)] = found.get(str(who), self.encoding.false) | where
        return found

    def _one_player(self, one: int, other: int) -> Function:
        """Return the boards on which the same players, and not the game, decide two actions."""
        first, second = self._deciders(one), self._deciders(other)
        false = self.encoding.false
        same = [first.get(who, false).equiv(second.get(who, false)) for who in {*first, *second}]
        return self.encoding.conjunction(same) & ~first.get(GAME, false)

    def _leaves(self, one: int, other: int) -> Function:
        """Return the boards on which, after the first action, the other is always still to be taken."""
        return ~self.moves.relations[one].preimage(self.inside & ~self.lands[other])

    def _swapped(self, one: int, other: int, both: Function) -> Function:
        """Return the boards on which one action and then the other can end elsewhere than in the other order."""
        relations = self.moves.relations
        first, second = relations[one].preimage(self.ends[other]), relations[other].preimage(self.ends[one])
        return (both & first).apply_exists(XOR, both & second, self.ends_cube)

    def torn(self, told: Set[Key] = frozenset()) -> Function:
        """Return the boards on which an order matters that no one player decides, but for what is `told`."""
        return self.encoding.disjunction(pair.silent for pair in self._left(told))

    def _left(self, told: Set[Key]) -> list[Pair]:
        return [pair for pair in self.pairs if not told or self.alike.actions(*pair.actions) not in told]

    def noted(self, in_order: bool) -> dict[str, set[str]]:
        """Return the actions whose order (or choice) matters and a player decides, with those players."""
        found: dict[str, set[str]] = {}
        for pair in self.pairs:
            where = pair.ordered if in_order else pair.chosen
            if where.satisfiable():
                for action in pair.actions:
                    deciders = self._deciders(action).items()
                    who = {name for name, boards in deciders if (boards & where).satisfiable()}
                    found.setdefault(self.name(action), set()).update(who)
        return found

    def name(self, action: int) -> str:
        """Return the term of an action."""
        return str(self.encoding.system.actions[action].name)

    def torn_on(self, state: State, told: Set[Key]) -> tuple[int, int]:
        """Return two actions whose order nobody decides on a board, but for what is `told`."""
        return next(pair.actions for pair in self._left(told) if holds(self.space, pair.silent, state))

    def tell(self, state: State, one: int, other: int) -> tuple[tuple[str, ...], str]:
        """Name two actions on a board, and say what each order ends on."""
        names, who = [self.name(action) for action in (one, other)], []
        for action in (one, other):
            deciders = self._deciders(action).items()
            named = sorted(name for name, boards in deciders if holds(self.space, boards, state))
            who.append(", ".join(named) or "nobody")
        ends = self._endings(state, one, other)
        said = [f"{names[i]} ({who[i]}) before {names[1 - i]} ({who[1 - i]}) {ends[i]}" for i in (0, 1)]
        return tuple(names), "; ".join(said)

    def _endings(self, state: State, one: int, other: int) -> tuple[str, str]:
        """Say how two stable boards differ that two actions on a board can end on."""
        board, current = self.encoding.board(state), self.encoding.cube_of(self.encoding.order)
        first, second = ((self.ends[action] & board).exists(current) for action in (one, other))
        left, right = self._pick(first, second), self._pick(second, first)
        if left is None or right is None:
            return ("never ends" if left is None else "ends", "never ends" if right is None else "ends")
        variables = enumerate(self.encoding.system.variables)
        different = [(i, variable) for i, variable in variables if left[i] != right[i]]
        said = [", ".join(f"{v.name} = {v.domain[end[i]]}" for i, v in different) for end in (left, right)]
        return f"ends with {said[0]}", f"ends with {said[1]}"

    def _pick(self, ends: Function, others: Function) -> State | None:
        own = ends & ~others
        ends = own if own.satisfiable() else ends
        return self.encoding.pick(ends, END) if ends.satisfiable() else None


class Fault:
    """An ending of games: a step that begins a resolution, forced steps, and then something left open.

    open: the forced steps inside that leave an outcome open; begins: those that begin the resolution and do.
    near: the boards inside from which the fault takes exactly 0, 1, ... more steps.
    """

    def __init__(self, space: Space, resolution: Resolution, torn: Function, actions: Set[int]) -> None:
        """Look for boards that are `torn`, and outcomes of `actions` left open."""
        self.space, self.resolution = space, resolution
        moves, none = space.moves, space.encoding.false
        several = {t.action: t.several for t in moves.transitions if t.action in actions}
        inside = resolution.inside
        self.open = Target(moves, none, {a: s & inside & moves.forced[a] for a, s in several.items()})
        self.begins = Target(moves, none, {a: s & resolution.begun.get(a, none) for a, s in several.items()})
        self.near = self._near(torn)

    def _near(self, torn: Function) -> list[Function]:
        near, seen = [torn], torn
        while near[-1].satisfiable() or len(near) == 1:
            fresh = self.space.before_forced(near[-1]) & self.resolution.inside
            if len(near) == 1:
                fresh = fresh | self.open.ready(1)
            near.append(fresh & ~seen)
            seen = seen | fresh
        return near

    def exists(self) -> bool:
        """Tell whether there is any fault."""
        return any(boards.satisfiable() for boards in (*self.near, self.begins.ready(1)))

    @property
    def longest(self) -> int:
        """One step to begin the resolution, and the forced steps."""
        return len(self.near)

    def ready(self, steps: int) -> Function:
        """Return the boards with a step that begins a resolution and leads to a fault in `steps` steps."""
        encoding = self.space.encoding
        if not 1 <= steps <= len(self.near):
            return encoding.false
        found = self.begins.ready(1) if steps == 1 else encoding.false
        for action, begun in self.resolution.begun.items():
            before = self.space.moves.relations[action].preimage(self.near[steps - 1])
            found = found | (before & begun.exists(encoding.choice_cube))
        return found

    def finish(self, game: Game, steps: int) -> Game:
        """Return the game with the resolution up to the fault."""
        if steps == 1 and holds(self.space, self.begins.ready(1), game.states[-1]):
            return game.broken_by(self.begins.step_from(game.states[-1]))
        game = self._begin(game, self.near[steps - 1])
        for left in range(steps - 1, 0, -1):
            if left == 1 and holds(self.space, self.open.ready(1), game.states[-1]):
                return game.broken_by(self.open.step_from(game.states[-1]))
            game = step_into(self.space, game, self.near[left - 1], forced=True)
        return game

    def _begin(self, game: Game, boards: Function) -> Game:
        state = game.states[-1]
        for step, after in steps_from(self.space.moves, state):
            begun = self.resolution.begun.get(step.action, self.space.encoding.false)
            bits = self.space.encoding.assignment(state, step.chosen)
            if begun.eval(bits) and holds(self.space, boards, after):
                return game.then(step, after)
        raise AssertionError("no step from this board begins the resolution")


@dataclass(frozen=True, slots=True)
class _Found(Shown):
    """A game that shows a fault, and what it is about. key: what it shares with games that are alike."""

    key: Key = ()


def _nearest(space: Space, resolution: Resolution, orders: Orders, told: Set[Key]) -> _Found | None:
    """Return a shortest game that ends in a fault that is not `told`, if there is any."""
    several = {t.action for t in space.moves.transitions if t.several.satisfiable()}
    left = {action for action in several if not told or orders.alike.actions(action) not in told}
    fault = Fault(space, resolution, orders.torn(told), left)
    found = shortest(space, fault) if fault.exists() else None
    return None if found is None else _found(space, orders, fault.finish(*found), told)


def _further(space: Space, resolution: Resolution, orders: Orders, first: _Found) -> Further:
    """Return games that show other faults, shortest first, until there are as many as asked for."""
    games, told = list[Shown](), {first.key}
    try:
        while len(games) + 1 < space.budget.limits.games:
            found = _nearest(space, resolution, orders, told)
            if found is None:
                return Further(tuple(games), complete=True)
            games.append(Shown(found.trace, found.culprits, found.note))
            told.add(found.key)
    except (BudgetSpentError, OutOfNodesError):
        pass  # those found are games all the same
    return Further(tuple(games), complete=False)


def _found(space: Space, orders: Orders, game: Game, told: Set[Key]) -> _Found:
    trace = Trace(game.states, game.steps)
    if len(game.steps) == len(game.states):
        last = game.steps[-1]
        bits = space.encoding.assignment(game.states[-1], last.chosen)
        options = open_options(space.moves, last.action, bits)
        note = f"{orders.name(last.action)} leaves open: {' or '.join(options)}"
        return _Found(trace, options, note, _key(space, orders, last.action))
    pair = orders.torn_on(game.states[-1], told)
    return _Found(trace, *orders.tell(game.states[-1], *pair), _key(space, orders, *pair))


def _key(space: Space, orders: Orders, *actions: int) -> Key:
    """Return what a fault is known by, which takes time, if several are asked for."""
    return orders.alike.actions(*actions) if space.budget.limits.games > 1 else ()
