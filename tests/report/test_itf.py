"""ITF traces: read back by a real reader, with typed values and the game's words beside the states."""

import json
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
from itf_py.itf import trace_from_json, trace_to_json

from checker.errors import InputError
from checker.report.itf import game_to_itf, games, to_itf
from checker.report.model import ChangeView, Document, Game, StepView
from tests.report.hats import document
from tests.report.hostile import hostile


def traces(result: Document) -> Iterator[dict[str, Any]]:
    """Yield every game of a result."""
    for book, board, wanted in games(result):
        yield json.loads(game_to_itf(result, book, board, wanted))


def trace(fluents: dict[str, str], *steps: dict[str, str], loop: int | None = None) -> dict[str, Any]:
    """Return the trace of a game that starts with these fluents and then changes them."""
    result = document()
    (book,) = result.rulebooks
    board = book.boards[0]
    broken = board.properties[0]
    assert broken.game is not None
    told = tuple(_step(number, changes, broken.game) for number, changes in enumerate(steps, start=1))
    game = Game(broken.game.start, tuple(fluents.items()), told, loop, ())
    read: dict[str, Any] = json.loads(game_to_itf(result, book, board, replace(broken, game=game)))
    return read


def _step(number: int, changes: dict[str, str], game: Game) -> StepView:
    told = tuple(ChangeView(fluent, value, "", value, "", ()) for fluent, value in changes.items())
    return replace(game.steps[0], number=number, changes=told)


@pytest.mark.parametrize("result", [document(), hostile()])
def test_every_game_is_read_back(result: Document) -> None:
    found = list(traces(result))
    assert len(found) == 3
    for plain in found:
        again = trace_to_json(trace_from_json(plain))
        assert {key: again[key] for key in plain} == plain
        assert all(state.keys() == {"#meta", *plain["vars"]} for state in plain["states"])


def test_states_follow_the_changes() -> None:
    plain = next(traces(document()))
    assert plain["vars"] == ["mbt::actionTaken", "wet", "worn"]
    assert plain["#meta"]["varTypes"] == {
        "mbt::actionTaken": "Str",
        "wet": "Str -> Str",
        "worn": "<<Str, Str>> -> Bool",
    }
    taken = [state["mbt::actionTaken"] for state in plain["states"]]
    assert taken == ["init", "wear(hat,rex)", "rain", "wear(hat,fido)"]
    assert [state["wet"]["#map"] for state in plain["states"]] == [[["hat", x]] for x in ("no", "no", "yes", "yes")]
    assert plain["states"][3]["worn"]["#map"] == [[{"#tup": ["hat", dog]}, True] for dog in ("fido", "rex")]
    assert plain["states"][2]["#meta"] == {
        "index": 2,
        "action": "rain",
        "by": "the game",
        "sentence": "the game: rain",
        "forced": True,
        "matters": False,
        "clauses": ["2"],
    }


def test_values_of_one_variable_have_one_type() -> None:
    plain = trace(
        {"at(a)": "1", "at(b)": "2", "turn": "7", "item(1)": "empty", "item(2)": "3", "note": '"free text"'},
        {"at(b)": "-5", "turn": "8"},
    )
    last = plain["states"][1]
    assert last["at"] == {"#map": [["a", {"#bigint": "1"}], ["b", {"#bigint": "-5"}]]}
    assert last["turn"] == {"#bigint": "8"}
    assert last["item"] == {"#map": [[{"#bigint": "1"}, "empty"], [{"#bigint": "2"}, "3"]]}
    assert last["note"] == "free text"
    types = plain["#meta"]["varTypes"]
    assert [types[n] for n in ("at", "turn", "item", "note")] == ["Str -> Int", "Int", "Int -> Str", "Str"]


def test_fluents_of_one_name_and_different_arity_are_kept_apart() -> None:
    assert trace({"turn": "a", "turn(1)": "b"})["vars"] == ["mbt::actionTaken", "turn/0", "turn/1"]


def test_a_lasso_says_where_it_returns() -> None:
    assert trace({"wheel": "0"}, {"wheel": "1"}, {"wheel": "0"}, loop=0)["loop"] == 0


def test_a_step_without_a_next_board_is_told_beside_the_states() -> None:
    result = document()
    (book,) = result.rulebooks
    board = book.boards[0]
    broken = board.properties[0]
    assert broken.game is not None
    steps = (*broken.game.steps[:-1], replace(broken.game.steps[-1], board=None))
    plain = json.loads(game_to_itf(result, book, board, replace(broken, game=replace(broken.game, steps=steps))))
    assert len(plain["states"]) == 3
    assert plain["#meta"]["last-step"]["action"] == "wear(hat,fido)"


def test_one_file_holds_one_game() -> None:
    result = document()
    with pytest.raises(InputError, match=r"has 3 \(kennel/one_head, kennel/in_the_box, kennel/worn\)"):
        to_itf(result)
    (book,) = result.rulebooks
    board = replace(book.boards[0], properties=book.boards[0].properties[:1])
    assert json.loads(to_itf(replace(result, rulebooks=(replace(book, boards=(board,)),)))) == next(traces(result))
