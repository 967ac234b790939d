"""A result as plain values: what JSON carries and every report is rendered from.

Nothing here holds a clingo value, so a result crosses processes and files. The JSON document is these
classes field by field (`schemas/result.schema.json`). All texts are in one language, chosen when the
result is made (`checker.report.summary`).
"""

from __future__ import annotations

from dataclasses import dataclass

FORMAT = 1
"""Version of the JSON document; a field that changes its meaning raises it."""


@dataclass(frozen=True, slots=True)
class ObjectView:
    """One object as it lies on a board.

    under: the titles of the objects it is tucked under; two of them where a rule lets that happen.
    """

    name: str
    title: str
    zone: str | None
    under: tuple[str, ...]
    controller: str | None
    turned: bool
    badges: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class BoardView:
    """A board to be drawn: zones in order, the objects, and status lines (heading, value).

    turned: what the rulebook calls an object that lies turned; empty if it has no word of its own.
    """

    zones: tuple[str, ...]
    objects: tuple[ObjectView, ...]
    status: tuple[tuple[str, str], ...]
    turned: str = ""


@dataclass(frozen=True, slots=True)
class Cited:
    """A clause a rule means, with our paraphrase; `id` is None for an assumption of the model."""

    id: str | None
    text: str
    file: str
    line: int


@dataclass(frozen=True, slots=True)
class ChangeView:
    """A fluent that changed, said in words, and the clauses whose rule set it.

    fluent and term: the fluent and its new value as terms.
    """

    fluent: str
    term: str
    was: str
    value: str
    sentence: str
    clauses: tuple[Cited, ...]


