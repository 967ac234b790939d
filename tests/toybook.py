"""A small rulebook on disk, to be broken in one place by each test."""

from __future__ import annotations

from pathlib import Path

RULEBOOK = """\
[rulebook]
name = "toy"
title = { en = "Toy" }
encoding = "main.lp"
default_version = "1"
languages = ["en"]

[versions."1"]
clauses = "clauses.toml"

[readings.speed]
values = ["slow", "fast"]
default = "slow"
question = { en = "How fast?" }

[[properties]]
name = "never_on"
kind = "invariant"
title = { en = "The lamp is never on." }
clauses = ["1"]
"""

CLAUSES = """\
[1]
text = { en = "The lamp may be lit.", fr = "La lampe peut être allumée." }
status = "encoded"
"""

RULES = """\
lamp(O) :- object(O).
fluent(lit(O), (no; yes)) :- lamp(O).
initially(lit(O), no) :- lamp(O).
action(light(O)) :- object(O).
by(light(O), alice) :- object(O).
%@ 1
possible(light(O)) :- lamp(O), now(lit(O), no).
%@ 1
set(lit(O), yes) :- occurs(light(O)).
violated(never_on, O) :- now(lit(O), yes).
"""

BOARD = """\
purpose = "One lamp."

[objects.lamp]
"""


def write_toy(folder: Path, **changed: str) -> Path:
    """Write the rulebook into `folder`, with the files named in `changed` replaced; return the folder.

    Names: rulebook, clauses, rules, board.
    """
    texts = {"rulebook": RULEBOOK, "clauses": CLAUSES, "rules": RULES, "board": BOARD} | changed
    (folder / "boards").mkdir(parents=True, exist_ok=True)
    (folder / "rulebook.toml").write_text(texts["rulebook"], encoding="utf-8")
    (folder / "clauses.toml").write_text(texts["clauses"], encoding="utf-8")
    (folder / "main.lp").write_text(texts["rules"], encoding="utf-8")
    (folder / "boards" / "one.toml").write_text(texts["board"], encoding="utf-8")
    return folder
