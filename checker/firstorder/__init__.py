"""Proofs for any number of cards, from first-order encodings in SMT-LIB 2 text."""

from checker.firstorder.examine import Examined, examine, switches
from checker.firstorder.prove import AnySize, Open
from checker.firstorder.refute import SmallGame
from checker.firstorder.theory import Theory, load_theory

__all__ = ["AnySize", "Examined", "Open", "SmallGame", "Theory", "examine", "load_theory", "switches"]
