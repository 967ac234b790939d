"""Time, memory and depth left for a run, and what the process holds."""

from __future__ import annotations

import os
import resource
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path

from checker.engines.protocol import Limits

_STATM = Path("/proc/self/statm")


class BudgetSpentError(Exception):
    """Work on the graph had to stop; the message says which limit was reached."""


@dataclass(frozen=True, slots=True)
class Budget:
    """The limits of a run that began at `start` (seconds of a monotonic clock)."""

    limits: Limits
    start: float = field(default_factory=time.monotonic)

    def elapsed(self) -> float:
        """Return the seconds since the start."""
        return time.monotonic() - self.start

    def spent(self, more: int = 0) -> str | None:
        """Say which limit is reached, or would be with `more` bytes of memory; None if none is."""
        if self.limits.seconds is not None and self.elapsed() > self.limits.seconds:
            return f"time limit of {self.limits.seconds:g} s reached"
        if self.limits.memory is not None and resident() + more > self.limits.memory:
            return f"memory limit of {self.limits.memory:,} bytes reached"
        return None

    def check(self, more: int = 0) -> None:
        """Raise if a limit is reached, or would be with `more` bytes of memory.

        Raises:
            BudgetSpentError: time or memory is spent.

        """
        reason = self.spent(more)
        if reason is not None:
            raise BudgetSpentError(reason)

    def too_deep(self, depth: int) -> str | None:
        """Say that no step may follow `depth` steps; None if one may."""
        if self.limits.depth is not None and depth >= self.limits.depth:
            return f"depth limit of {self.limits.depth} steps reached"
        return None


def resident() -> int:
    """Return the memory the process holds, in bytes; its peak where the system does not tell."""
    if _STATM.exists():
        return int(_STATM.read_text(encoding="ascii").split()[1]) * os.sysconf("SC_PAGE_SIZE")
    unit = 1 if sys.platform == "darwin" else 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit
