"""A repository with a history of ten edits of its rules, each held against the gate."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.ci.game import CLAUSE, DETACH, OUT_OF_SCOPE, edit, run, start

Edit = Callable[[Path], None]


def rules(old: str, new: str, chapter: str = "attach") -> Edit:
    return lambda folder: edit(folder / "rules" / f"{chapter}.lp", old, new)


def without_detach(folder: Path) -> None:
    edit(folder / "rules" / "attach.lp", DETACH, "")
    edit(folder / "clauses" / "1.toml", CLAUSE, OUT_OF_SCOPE)


def with_detach(folder: Path) -> None:
    with (folder / "rules" / "attach.lp").open("a", encoding="utf-8") as chapter:
        chapter.write(DETACH)
    edit(folder / "clauses" / "1.toml", OUT_OF_SCOPE, CLAUSE)


def new_board(folder: Path) -> None:
    text = (folder / "boards" / "two_units.toml").read_text(encoding="utf-8")
    more = '\n[objects.dagger]\ncard = "blade"\nowner = "alice"\n'
    (folder / "boards" / "two_blades.toml").write_text(text + more, encoding="utf-8")


GUARD = "owner(U, P), now(in(U), play), now(attached(G, U), no)."
DROP = "%@ 2.a\nset(attached(G, U), no) :- occurs(destroy(U)), now(attached(G, U), yes).\n"

HISTORY: list[tuple[str, Edit, tuple[int, int, int]]] = [
    ("A remark", rules("%@ 1\naction", "% Any gear, any unit.\n%@ 1\naction"), (0, 0, 0)),
    ("A variable renamed", rules("by(attach(G, U), P)  :- action(attach(G, U)), owner(G, P).",
                                 "by(attach(G, U), Q)  :- action(attach(G, U)), owner(G, Q)."), (0, 0, 0)),
    ("A second blade", new_board, (0, 0, 0)),
    ("A tag mistyped", rules("%@ 1.a", "%@ 1.aa"), (2, 2, 2)),
    ("The tag mended", rules("%@ 1.aa", "%@ 1.a"), (0, 0, 0)),
    ("No detaching", without_detach, (0, 1, 1)),
    ("Detaching again", with_detach, (0, 0, 0)),
    ("Gear goes to anybody's unit", rules(GUARD, GUARD.replace("owner(U, P), ", "")), (0, 1, 0)),
    ("Only to one's own again", rules("owner(G, P), now(in", "owner(G, P), owner(U, P), now(in"), (0, 0, 0)),
    ("Two rules for the trash", rules(DROP, DROP + "%@ 2\nset(in(U), play) :- occurs(destroy(U)).\n", "destroy"),
     (0, 1, 1)),
]  # fmt: skip
"""What an edit is called, the edit, and the exit codes of lint, rulings and check after it."""


def git(folder: Path, *arguments: str) -> None:
    identity = ["-c", "user.name=Rules", "-c", "user.email=rules@example.org", "-c", "commit.gpgsign=false"]
    subprocess.run(["git", *identity, *arguments], cwd=folder, check=True, capture_output=True)


def test_ten_edits_of_a_rulebook(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Each commit is checked out and held against the gate; the history tells afterwards what moved when."""
    folder = start(tmp_path / "rules")
    git(folder, "init", "-q", "-b", "main")
    for title, change, _ in HISTORY:
        change(folder)
        git(folder, "add", "-A")
        git(folder, "commit", "-q", "-m", title)
    found = []
    for back in reversed(range(len(HISTORY))):
        git(folder, "checkout", "-q", f"main~{back}")
        found.append((run("lint", folder), run("rulings", folder), run("check", folder)))

    assert found == [codes for _, _, codes in HISTORY]
    capsys.readouterr()
    run("history", folder, "-b", "two_units")
    moves = [line.strip() for line in capsys.readouterr().out.splitlines() if line.startswith("    ")]
    assert moves == [
        "two_units: on_one_unit: holds -> violated, 2 steps",
        "two_units: reachable boards: 16 -> 18",
        "two_units: on_one_unit: violated, 2 steps -> holds",
        "two_units: reachable boards: 18 -> 16",
        "two_units: every_action: not on this board -> holds",
        "two_units: reachable boards: 16 -> 20",
        "two_units: every_action: holds -> not on this board",
        "two_units: reachable boards: 20 -> 16",
        "two_units: no_contradiction: holds -> violated, 1 step",
        "two_units: reachable boards: 16 -> 3",
    ]
