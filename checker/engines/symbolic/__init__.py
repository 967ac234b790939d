"""Sets of boards as decision diagrams: billions of boards at once, exact counts, shortest games."""

from checker.engines.symbolic.engine import SymbolicEngine

__all__ = ["SymbolicEngine"]
