"""The set of reachable boards: breadth first while layers stay small, else by saturation.

Breadth-first layers give shortest games and the levels, but their diagrams grow large in the middle of a
search. Saturation gives the set alone, and is much faster: relations sorted by the topmost bit they change,
deepest first, are closed in blocks; a block that added something sends the work back to the deepest block.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from checker.engines.budget import BudgetSpentError
from checker.engines.protocol import Counts
from checker.engines.symbolic.budget import Budget
from checker.engines.symbolic.diagrams import Function, OutOfNodesError
from checker.engines.symbolic.encoding import Encoding
from checker.engines.symbolic.relations import Moves, Relation

BLOCK = 16
"""Relations that are closed together."""
PATIENCE = 20_000_000
"""Nodes of all layers, each counted once per relation, after which saturation takes over."""


class Space:
    """The boards found so far.

    rings: the layers found, the initial boards first; no layer is empty. reached: all boards found.
    layered: `rings` holds every reachable board. complete: `reached` does. stopped: why it is not complete.
    width: nodes of a layer past which saturation takes over.
    """

    def __init__(self, moves: Moves, budget: Budget, width: int) -> None:
        self.moves, self.budget, self.width = moves, budget, width
        self.encoding = moves.encoding
        self.rings = [initial(self.encoding)]
        self.reached = self.rings[0]
        self.layered = self.complete = False
        self.stopped = ""

    def explore(self) -> None:
        """Find every reachable board, unless a limit is reached first."""
        try:
            self._breadth_first()
            if not self.complete:
                self.reached = self._saturate()
                self.complete = True
        except BudgetSpentError as spent:
            self.stopped = str(spent)
        except OutOfNodesError:
            self.stopped = "the diagrams do not fit in memory"

    def _breadth_first(self) -> None:
        depth = self.budget.limits.depth
        work = 0
        width = self.rings[0].node_count()
        while not self.layered and (depth is not None or (work < PATIENCE and width < self.width)):
            if depth is not None and len(self.rings) > depth:
                raise BudgetSpentError(f"depth limit of {depth} steps reached")
            self.budget.tell(len(self.rings), self.encoding.count(self.reached))
            work += width * len(self.moves.relations)
            self.extend()
            width = self.rings[-1].node_count()
        self.complete = self.complete or self.layered

    def extend(self) -> None:
        """Find one more layer: the boards one step after the last one that are in no layer."""
        known = self.encoding.disjunction(self.rings) if self.complete else self.reached
        fresh = self.after(self.rings[-1]) & ~known
        if fresh.satisfiable():
            self.rings.append(fresh)
            self.reached = self.reached | fresh
        else:
            self.layered = True

    def after(self, boards: Function) -> Function:
        """Return the boards one step after `boards`."""
        return self._union(boards, Relation.image)

    def before(self, boards: Function) -> Function:
        """Return the boards one step before `boards`."""
        return self._union(boards, Relation.preimage)

    def before_forced(self, boards: Function) -> Function:
        """Return the boards one forced step before `boards`."""
        return self._union(boards, lambda r, b: r.preimage(b) & self.moves.forced[r.action])

    def _union(self, boards: Function, way: Callable[[Relation, Function], Function]) -> Function:
        found = self.encoding.false
        for relation in self.moves.relations:
            self.budget.check()
            found = found | way(relation, boards)
        return found

    def _saturate(self) -> Function:
        relations = sorted(self.moves.relations, key=lambda relation: -relation.top())
        blocks = [relations[start : start + BLOCK] for start in range(0, len(relations), BLOCK)]
        boards, place = self.rings[0], 0
        while place < len(blocks):
            grown = self._close(boards, blocks[place])
            place = 0 if grown != boards and place else place + 1
            boards = grown
        return boards

    def _close(self, boards: Function, block: Sequence[Relation]) -> Function:
        """Close a set under the relations of a block."""
        before = None
        while before != boards:
            before = boards
            for relation in block:
                self.budget.check()
                boards = boards | relation.image(boards)
            if self.budget.due():
                self.budget.tell(len(self.rings), self.encoding.count(boards))
        return boards

    def counts(self) -> Counts:
        """Count what was found."""
        levels = [self.encoding.count(ring) for ring in self.rings]
        known = self.layered or not self.complete
        return Counts(
            states=self.encoding.count(self.reached),
            transitions=self._transitions() if self.complete else None,
            levels=len(levels) if known else None,
            largest_level=max(levels) if known else None,
            complete=self.complete,
        )

    def _transitions(self) -> int | None:
        """Count steps with a next board; None where that does not fit in memory."""
        try:
            taken = [self.reached & transition.taken for transition in self.moves.transitions]
        except OutOfNodesError:
            return None
        return sum(self.encoding.count_with_choices(steps) for steps in taken)


def initial(encoding: Encoding) -> Function:
    """Return the initial boards."""
    return encoding.boards({v: variable.initial for v, variable in enumerate(encoding.system.variables)})
