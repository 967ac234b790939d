"""The properties that two sides do not ask alike, which their verdicts need not show.

A property that was made to ask less still holds, so it is said wherever its own rules are others.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from checker.compare.sides import Opened

ASKS = re.compile(r"\b(?:violated|reached|resolution|pending|answered)\((\w+)")
"""How a rule begins that says what a property asks (see `core.lp`)."""


def asked_otherwise(left: Opened, right: Opened) -> tuple[str, ...]:
    """Return the names of the properties that both sides have, with other rules of their own or of another kind.

    What a property asks through rules of the game is their difference, and not told here.
    """
    mine, yours = ({p.name: p.kind for p in side.book.properties} for side in (left, right))
    both = [name for name in yours if name in mine]
    changed = {*_asked_in({*left.rules.texts[0]} ^ {*right.rules.texts[0]})}
    changed |= {*_asked_in({*left.rules.texts[1]} ^ {*right.rules.texts[1]})}
    return tuple(name for name in both if name in changed or mine[name] != yours[name])


def _asked_in(rules: set[str]) -> Iterator[str]:
    return (found[1] for rule in rules for found in ASKS.finditer(rule))
