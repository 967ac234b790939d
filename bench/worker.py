"""One engine on one size, in a process of its own: prints its counts as JSON."""

from __future__ import annotations

import json
import sys

from checker.engines.protocol import Limits, Unknown
from checker.engines.registry import engine
from checker.pipeline import load_system


def run(name: str, size: str, memory: int, seconds: float) -> dict[str, int | str | None]:
    """Check all properties; `reason` says what was left undecided, None if nothing was."""
    system = load_system("bench/equip_bench", size)
    result = engine(name).check(system, system.goals, Limits(seconds, memory), lambda _: None)
    unknown = [v.answer.reason for v in result.verdicts if isinstance(v.answer, Unknown)]
    counts = result.counts
    return {
        "states": counts.states,
        "transitions": counts.transitions,
        "reason": unknown[0] if unknown else None,
    }


if __name__ == "__main__":
    name, size, memory, seconds = sys.argv[1:]
    sys.stdout.write(json.dumps(run(name, size, int(memory), float(seconds))))
