"""Order ground rules so that each stratum reads only earlier ones; refuse negation through a loop."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from checker.system.model import Atom, Rule, Stratum


class UnstratifiedError(Exception):
    """An atom depends on its own negation; `atoms` is the loop's strongly connected component."""

    def __init__(self, atoms: frozenset[Atom]) -> None:
        super().__init__("negation through a loop")
        self.atoms = atoms


def stratify(rules: Sequence[Rule]) -> tuple[Stratum, ...]:
    """Return the rules as strata.

    Non-recursive atoms share the earliest stratum their bodies allow; each recursive component is a
    stratum of its own. Weight rules may be recursive only where no weighted literal is (Apt, Blair and
    Walker 1988, with aggregates as in Faber, Pfeifer and Leone 2011).

    Raises:
        UnstratifiedError: an atom depends on its own negation.

    """
    by_head: dict[Atom, list[Rule]] = {}
    for rule in rules:
        by_head.setdefault(rule.head, []).append(rule)
    level: dict[Atom, int] = {}
    flat: dict[int, list[Rule]] = {}
    loops: dict[int, list[list[Rule]]] = {}
    for component in _components(by_head):
        own = [rule for head in component for rule in by_head[head]]
        members = frozenset(component)
        recursive = _is_recursive(members, own)
        outside = (level.get(abs(lit), 0) for rule in own for lit in rule.body if abs(lit) not in members)
        height = 1 + max(outside, default=0)
        for head in component:
            level[head] = height
        if recursive:
            loops.setdefault(height, []).append(own)
        else:
            flat.setdefault(height, []).extend(own)
    strata = []
    for height in sorted({*flat, *loops}):
        if height in flat:
            strata.append(Stratum(tuple(flat[height]), False))
        strata += [Stratum(tuple(own), True) for own in loops.get(height, ())]
    return tuple(strata)


def _is_recursive(members: frozenset[Atom], rules: Sequence[Rule]) -> bool:
    recursive = False
    for rule in rules:
        inside = [lit for lit in rule.body if abs(lit) in members]
        if any(lit < 0 for lit in inside):
            raise UnstratifiedError(members)
        recursive = recursive or bool(inside)
    return recursive


def _components(by_head: Mapping[Atom, Sequence[Rule]]) -> list[list[Atom]]:
    """Strongly connected components, dependencies first (Tarjan 1972, without recursion)."""
    index: dict[Atom, int] = {}
    low: dict[Atom, int] = {}
    stack: list[Atom] = []
    on_stack: set[Atom] = set()
    found: list[list[Atom]] = []

    def below(atom: Atom) -> list[Atom]:
        return [b for rule in by_head[atom] for lit in rule.body if (b := abs(lit)) in by_head]

    for root in by_head:
        if root in index:
            continue
        work = [(root, iter(below(root)))]
        index[root] = low[root] = len(index)
        stack.append(root)
        on_stack.add(root)
        while work:
            atom, children = work[-1]
            for child in children:
                if child not in index:
                    index[child] = low[child] = len(index)
                    stack.append(child)
                    on_stack.add(child)
                    work.append((child, iter(below(child))))
                    break
                if child in on_stack:
                    low[atom] = min(low[atom], index[child])
            else:
                work.pop()
                if work:
                    low[work[-1][0]] = min(low[work[-1][0]], low[atom])
                if low[atom] == index[atom]:
                    cut = _last(stack, atom)
                    found.append(stack[cut:])
                    on_stack.difference_update(stack[cut:])
                    del stack[cut:]
    return found


def _last(stack: Sequence[Atom], atom: Atom) -> int:
    position = len(stack) - 1
    while stack[position] != atom:
        position -= 1
    return position
