"""Systematic faults: each mutant is the rulebook with one tagged rule written a little differently.

The operators follow DeMillo, Lipton and Sayward 1978 (small faults stand for large ones), cut to what a
rule of a game can get wrong: a condition forgotten, negated or off by one, two cards mixed up, a wrong
value, an effect or a whole rule left out.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

from clingo import ast
from clingo.ast import AST, ASTType
from clingo.symbol import Function, Number, SymbolType

from checker.rulebook.encoding import Encoding, global_variables

EFFECTS = frozenset({"set", "event"})
GUARDS = frozenset({"possible", "forced"})

DROP_RULE, DROP_EFFECT = "drop rule", "drop effect"
DROP_LITERAL, WEAKEN = "drop literal", "weaken guard"
NEGATE, SHIFT, SWAP, CONSTANT = "negate literal", "shift bound", "swap variables", "wrong constant"
OPERATORS = (DROP_RULE, DROP_EFFECT, DROP_LITERAL, WEAKEN, NEGATE, SHIFT, SWAP, CONSTANT)

Pools = Mapping[tuple[str, ...], Sequence[str]]
"""For each place a constant can stand in, the constants that stand there somewhere, sorted."""

_C = ast.ComparisonOperator
SHIFTED: Mapping[int, int] = {
    int(_C.LessThan): int(_C.LessEqual),
    int(_C.LessEqual): int(_C.LessThan),
    int(_C.GreaterThan): int(_C.GreaterEqual),
    int(_C.GreaterEqual): int(_C.GreaterThan),
}


@dataclass(frozen=True, slots=True)
class Mutant:
    """One fault. rule: the id of the rule it is in. nodes: what stands for the rule; none if it is left out."""

    rule: int
    operator: str
    change: str
    nodes: tuple[AST, ...]

    def put_into(self, encoding: Encoding) -> Encoding:
        """Return the rulebook with this fault. Ground it with `strict=False`."""
        first = encoding.owners.index(self.rule)
        last = first + encoding.owners.count(self.rule)
        return replace(
            encoding,
            program=(*encoding.program[:first], *self.nodes, *encoding.program[last:]),
            owners=(*encoding.owners[:first], *(self.rule for _ in self.nodes), *encoding.owners[last:]),
        )


def mutants(encoding: Encoding, rules: Sequence[int]) -> Iterator[Mutant]:
    """Yield every mutant of the rules with these ids, rule by rule, always in the same order."""
    pools = _pools(encoding)
    for rule in rules:
        nodes = tuple(n for n, o in zip(encoding.program, encoding.owners, strict=True) if o == rule)
        seen = {tuple(map(str, nodes))}
        for mutant in _of_rule(rule, nodes, pools):
            text = tuple(map(str, mutant.nodes))
            if text not in seen:
                seen.add(text)
                yield mutant


def _of_rule(rule: int, nodes: tuple[AST, ...], pools: Pools) -> Iterator[Mutant]:
    head = _head_name(nodes)
    yield Mutant(rule, DROP_EFFECT if head in EFFECTS else DROP_RULE, "left out", ())
    options = [i for i, node in enumerate(nodes) if _is_option(node)]
    if len(options) > 1:
        for i in options:
            change = f"without the option {_effect_text(nodes[i])}"
            yield Mutant(rule, DROP_EFFECT, change, (*nodes[:i], *nodes[i + 1 :]))
    for index, node in enumerate(nodes):
        if index == 0 or _is_option(node):
            for i in range(0 if index == 0 else 1, len(node.body)):
                yield from _of_literal(rule, nodes, index, i, head, pools)
        if index > 0 and node.ast_type == ASTType.Rule and (len(nodes) == 2 or _is_option(node)):
            yield from _of_head(rule, nodes, index, pools)


def _of_literal(rule: int, nodes: tuple[AST, ...], index: int, i: int, head: str, pools: Pools) -> Iterator[Mutant]:
    """Yield the mutants of literal number `i` in the body of a node."""
    node = nodes[index]
    literal = node.body[i]

    def made(operator: str, change: str, new: Sequence[AST]) -> Iterator[Mutant]:
        body = [*node.body[:i], *new, *node.body[i + 1 :]]
        after = _with_body(nodes, index, body)
        if after is not None:
            yield Mutant(rule, operator, change, after)

    yield from made(WEAKEN if head in GUARDS else DROP_LITERAL, f"without `{literal}`", [])
    for new in _negated(literal, _elsewhere(nodes, index, i)):
        yield from made(NEGATE, f"`{new}` for `{literal}`", [new])
    for new in _variants(literal, _shifted):
        yield from made(SHIFT, f"`{new}` for `{literal}`", [new])
    for new in _swapped(literal, global_variables(nodes[0])):
        yield from made(SWAP, f"`{new}` for `{literal}`", [new])
    for new in _wrong_constants(literal, pools, ()):
        yield from made(CONSTANT, f"`{new}` for `{literal}`", [new])


def _of_head(rule: int, nodes: tuple[AST, ...], index: int, pools: Pools) -> Iterator[Mutant]:
    """Yield the mutants of what a rule derives, or of one option of an open outcome."""
    node = nodes[index]
    option = _is_option(node)
    effect = node.head.atom.symbol
    kept = list(effect.arguments[:2]) if option else []
    written = ast.Function(node.location, "set", effect.arguments[2:], 0) if option else effect
    if written.ast_type != ASTType.Function:
        return
    changed = [(SWAP, new) for new in _swapped(written, global_variables(nodes[0]))]
    changed += [(CONSTANT, new) for new in _wrong_constants(written, pools, ())]
    for operator, new in changed:
        name, arguments = ("option", [*kept, *new.arguments]) if option else (new.name, new.arguments)
        atom = ast.SymbolicAtom(ast.Function(node.location, name, arguments, 0))
        after = node.update(head=ast.Literal(node.location, ast.Sign.NoSign, atom))
        yield Mutant(rule, operator, f"`{new}` for `{written}`", (*nodes[:index], after, *nodes[index + 1 :]))


def _with_body(nodes: tuple[AST, ...], index: int, body: Sequence[AST]) -> tuple[AST, ...] | None:
    """Return the rule with another body for one of its nodes; None if something is then bound by nothing.

    Variables that are gone from the body leave `fired` too, with a 0 in their place.
    """
    node = nodes[index].update(body=list(body))
    if index > 0:
        return (*nodes[:index], node, *nodes[index + 1 :])
    left = set(global_variables(ast.Rule(node.location, _nothing(node), node.body)))
    gone = [v for v in global_variables(nodes[0]) if v not in left]
    if any(name in gone for other in nodes[1:] for name in _needed(other)):
        return None
    ident, variables = node.head.atom.symbol.arguments
    kept = [ast.SymbolicTerm(v.location, Number(0)) if v.name in gone else v for v in variables.arguments]
    symbol = ast.Function(node.location, "fired", [ident, variables.update(arguments=kept)], 0)
    head = ast.Literal(node.location, ast.Sign.NoSign, ast.SymbolicAtom(symbol))
    return (node.update(head=head), *nodes[1:])


def _nothing(node: AST) -> AST:
    return ast.Literal(node.location, ast.Sign.NoSign, ast.BooleanConstant(0))


def _needed(node: AST) -> Iterator[str]:
    """Yield the variables that a node of the rule uses, other than to hand them on from `fired`."""
    if node.ast_type != ASTType.Rule:
        return
    symbol = node.head.atom.symbol
    parts = symbol.arguments[2:] if _is_option(node) else [symbol]
    for part in (*parts, *node.body):
        if str(part).startswith(("fired(", "option(", "chosen(")):
            continue
        yield from _names(part)


def _elsewhere(nodes: tuple[AST, ...], index: int, i: int) -> set[str]:
    """Return the variables that occur outside literal number `i` of a node's body."""
    others = [b for k, b in enumerate(nodes[index].body) if k != i]
    names = {name for part in others for name in _names(part)}
    return names | {name for node in nodes[1:] for name in _needed(node)} | ({"_"} if index else set())


