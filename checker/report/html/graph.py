"""Lay a state graph out in columns, one for each breadth-first level (Sugiyama, Tagawa and Toda 1981).

All lengths are in pixels of the page at its normal size.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from statistics import fmean

from checker.report.model import EdgeView, GraphView, NodeView

COLUMN, ROW = 92, 26
"""The distance between two columns and between two boards of one."""

EDGE = 18
"""The margin around the picture."""

SWEEPS = 8
"""How often boards are put in the order of the middles of those they are joined to."""


@dataclass(frozen=True, slots=True)
class Dot:
    """A board of the picture: its number from 0, its place, and what it is."""

    number: int
    x: float
    y: float
    view: NodeView


@dataclass(frozen=True, slots=True)
class Line:
    """The steps between two boards of the picture, as the path of a curve."""

    path: str
    view: EdgeView


@dataclass(frozen=True, slots=True)
class Layout:
    """A state graph as a picture."""

    width: int
    height: int
    dots: tuple[Dot, ...]
    lines: tuple[Line, ...]


def lay_out(graph: GraphView) -> Layout:
    """Return the picture of a state graph."""
    levels = [[number for number, _ in group] for _, group in groupby(enumerate(graph.nodes), lambda n: n[1].level)]
    columns = _ordered(levels, graph.edges)
    tallest = max(len(column) for column in columns)
    dots = {}
    for level, column in enumerate(columns):
        top = EDGE + (tallest - len(column)) * ROW / 2
        for place, number in enumerate(column):
            dots[number] = Dot(number, EDGE + level * COLUMN, top + place * ROW, graph.nodes[number])
    return Layout(
        width=2 * EDGE + (len(columns) - 1) * COLUMN,
        height=2 * EDGE + (tallest - 1) * ROW,
        dots=tuple(dots[number] for number in sorted(dots)),
        lines=tuple(Line(_curve(dots[e.source], dots[e.target]), e) for e in graph.edges if e.source != e.target),
    )


def _ordered(levels: Sequence[Sequence[int]], edges: Sequence[EdgeView]) -> list[list[int]]:
    """Order the boards of each level by the middle of their neighbours in the level before, then after."""
    columns = [list(level) for level in levels]
    level_of = {number: level for level, column in enumerate(columns) for number in column}
    near: dict[tuple[int, int], list[int]] = {}
    for edge in edges:
        for one, other in ((edge.source, edge.target), (edge.target, edge.source)):
            near.setdefault((one, level_of[other]), []).append(other)
    for sweep in range(SWEEPS):
        forwards = sweep % 2 == 0
        order = range(1, len(columns)) if forwards else range(len(columns) - 2, -1, -1)
        for level in order:
            beside = level - 1 if forwards else level + 1
            middle = _middles(columns[level], columns[beside], beside, near)
            columns[level].sort(key=middle.__getitem__)
    return columns


def _middles(
    column: Sequence[int], beside: Sequence[int], level: int, near: Mapping[tuple[int, int], Sequence[int]]
) -> dict[int, float]:
    places = {number: place / max(1, len(beside) - 1) for place, number in enumerate(beside)}
    own = {number: place / max(1, len(column) - 1) for place, number in enumerate(column)}
    return {n: fmean(places[o] for o in near[n, level]) if (n, level) in near else own[n] for n in column}


def _curve(source: Dot, target: Dot) -> str:
    """Return the path from one board to another; steps back and within a level bend away from the others."""
    across = target.x - source.x
    if across > 0:
        bend = across / 2
        return (
            f"M{source.x:g} {source.y:g}C{source.x + bend:g} {source.y:g} "
            f"{target.x - bend:g} {target.y:g} {target.x:g} {target.y:g}"
        )
    swing = min(30.0, 10 + (abs(across) + abs(target.y - source.y)) / 8)
    return (
        f"M{source.x:g} {source.y:g}C{source.x + swing:g} {source.y - swing:g} "
        f"{target.x + swing:g} {target.y - swing:g} {target.x:g} {target.y:g}"
    )
