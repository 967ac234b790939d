"""Which values a variable can take at all, by a cheap over-approximation.

Every atom that may hold at some time is kept for ever, and a negated literal always passes. What is never
derived this way holds on no reachable board: its values need no code, its rules no diagram.
"""

from __future__ import annotations

from checker.system.model import Atom, Rule, TransitionSystem


def possible_atoms(system: TransitionSystem) -> frozenset[Atom]:
    """Return the atoms that may hold on, or in a step from, a reachable board."""
    true = {variable.atoms[value] for variable in system.variables for value in variable.initial}
    true |= {option.chosen for outcome in system.outcomes for option in outcome.options}
    causes = {effect.atom: system.variables[effect.variable].atoms[effect.value] for effect in system.effects}
    causes |= {action.possible: action.occurs for action in system.actions if action.possible is not None}
    readers: dict[Atom, list[Rule]] = {}
    for rule in system.rules():
        for literal in rule.body:
            if literal > 0:
                readers.setdefault(literal, []).append(rule)
    waiting = list(true)
    for rule in system.rules():
        if rule.head not in true and _passes(rule, true):
            true.add(rule.head)
            waiting.append(rule.head)
    while waiting:
        atom = waiting.pop()
        heads = [rule.head for rule in readers.get(atom, ()) if rule.head not in true and _passes(rule, true)]
        for head in [*heads, causes.get(atom)]:
            if head is not None and head not in true:
                true.add(head)
                waiting.append(head)
    return frozenset(true)


def _passes(rule: Rule, true: set[Atom]) -> bool:
    if rule.weights:
        pairs = zip(rule.body, rule.weights, strict=True)
        return sum(weight for literal, weight in pairs if literal < 0 or literal in true) >= rule.bound
    return all(literal < 0 or literal in true for literal in rule.body)
