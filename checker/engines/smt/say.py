"""Say what a net over a board means, in the rulebook's own terms."""

from __future__ import annotations

from checker.engines.smt.circuit import TRUE, And, Equals, Net
from checker.engines.smt.steps import Rules

LONG = 200
"""Characters up to which a formula is written out."""


def say(rules: Rules, net: Net) -> str:
    """Write a net as a formula over fluents; goals stand by their names, what gets too long as dots."""
    names = {shown: goal for goal, shown in rules.bad.items() if abs(shown) != TRUE}
    return _say(rules, net, names, LONG)


def _say(rules: Rules, net: Net, names: dict[Net, str], room: int) -> str:
    if net in names or -net in names:
        return names[net] if net in names else f"not {names[-net]}"
    if abs(net) == TRUE:
        return "true" if net == TRUE else "false"
    if room < 0:
        return "..."
    match rules.circuit.gates[abs(net)]:
        case Equals(variable, value):
            held = rules.system.variables[variable]
            size = len(held.domain)
            if net < 0 and size == 2:
                return f"{held.name} = {held.domain[1 - value]}"
            return f"{held.name} {'=' if net > 0 else '!='} {held.domain[value]}"
        case And(parts):
            word, parts = (" and ", parts) if net > 0 else (" or ", tuple(-part for part in parts))
            return f"({word.join(_say(rules, p, names, room - 20 * len(parts)) for p in parts)})"
        case free:
            return free.name if net > 0 else f"not {free.name}"
