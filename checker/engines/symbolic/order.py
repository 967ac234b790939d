"""The order of the variables, which decides how large the diagrams grow.

Names carry the structure: variables that name the same object (else, the same first argument) describe it
and stand together.
Variables of no object (the chain, the turn) and those that point at many objects stand above what they
speak of. Objects that no rule joins fall into clusters that stand apart; within a cluster the order of the
objects shortens the spans of the rules, in the manner of FORCE.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

from clingo.symbol import Symbol, SymbolType

from checker.system.model import Atom, TransitionSystem
from checker.system.specialise import Specialised

Edge = frozenset[int]


class Structure:
    """What the names and the rules of a system say about which variables belong together.

    objects: the variables of each object. points: the objects that a variable's values name.
    clusters: the objects, in clusters that no rule joins, each in the order they should stand.
    home: the cluster of each variable that belongs to no object, or -1 if it serves several.
    """

    def __init__(self, system: TransitionSystem, specialised: Specialised, possible: Collection[Atom]) -> None:
        self.system = system
        self.domains = [
            [v for v, atom in zip(variable.domain, variable.atoms, strict=True) if atom in possible]
            for variable in system.variables
        ]
        self.objects = self._objects()
        self.owner = {v: name for name, variables in self.objects.items() for v in variables}
        self.points = [self._points(variable) for variable in range(len(system.variables))]
        edges = list(_edges(system, specialised, possible))
        self.clusters = self._clusters(edges)
        self.home = self._homes(edges)

    def _objects(self) -> dict[Symbol, list[int]]:
        known = {fact.arguments[0] for fact in self.system.facts if fact.match("object", 1)}
        objects: dict[Symbol, list[int]] = {}
        for number, variable in enumerate(self.system.variables):
            arguments = [a for a in _terms(variable.name) if a.type == SymbolType.Function][1:]
            named = [a for a in arguments if a in known] or arguments
            if named:
                objects.setdefault(named[0], []).append(number)
        return {name: variables for name, variables in objects.items() if len(variables) > 1}

    def _points(self, variable: int) -> int:
        speakers = [self.system.variables[variable].name, *self.domains[variable]]
        named = {term for speaker in speakers for term in _terms(speaker)} & self.objects.keys()
        return len(named - {self.owner.get(variable)})

    def _clusters(self, edges: Iterable[Edge]) -> list[list[Symbol]]:
        names = list(self.objects)
        number = {name: place for place, name in enumerate(names)}
        joined = [frozenset(number[self.owner[v]] for v in edge if v in self.owner) for edge in edges]
        cluster = list(range(len(names)))
        for edge in joined:
            merged = {cluster[place] for place in edge}
            cluster = [min(merged) if c in merged else c for c in cluster]
        place_of = {c: place for place, c in enumerate(shorten(len(names), [e for e in joined if len(e) > 1]))}
        reach = {name: max(self.points[v] for v in variables) for name, variables in self.objects.items()}
        found: dict[int, list[Symbol]] = {}
        for name in sorted(names, key=lambda name: (-reach[name], place_of[number[name]])):
            found.setdefault(cluster[number[name]], []).append(name)
        return [found[c] for c in sorted(found)]

    def _homes(self, edges: Iterable[Edge]) -> dict[int, int]:
        cluster = {name: c for c, names in enumerate(self.clusters) for name in names}
        touched: dict[int, set[int]] = {v: set() for v in range(len(self.points)) if v not in self.owner}
        for edge in edges:
            clusters = {cluster[self.owner[v]] for v in edge if v in self.owner}
            for variable in edge - self.owner.keys():
                touched[variable] |= clusters
        alone = len(self.clusters) > 1
        return {v: next(iter(c)) if alone and len(c) == 1 else -1 for v, c in touched.items()}

    def order(self) -> list[int]:
        """Return the variables in the order in which their bits should stand, from the top."""
        order = self._free(-1)
        for cluster, names in enumerate(self.clusters):
            order += self._free(cluster)
            order += [v for name in names for v in sorted(self.objects[name], key=self._weight)]
        return order

    def _free(self, home: int) -> list[int]:
        return sorted((v for v, c in self.home.items() if c == home), key=self._weight)

    def _weight(self, variable: int) -> tuple[int, int, Symbol]:
        return -self.points[variable], -len(self.domains[variable]), self.system.variables[variable].name


def _terms(term: Symbol) -> Iterator[Symbol]:
    yield term
    if term.type == SymbolType.Function:
        for argument in term.arguments:
            yield from _terms(argument)


def _edges(system: TransitionSystem, specialised: Specialised, possible: Collection[Atom]) -> Iterator[Edge]:
    """Yield the variables that each rule reads directly, and the one it sets."""
    variable = {atom: number for number, v in enumerate(system.variables) for atom in v.atoms if atom in possible}
    sets: Mapping[Atom, int] = {effect.atom: effect.variable for effect in system.effects}
    for stratum in [*specialised.board, *(s for step in specialised.steps for s in step.strata)]:
        for rule in stratum.rules:
            if all(literal < 0 or literal in possible for literal in rule.body):
                edge = {variable[abs(literal)] for literal in rule.body if abs(literal) in variable}
                edge |= {sets[rule.head]} if rule.head in sets else set()
                if len(edge) > 1:
                    yield frozenset(edge)


def shorten(size: int, edges: Sequence[Edge]) -> list[int]:
    """Order 0 .. size - 1 so that the edges span little.

    Each moves to the middle of its edges, again and again; then each is moved to where the sum of spans is
    least, until nothing improves.
    """
    order = best = list(range(size))
    for _ in range(50):
        place = {v: p for p, v in enumerate(order)}
        middle = [sum(place[v] for v in edge) / len(edge) for edge in edges]
        pulls: dict[int, list[float]] = {}
        for edge, centre in zip(edges, middle, strict=True):
            for v in edge:
                pulls.setdefault(v, []).append(centre)
        target = {v: sum(pulls[v]) / len(pulls[v]) if v in pulls else place[v] for v in order}
        order = sorted(order, key=lambda v: (target[v], place[v]))
        best = min(best, order, key=lambda o: _span(o, edges))
    return _sift(best, edges)


def _sift(order: list[int], edges: Sequence[Edge]) -> list[int]:
    best, improved = _span(order, edges), True
    while improved:
        improved = False
        for v in list(order):
            rest = [w for w in order if w != v]
            candidates = [[*rest[:p], v, *rest[p:]] for p in range(len(order))]
            candidate = min(candidates, key=lambda o: _span(o, edges))
            if (span := _span(candidate, edges)) < best:
                order, best, improved = candidate, span, True
    return order


def _span(order: Sequence[int], edges: Sequence[Edge]) -> int:
    place = {v: p for p, v in enumerate(order)}
    return sum(max(place[v] for v in edge) - min(place[v] for v in edge) for edge in edges)
