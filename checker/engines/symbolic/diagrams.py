"""The library of decision diagrams, under the names used here: BDDs with complement edges."""

from oxidd.bcdd import BCDDFunction as Function
from oxidd.bcdd import BCDDManager as Manager
from oxidd.bcdd import BCDDSubstitution as Substitution
from oxidd.util import BooleanOperator
from oxidd.util import DDMemoryError as OutOfNodesError

AND, XOR = BooleanOperator.AND, BooleanOperator.XOR

__all__ = ["AND", "XOR", "Function", "Manager", "OutOfNodesError", "Substitution"]
