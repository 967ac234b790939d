"""A small rulebook on disk with an effect that matters, one that does not, an open outcome and a ruling."""

from __future__ import annotations

from pathlib import Path

from tests.toybook import write_toy

RULES = """\
lamp(O) :- object(O).
fluent(lit(O), (no; yes)) :- lamp(O).
initially(lit(O), no) :- lamp(O).
fluent(fuse, (whole; blown; mended)).
initially(fuse, whole).
action(light(O)) :- lamp(O).
by(light(O), alice) :- lamp(O).
action(fix).
%@ 3
by(fix, game) :- now(fuse, blown).
%@ 1
possible(light(O)) :- lamp(O), now(lit(O), no), not now(fuse, blown).
%@ 1
set(lit(O), yes) :- occurs(light(O)).
%@ 2
set(fuse, blown) :- occurs(light(O)), now(fuse, whole).
%@ 2
set(lit(O), no) :- occurs(fix), lamp(O), now(lit(O), no).
%@ 3
possible(fix) :- now(fuse, blown).
%@ 3
{ set(fuse, (whole; mended)) } = 1 :- occurs(fix).
violated(never_on, O) :- now(lit(O), yes), now(fuse, mended).
"""
"""Lamp by lamp: lighting blows a whole fuse, fixing it leaves open what it becomes. With one lamp 4 boards."""

CLAUSES = "".join(
    f'[{number}]\ntext = {{ en = "{text}", fr = "{text}" }}\nstatus = "encoded"\n'
    for number, text in enumerate(("Light.", "Blow.", "Fix."), start=1)
)

RULING = """\
[r1]
title.en = "Lighting a lamp blows the fuse"
source = "the manual"
status = "official"
board = "one"
clauses = ["1", "2"]
[[r1.steps]]
do = "light(lamp)"
holds = ["now(lit(lamp), yes)"]
[[r1.steps]]
illegal = "light(lamp)"
"""


def write_lamps(folder: Path, rules: str = RULES, ruling: str = RULING) -> Path:
    """Write the rulebook with one board, `one`, and return its folder."""
    write_toy(folder, rules=rules, clauses=CLAUSES)
    if ruling:
        (folder / "rulings").mkdir(exist_ok=True)
        (folder / "rulings" / "all.toml").write_text(ruling, encoding="utf-8")
    return folder
