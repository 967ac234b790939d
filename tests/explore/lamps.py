"""The two lamps and the fuse of `tests.traces.toys`, as a rulebook on disk that can be played."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from checker.explore.table import Table, lay
from tests.toybook import BOARD, RULEBOOK, write_toy
from tests.traces.toys import LAMPS

PROPERTIES = """
[[properties]]
name = "{name}"
kind = "{kind}"
title = {{ en = "{title}" }}
clauses = ["1"]
"""

KINDS = {"bright": "invariant", "overload": "step", "dead": "sometimes", "lost": "sometimes", "torn": "conflict"}

FINDING = """
[[findings]]
property = "bright"
boards = ["one"]
title = { en = "Nobody forbids <b>both</b> lamps." }
tension = "L1"
"""

CLAUSES = "\n".join(
    f'["{name}"]\ntext = {{ en = "Clause {name}.", fr = "Clause {name}." }}\nstatus = "encoded"'
    for name in ("1", "1.a", "2", "3", "4")
)

VIEW = """
view_zone(shelf, 1).    view_at(C, shelf) :- lamp(C).    view_badge(C, on) :- now(lit(C), yes).
view_status(fuse, V) :- now(fuse, V).
"""


def write_lamps(folder: Path, rules: str = LAMPS + VIEW, titles: str = "A title.", **kinds: str) -> Path:
    """Write the rulebook with a property for each name of `KINDS`, or of `kinds`; return its folder."""
    head = RULEBOOK[: RULEBOOK.index("[[properties]]")]
    known = FINDING if not kinds else ""
    asked = "".join(PROPERTIES.format(name=n, kind=k, title=titles) for n, k in (kinds or KINDS).items())
    return write_toy(folder, rulebook=head + asked + known, clauses=CLAUSES, rules=rules, board=BOARD)


@contextmanager
def lamps(rules: str = LAMPS + VIEW, titles: str = "A title.", **kinds: str) -> Iterator[Table]:
    """Lay the lamps out, or other rules with their own properties."""
    with TemporaryDirectory() as folder:
        yield lay(str(write_lamps(Path(folder), rules, titles, **kinds)), "one", {}, "en")
