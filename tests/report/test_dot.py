"""The state graph of a small board: exact boards and steps, quoted as DOT wants it, read by Graphviz."""

import re
import shutil
import subprocess

import pytest

from checker.errors import InputError
from checker.report.dot import to_dot
from tests.report.hats import checked
from tests.traces.toys import game

NODE = re.compile(r"    b(\d+) \[label = (\"(?:[^\"\\]|\\.)*\")(.*)\];")
EDGE = re.compile(r"    b(\d+) -> b(\d+) \[label = (\"(?:[^\"\\]|\\.)*\")(, style = bold)?\];")


def test_boards_and_steps_are_those_of_the_game() -> None:
    lines = list(to_dot(checked().system))
    nodes = [m for line in lines if (m := NODE.fullmatch(line))]
    edges = [m.groups() for line in lines if (m := EDGE.fullmatch(line))]
    assert [node[2] for node in nodes] == [
        '"start"',
        '"worn(hat,rex) = true\\nin_the_box"',
        '"wet(hat) = yes\\nworn(hat,rex) = true\\nin_the_box"',
        '"wet(hat) = yes\\nworn(hat,fido) = true\\nworn(hat,rex) = true\\none_head\\nin_the_box"',
    ]
    assert ["red" in node[3] for node in nodes] == [False, True, True, True]
    assert edges == [
        ("0", "1", '"wear(hat,rex)"', None),
        ("1", "2", '"rain"', ", style = bold"),
        ("2", "3", '"wear(hat,fido)"', None),
    ]


@pytest.mark.parametrize(("name", "boards", "steps"), [("lamps", 6, 6), ("chain", 8, 12), ("traps", 9, 12)])
def test_every_board_and_step_is_there(name: str, boards: int, steps: int) -> None:
    lines = list(to_dot(game(name)))
    edges = [m[3].strip('"').split("\\n") for line in lines if (m := EDGE.fullmatch(line))]
    assert (sum(bool(NODE.fullmatch(line)) for line in lines), sum(map(len, edges))) == (boards, steps)


def test_too_large_a_board_is_refused() -> None:
    with pytest.raises(InputError, match="toy has 8 reachable boards; a graph of more than 7 cannot be read"):
        list(to_dot(game("chain"), most=7))


@pytest.mark.skipif(shutil.which("dot") is None, reason="there is no Graphviz")
def test_graphviz_draws_it() -> None:
    text = "\n".join(to_dot(game("lamps")))
    drawn = subprocess.run(["dot", "-Tplain"], input=text, capture_output=True, text=True, check=True)
    assert drawn.stderr == ""
    assert len(re.findall("^node", drawn.stdout, re.MULTILINE)) == 6