def _negated(literal: AST, elsewhere: set[str]) -> Iterator[AST]:
    """Yield the negation of a literal; a variable of its own becomes `_`, since nothing else binds it."""
    if literal.ast_type != ASTType.Literal:
        return
    if literal.sign != ast.Sign.NoSign:
        yield literal.update(sign=ast.Sign.NoSign)
        return
    own = {name for name in _names(literal) if name not in elsewhere}

    def hidden(node: AST) -> AST:
        if node.ast_type == ASTType.Variable and node.name in own:
            return node.update(name="_")
        return _rebuilt(node, hidden)

    plain = literal.atom.ast_type == ASTType.SymbolicAtom
    yield (hidden(literal) if plain else literal).update(sign=ast.Sign.Negation)


def _shifted(node: AST) -> Iterator[AST]:
    """Yield a comparison that is off by one at its bound."""
    if node.ast_type == ASTType.Guard and node.comparison in SHIFTED:
        yield node.update(comparison=SHIFTED[node.comparison])


def _swapped(node: AST, known: Sequence[str]) -> Iterator[AST]:
    """Yield the node with two variables of one kind, which share a letter, taken for each other."""
    inside = set(_names(node))
    for one, other in combinations(known, 2):
        if _kind(one) != _kind(other) or not inside & {one, other}:
            continue
        partner = {one: other, other: one}

        def swap(part: AST, partner: Mapping[str, str] = partner) -> AST:
            if part.ast_type == ASTType.Variable:
                return part.update(name=partner.get(part.name, part.name))
            return _rebuilt(part, swap)

        yield swap(node)


