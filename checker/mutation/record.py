"""What an earlier run of mutants, kept as `reports/<rulebook>/mutation.json`, says about each clause."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

from checker.errors import InputError
from checker.pipeline import read_rules
from checker.rulebook.encoding import Encoding
from checker.rulebook.model import Rulebook

FORMAT = 2
"""Version of the JSON document; a field that changes its meaning raises it."""


@dataclass(frozen=True, slots=True)
class Recorded:
    """A clause's rules left out one by one. needed: properties seen to fall. killed: each was noticed somehow."""

    needed: tuple[str, ...]
    killed: bool


def record_path(book: Rulebook) -> Path:
    """Return where a check looks for the result of `mutate`, under the working folder."""
    return Path("reports") / book.name / "mutation.json"


def read_record(book: Rulebook) -> Mapping[str, Recorded]:
    """Return what is recorded of each clause; nothing if it is about other rules, partial, or cannot be read."""
    path = record_path(book)
    if not path.is_file():
        return {}
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
        about = (data["format"], data["version"], data["rules"], data["whole"])
        if about != (FORMAT, book.version.name, digest(read_rules(book)), True):
            return {}
        return _by_clause(data["mutants"])
    except (OSError, ValueError, KeyError, TypeError, InputError):
        return {}


def _by_clause(mutants: list[dict[str, Any]]) -> dict[str, Recorded]:
    found: dict[str, Recorded] = {}
    for mutant in mutants:
        if mutant["change"] != "left out" or mutant["fate"] not in ("killed", "survived", "open"):
            continue
        kill = mutant.get("kill")
        falls = {kill["property"]} if kill and kill["by"] == "verdict" else set()
        for clause in mutant["source"].get("clauses", ()):
            known = found.get(clause, Recorded((), True))
            needed = tuple(sorted(falls.union(known.needed)))
            found[clause] = Recorded(needed, known.killed and kill is not None)
    return found


def digest(encoding: Encoding) -> str:
    """Return a digest of the rules with their clauses, to tell whether a result is about these rules."""
    content = sha256("\n".join(map(str, encoding.program)).encode())
    content.update(repr([(s.clauses, s.assumption) for s in encoding.sources]).encode())
    return content.hexdigest()