@dataclass(frozen=True, slots=True)
class StepView:
    """One step of a game.

    forced: nothing else could be done. allowed: the clauses that make it possible, forced, and this one's
    to decide. board: None where the step has no next board (it breaks a rule itself). matters: the end of the
    game rests on this step; because: the numbers of the earlier steps this one rests on, if it matters. grounds: what
    changed in them that it rests on, each with the number of its step, in words.
    """

    number: int
    term: str
    sentence: str
    by: str
    forced: bool
    allowed: tuple[Cited, ...]
    events: tuple[str, ...]
    changes: tuple[ChangeView, ...]
    board: BoardView | None
    matters: bool
    because: tuple[int, ...]
    grounds: tuple[tuple[int, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Game:
    """A replayed trace; `loop` is the number of the step after which it goes round for ever.

    fluents: what every fluent holds at the start, as terms. because: the steps the end itself rests on.
    stays: what belongs to the fault and was left as it was by the last step, in sentences.
    """

    start: BoardView
    fluents: tuple[tuple[str, str], ...]
    steps: tuple[StepView, ...]
    loop: int | None
    because: tuple[int, ...]
    stays: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class OtherGame:
    """A game that breaks a property differently, what it breaks, and the engine's note."""

    culprits: tuple[str, ...]
    game: Game
    note: str = ""


@dataclass(frozen=True, slots=True)
class Others:
    """The games that break a property differently from the first (see `engines.different`).

    asked: how many were asked for, the first included. complete: there are no others; None if the engine
    does not look for any.
    """

    asked: int
    complete: bool | None
    games: tuple[OtherGame, ...]


@dataclass(frozen=True, slots=True)
class SmallerBoard:
    """A violation on the board without some of its cards.

    dropped: their titles. kept, of: how many cards are left, and how many there were. minimal: none of those
    left can be done without. culprits, game: as of the property, on the smaller board.
    """

    dropped: tuple[str, ...]
    kept: int
    of: int
    minimal: bool
    culprits: tuple[str, ...]
    game: Game


@dataclass(frozen=True, slots=True)
class PropertyReport:
    """One property on one board.

    status: holds, violated, known finding, finding vanished, not on this board, unknown.
    how: the evidence of a pass, or the reason of an unknown. length: the steps of the game, told or not.
    asked and dead: for properties that want things to happen, what was asked for and what of it did not
    happen here. others: None unless more games than one were asked for. smaller: None unless the same fault
    was shown on fewer cards.
    """

    name: str
    title: str
    kind: str
    status: str
    how: str
    engine: str
    clauses: tuple[Cited, ...]
    tension: str | None
    finding: str | None
    culprits: tuple[str, ...]
    shortest: bool
    breaking: int | None
    note: str
    asked: tuple[str, ...]
    dead: tuple[str, ...]
    length: int | None
    game: Game | None
    others: Others | None = None
    smaller: SmallerBoard | None = None


@dataclass(frozen=True, slots=True)
class CountsReport:
    """What was explored (see `engines.protocol.Counts`)."""

    states: int | None
    transitions: int | None
    levels: int | None
    largest_level: int | None
    complete: bool


@dataclass(frozen=True, slots=True)
class NodeView:
    """A reachable board of a state graph.

    level: the steps of a shortest game to it. differs: what is not as on the first initial board, in words.
    breaks: the titles of the properties it breaks.
    """

    level: int
    differs: tuple[str, ...]
    breaks: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class EdgeView:
    """The steps from one board of a state graph to another, by the numbers of the boards from 0, in words.

    breaks: the titles of the properties that one of the steps breaks.
    """

    source: int
    target: int
    steps: tuple[str, ...]
    forced: bool
    breaks: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class GraphView:
    """Every reachable board, in the order of a breadth-first search, and every step between two of them."""

    nodes: tuple[NodeView, ...]
    edges: tuple[EdgeView, ...]


@dataclass(frozen=True, slots=True)
class BoardReport:
    """One board: its size, the readings chosen, what was explored, and every property.

    assumptions: what the model assumes without a clause, by the rules that are there on this board.
    graph: the state graph if it is small enough to be drawn.
    """

    board: str
    purpose: str
    readings: tuple[tuple[str, str], ...]
    variables: int
    bits: int
    actions: int
    objects: tuple[tuple[str, str], ...]
    counts: CountsReport
    properties: tuple[PropertyReport, ...]
    assumptions: tuple[Cited, ...]
    seconds: float
    details: tuple[tuple[str, str], ...]
    graph: GraphView | None = None


@dataclass(frozen=True, slots=True)
class ReadingReport:
    """A switch: what the rules leave open, the values it has, and the one taken unless a board says else."""

    name: str
    question: str
    values: tuple[str, ...]
    default: str
    tension: str | None


@dataclass(frozen=True, slots=True)
class ClauseReport:
    """A clause and four facts about it; a fact is None where this run did not look into it.

    fires: a rule that means it fires on a reachable board. needed: the properties that no longer hold
    without it. killed: switching it off changes some verdict. cited: the rulings that cite it.
    """

    id: str
    text: str
    status: str
    fires: bool | None
    needed: tuple[str, ...] | None
    killed: bool | None
    cited: tuple[str, ...] | None


@dataclass(frozen=True, slots=True)
class RulebookReport:
    """A rulebook: version, readings, boards, what happened on no board, clauses not encoded (id, why).

    file: its rulebook.toml, which says the properties. clauses: the heat map, in the order of the clause file.
    untagged: the ids of clauses that are said to be encoded, but that no rule is tagged with.
    """

    name: str
    file: str
    title: str
    version: str
    date: str | None
    readings: tuple[ReadingReport, ...]
    boards: tuple[BoardReport, ...]
    never: tuple[tuple[str, tuple[str, ...]], ...]
    not_encoded: tuple[tuple[str, str], ...]
    clauses: tuple[ClauseReport, ...]
    untagged: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class RunFacts:
    """Facts of this run only; golden tests drop this block."""

    tool: str
    python: str
    started: str
    seconds: float
    libraries: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Document:
    """A whole result."""

    format: int
    language: str
    rulebooks: tuple[RulebookReport, ...]
    run: RunFacts
