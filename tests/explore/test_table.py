"""Moves, games from their tokens, what a position shows, walks and jumps."""

import pytest

from checker.errors import InputError
from checker.explore.jump import Answer, jump
from checker.explore.table import LONGEST, Position
from checker.system.model import Trace
from tests.explore.lamps import lamps
from tests.traces.toys import CLASH, LAMPS

BLOWN = ("light(red)", "light(blue)")


def test_every_legal_step_is_a_move_with_its_clauses() -> None:
    with lamps() as table:
        moves = table.moves(table.begin())
        said = [(m.token, [str(who) for who in m.by], m.forced, m.goes_on) for m in moves]
        assert said == [("light(blue)", ["alice"], False, True), ("light(red)", ["alice"], False, True)]
        assert [[c.id for c in table.teller.cited(m.rules)] for m in moves] == [["1"], ["1"]]


def test_each_way_of_an_open_outcome_is_a_move() -> None:
    with lamps() as table:
        moves = table.moves(table.position(1, BLOWN))
        assert [(m.token, m.forced) for m in moves] == [
            ("mend!set(fuse,dead)", True),
            ("mend!set(fuse,whole)", True),
        ]


def test_a_game_is_played_from_its_tokens() -> None:
    with lamps() as table:
        end = table.position(1, (*BLOWN, "mend!set(fuse,dead)"))
        held = {str(v.name): str(v.domain[i]) for v, i in zip(table.system.variables, end.state, strict=True)}
        assert held == {"fuse": "dead", "lit(blue)": "yes", "lit(red)": "yes"}
        assert [s.sentence for s in table.game(end).steps] == ["alice: light(red)", "alice: light(blue)", "game: mend"]


@pytest.mark.parametrize(
    ("start", "tokens", "message"),
    [
        (2, (), "there is no initial board 2; expected 1 to 1"),
        (0, (), "there is no initial board 0; expected 1 to 1"),
        (1, ("mend",), "step 1: mend is not legal there; expected one of light(blue), light(red)"),
        (1, (*BLOWN, "light(red)"), "step 3: light(red) is not legal there; expected one of mend"),
        (1, (*BLOWN, "mend!set(fuse,ded)"), 'no outcome there; did you mean "mend!set(fuse,dead)"?'),
        (1, (*BLOWN, "mend"), "step 3: mend is no outcome there"),
        (1, ("light(red)",) * (LONGEST + 1), "a game of 1,001 steps is too long; at most 1000"),
    ],
)
def test_what_is_no_game_is_refused(start: int, tokens: tuple[str, ...], message: str) -> None:
    with lamps() as table, pytest.raises(InputError) as caught:
        table.position(start, tokens)
    assert message in str(caught.value)


def test_what_a_position_breaks_or_reaches_is_shown() -> None:
    with lamps() as table:

        def shown(*tokens: str) -> list[tuple[str, list[str]]]:
            found = table.shown(table.position(1, tokens))
            return [(one.property.name, [str(c) for c in one.culprits]) for one in found]

        assert shown() == shown("light(red)") == []
        assert shown(*BLOWN) == [("bright", ["blue", "red"]), ("overload", ["blue"])]
        assert shown(*BLOWN, "mend!set(fuse,dead)") == [("bright", ["blue", "red"]), ("dead", [])]


def test_a_step_without_a_next_board_ends_the_game() -> None:
    with lamps(CLASH, torn="conflict") as table:
        ways = {move.token: move.goes_on for move in table.moves(table.begin())}
        assert ways == {"drop": True, "flip": False, "spin": False}
        end = table.position(1, ("flip",))
        assert (end.over, table.moves(end)) == (True, ())
        assert [(s.property.name, [str(c) for c in s.culprits]) for s in table.shown(end)] == [("torn", ["coin"])]
        with pytest.raises(InputError, match="step 2, drop: the step before has no next board"):
            table.position(1, ("flip", "drop"))


def test_one_seed_gives_one_walk() -> None:
    with lamps() as table:
        walks = [table.walk(table.begin(), 10, seed).tokens for seed in (1, 1, 2, 3, 4)]
        assert walks[0] == walks[1]
        assert len(set(walks)) > 1
        # Two lamps and a mending: no game has a fourth step.
        assert {len(walk) for walk in walks} == {3}
        assert table.walk(table.begin(), 2, 1).tokens == walks[0][:2]


def test_a_jump_leads_to_a_shortest_game() -> None:
    with lamps() as table:
        found = {name: jump(table, name) for name in ("bright", "overload", "dead", "lost", "torn")}
    ends = {name: len(end.tokens) if isinstance(end, Position) else end for name, end in found.items()}
    assert ends == {"bright": 2, "overload": 2, "dead": 3, "lost": Answer.NEVER, "torn": Answer.HOLDS}


def test_a_jump_to_an_open_outcome_settles_it() -> None:
    with lamps(bright="invariant", overload="step", dead="sometimes", lost="sometimes", open="open_outcome") as table:
        end = jump(table, "open")
        assert isinstance(end, Position)
        assert (len(end.tokens), end.tokens[-1][:5], end.over) == (3, "mend!", False)
        assert "open" in {one.property.name for one in table.shown(end)}
        assert "open" not in {one.property.name for one in table.shown(table.position(1, end.tokens[:2]))}


def test_initial_boards_are_numbered() -> None:
    rules = LAMPS.replace("initially(lit(C), no) :-", "initially(lit(C), (no; yes)) :-")
    with lamps(rules.replace("initially(fuse, whole)", "initially(fuse, (whole; dead))")) as table:
        boards = [table.begin(number).state for number in range(1, table.starts + 1)]
        assert boards == list(table.system.initial_states())
        assert len(boards) == 8
        assert [table.tokens(Trace((state,), ()))[0] for state in boards] == list(range(1, 9))


def test_a_jump_to_nothing_is_refused() -> None:
    with lamps() as table, pytest.raises(InputError, match='no property "brigth"; did you mean "bright"'):
        jump(table, "brigth")
