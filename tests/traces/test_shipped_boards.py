"""On the small boards of Riftbound, plain evaluation and clingo reach exactly the same boards."""

from checker.engines.asp import enumerate_boards
from checker.pipeline import read_rules, system_of
from checker.rulebook.load import load_board, load_rulebook
from checker.system.model import State, TransitionSystem
from checker.traces import successors

MOST = 400
"""Boards explored at most; larger ones are left to the engines that are made for them."""


def explore(system: TransitionSystem) -> set[State] | None:
    """Return the reachable boards, None if there are more than `MOST`."""
    seen = set(system.initial_states())
    waiting = list(seen)
    while waiting:
        after = {state for _, state in successors(system, waiting.pop())} - seen
        seen |= after
        waiting.extend(after)
        if len(seen) > MOST:
            return None
    return seen


def test_small_boards_are_reached_alike() -> None:
    compared = 0
    book = load_rulebook("riftbound")
    rules = read_rules(book)
    for name in book.board_names():
        board = load_board(book, name)
        system = system_of(book, rules, board, book.choose(board, {}), ())
        reached = explore(system)
        if reached is not None:
            assert reached == enumerate_boards(system), name
            compared += 1
    assert compared >= 10