def _kind(variable: str) -> str:
    return re.sub(r"[\d'_]+$", "", variable)


def _wrong_constants(node: AST, pools: Pools, place: tuple[str, ...]) -> Iterator[AST]:
    """Yield the node with one constant replaced by the next that stands in such a place, or by the next number."""
    if node.ast_type == ASTType.SymbolicTerm:
        if node.symbol.type == SymbolType.Number:
            yield node.update(symbol=Number(node.symbol.number + 1))
        elif node.symbol.type == SymbolType.Function and not node.symbol.arguments:
            pool = pools.get(place, ())
            if len(pool) > 1:
                following = pool[(pool.index(node.symbol.name) + 1) % len(pool)]
                yield node.update(symbol=Function(following))
        return
    for key, index, child, inner in _children(node, place):
        for new in _wrong_constants(child, pools, inner):
            yield _put(node, key, index, new)


def _pools(encoding: Encoding) -> Pools:
    found: dict[tuple[str, ...], set[str]] = {}

    def collect(node: AST, place: tuple[str, ...]) -> None:
        if node.ast_type == ASTType.SymbolicTerm:
            if node.symbol.type == SymbolType.Function and not node.symbol.arguments:
                found.setdefault(place, set()).add(node.symbol.name)
            return
        for _, _, child, inner in _children(node, place):
            collect(child, inner)

    for node in (n for n in encoding.program if n.ast_type == ASTType.Rule):
        collect(node, ())
    return {place: sorted(names) for place, names in found.items()}


def _children(node: AST, place: tuple[str, ...]) -> Iterator[tuple[str, int | None, AST, tuple[str, ...]]]:
    """Yield each child with the field and index it is at, and the place it gives to a constant.

    The value of a fluent, in now(at(U), L) and the like, is placed by the fluent's name.
    """
    for key in node.child_keys:
        value = getattr(node, key)
        if isinstance(value, AST):
            yield key, None, value, place
        elif isinstance(value, ast.ASTSequence):
            for index, item in enumerate(value):
                if isinstance(item, AST):
                    yield key, index, item, _place(node, key, index, place)


def _place(node: AST, key: str, index: int, place: tuple[str, ...]) -> tuple[str, ...]:
    if node.ast_type != ASTType.Function or key != "arguments":
        return place
    named = index == 1 and len(node.arguments) == 2
    first = node.arguments[0]
    if named and node.name in {"now", "set", "next", "fluent", "initially", "reading", "board"}:
        if first.ast_type == ASTType.Function:
            return ("value", first.name)
        if first.ast_type == ASTType.SymbolicTerm:
            return ("value", str(first))
    return (node.name, str(len(node.arguments)), str(index))


def _variants(node: AST, change: Callable[[AST], Iterator[AST]]) -> Iterator[AST]:
    """Yield the node with `change` made at one place inside it, for every place."""
    yield from change(node)
    for key, index, child, _ in _children(node, ()):
        for new in _variants(child, change):
            yield _put(node, key, index, new)


def _rebuilt(node: AST, change: Callable[[AST], AST]) -> AST:
    """Return the node with every child changed."""
    for key, index, child, _ in _children(node, ()):
        new = change(child)
        if new != child:
            node = _put(node, key, index, new)
    return node


def _put(node: AST, key: str, index: int | None, new: AST) -> AST:
    if index is None:
        return node.update(**{key: new})
    items = list(getattr(node, key))
    items[index] = new
    return node.update(**{key: items})


def _names(node: AST) -> Iterator[str]:
    """Yield the variables inside a node, those local to an aggregate too."""
    if node.ast_type == ASTType.Variable:
        yield node.name
        return
    for _, _, child, _ in _children(node, ()):
        yield from _names(child)


def _is_option(node: AST) -> bool:
    return node.ast_type == ASTType.Rule and str(node.head).startswith("option(")


def _effect_text(node: AST) -> str:
    return f"set({','.join(map(str, node.head.atom.symbol.arguments[2:]))})"


def _head_name(nodes: Sequence[AST]) -> str:
    """Return the predicate the rule derives; the nodes of an open outcome end with `set`."""
    symbol = nodes[-1].head.atom.symbol
    return str(symbol.arguments[0].name if symbol.ast_type == ASTType.Pool else symbol.name)
