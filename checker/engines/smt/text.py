"""The circuit of a rulebook as SMT-LIB 2 text, one board or one step at a time.

A board is a bit-vector per variable, holding the index of its value. Every name starts with the number of
its board: `b0_x3` is variable 3 on board 0, `b0_g17` gate 17 there, `b0_act` the action taken from it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from checker.engines.smt.circuit import FALSE, TRUE, And, Circuit, Equals, Net
from checker.engines.smt.steps import Rules


def net_name(net: Net, board: int) -> str:
    """Return the term for a net on a board."""
    if abs(net) == TRUE:
        return "true" if net == TRUE else "false"
    return f"b{board}_g{net}" if net > 0 else f"(not b{board}_g{-net})"


def variable_name(variable: int, board: int) -> str:
    """Return the constant that holds a variable on a board."""
    return f"b{board}_x{variable}"


def action_name(board: int) -> str:
    """Return the constant that holds the action taken from a board, an index into `Rules.steps`."""
    return f"b{board}_act"


def literal(value: int, size: int) -> str:
    """Return the code of one of `size` values."""
    return f"(_ bv{value} {width(size)})"


def width(size: int) -> int:
    """Return the bits of a code for `size` values; at least one."""
    return max(1, (size - 1).bit_length())


def _joined(operator: str, terms: Sequence[str], empty: str) -> str:
    if len(terms) < 2:
        return terms[0] if terms else empty
    return f"({operator} {' '.join(terms)})"


def conjunction(terms: Sequence[str]) -> str:
    """Return the conjunction of terms."""
    return _joined("and", terms, "true")


def disjunction(terms: Sequence[str]) -> str:
    """Return the disjunction of terms."""
    return _joined("or", terms, "false")


def board_constants(circuit: Circuit, board: int) -> Iterator[str]:
    """Declare the variables of a board, each inside its domain."""
    for variable, size in enumerate(circuit.sizes):
        name = variable_name(variable, board)
        yield f"(declare-const {name} (_ BitVec {width(size)}))"
        if size < 1 << width(size):
            yield f"(assert (bvule {name} {literal(size - 1, size)}))"


class BoardText:
    """Writes gates of one board, each once."""

    def __init__(self, circuit: Circuit, board: int) -> None:
        self.circuit = circuit
        self.board = board
        self._written: set[Net] = set()

    def gates(self, roots: Iterable[Net]) -> Iterator[str]:
        """Define the gates that `roots` depend on and that are not defined yet."""
        for net in self.circuit.cone(roots):
            if net not in self._written:
                self._written.add(net)
                yield self._gate(net)

    def _gate(self, net: Net) -> str:
        name = net_name(net, self.board)
        match self.circuit.gates[net]:
            case And(inputs):
                body = conjunction([net_name(n, self.board) for n in inputs])
            case Equals(variable, value):
                code = literal(value, self.circuit.sizes[variable])
                body = f"(= {variable_name(variable, self.board)} {code})"
            case free:
                return (
                    f"(declare-const b{self.board}_{free.name} Bool)\n"
                    f"(define-fun {name} () Bool b{self.board}_{free.name})"
                )
        return f"(define-fun {name} () Bool {body})"


def step_roots(rules: Rules) -> list[Net]:
    """Return the nets that a step's text mentions."""
    roots = [net for step in rules.steps for net in (step.guard, step.ways, step.goes_on, *step.bad.values())]
    return roots + [net for step in rules.steps for ways in step.sets.values() for net in ways.values()]


def step_choice(rules: Rules, text: BoardText) -> Iterator[str]:
    """Take a legal action from a board, with its open outcomes settled."""
    board, count = text.board, len(rules.steps)
    yield from text.gates(step_roots(rules))
    yield f"(declare-const {action_name(board)} (_ BitVec {width(count)}))"
    for index in range(count):
        yield f"(define-fun b{board}_do{index} () Bool (= {action_name(board)} {literal(index, count)}))"
    legal = [
        conjunction([f"b{board}_do{index}", net_name(s.guard, board), net_name(s.ways, board)])
        for index, s in enumerate(rules.steps)
    ]
    yield f"(assert {disjunction(legal)})"


def step_shows(rules: Rules, goal: str, board: int) -> str:
    """Return the term for "the step taken from the board shows the goal"."""
    ways = [
        conjunction([f"b{board}_do{index}", net_name(step.bad[goal], board)])
        for index, step in enumerate(rules.steps)
        if step.bad[goal] != FALSE
    ]
    return disjunction(ways)


def step_effect(rules: Rules, board: int) -> Iterator[str]:
    """Make board number `board + 1` the one after the step; it has been declared."""
    goes_on = [
        f"(=> b{board}_do{index} {net_name(step.goes_on, board)})"
        for index, step in enumerate(rules.steps)
        if step.goes_on != TRUE
    ]
    if goes_on:
        yield f"(assert {conjunction(goes_on)})"
    setters: dict[int, dict[int, list[str]]] = {}
    for index, step in enumerate(rules.steps):
        for variable, ways in step.sets.items():
            for value, net in ways.items():
                term = conjunction([f"b{board}_do{index}", net_name(net, board)])
                setters.setdefault(variable, {}).setdefault(value, []).append(term)
    for variable, size in enumerate(rules.circuit.sizes):
        after = variable_name(variable, board)
        for value, terms in setters.get(variable, {}).items():
            after = f"(ite {disjunction(terms)} {literal(value, size)} {after})"
        yield f"(assert (= {variable_name(variable, board + 1)} {after}))"
