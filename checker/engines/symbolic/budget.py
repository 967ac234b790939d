"""What is left of a run's time and memory, and how often it tells how far it came."""

from __future__ import annotations

import time

from checker.engines.budget import BudgetSpentError, resident
from checker.engines.protocol import Limits, Progress, Report

NODE, ENTRY = 44, 24
"""Bytes of a node with its place in the unique table (33 were measured), and of a cache entry (22)."""
NODES, ENTRIES = 1 << 26, 1 << 20
"""Nodes and cache entries to allow where no limit says less; memory is taken only as it is used."""
INTERVAL = 0.5
"""Seconds between two reports."""


class Budget:
    """The limits of a run that starts now."""

    def __init__(self, limits: Limits, report: Report) -> None:
        self.limits = limits
        self.start = time.monotonic()
        self._report = report
        self._looked = self._told = self.start

    def elapsed(self) -> float:
        """Return the seconds since the start."""
        return time.monotonic() - self.start

    def nodes(self) -> int:
        """Return how many nodes of diagrams the memory allows."""
        if self.limits.memory is None:
            return NODES
        free = self.limits.memory - resident() - ENTRY * ENTRIES
        return max(1 << 12, min(NODES, free // NODE))

    def check(self) -> None:
        """Raise if time or memory is spent; memory is looked at twenty times a second.

        Raises:
            BudgetSpentError: a limit is reached.

        """
        now = time.monotonic()
        if self.limits.seconds is not None and now - self.start > self.limits.seconds:
            raise BudgetSpentError(f"time limit of {self.limits.seconds:g} s reached")
        if self.limits.memory is not None and now - self._looked > 0.05:
            self._looked = now
            if resident() > self.limits.memory:
                raise BudgetSpentError(f"memory limit of {self.limits.memory:,} bytes reached")

    def due(self) -> bool:
        """Tell whether a report is due."""
        return time.monotonic() - self._told > INTERVAL

    def tell(self, level: int, distinct: int) -> None:
        """Report how far the run came."""
        self._told = time.monotonic()
        self._report(Progress("symbolic", level, distinct))
