"""The smt engine: bounded search, induction and Spacer on the ground rules, with Z3."""

from checker.engines.smt.engine import Proved, SmtEngine

__all__ = ["Proved", "SmtEngine"]
