"""How much of a first-order encoding is held against the rules."""

from __future__ import annotations

from pathlib import Path

from checker.equivalence.shared import load_shared
from checker.firstorder.theory import Theory


def coverage(theory: Theory, folder: Path) -> str:
    """Say how many of an encoding's actions are held against the rules, and which are not, and why."""
    named = [action.name for action in theory.actions]
    if not (folder / "shared.toml").is_file():
        return f"nothing compares {len(named)} actions with the rules: no shared.toml says what the two have in common"
    left_out = load_shared(folder).left_out
    compared = f"{len(named) - len(left_out)} of {len(named)}"
    said = f"prove --equivalence, not done here, compares {compared} actions with the rules"
    return "".join([said, *(f"\n  not {name}: {why}" for name, why in left_out.items())])
