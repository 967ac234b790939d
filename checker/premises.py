"""Whether a property could have been broken: all conditions but one of what breaks it are met together somewhere.

For each rule `violated(p) :- L1, ..., Ln` and each Li that depends on the board or the step, the rest of the body,
less what then has unbound variables, should hold somewhere. Where it never does, Li is not what keeps the property:
as far as these boards go it holds for want of a case (vacuity after Beer, Ben-David, Eisner and Rodeh 1997).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from clingo import ast
from clingo.ast import AST, ASTType
from clingo.symbol import Number

from checker.check import asked_and_dead, check_board
from checker.engines.protocol import Limits
from checker.pipeline import read_rules
from checker.progress import reporter
from checker.rulebook.encoding import Encoding, children, global_variables, place_of
from checker.rulebook.load import load_board, load_rulebook
from checker.rulebook.model import Property
from checker.store import store_at
from checker.system.model import RuleSource, rule_name

MOVING = frozenset({"now", "occurs", "next", "changed", "chosen"})
"""What the board or the step says; what rests on none of it is the same on every board of a game."""


@dataclass(frozen=True, slots=True)
class Premise:
    """What must hold for a property to be broken, `without` one of the conditions.

    place: file and line of the rule that has the conditions. rule: the premise's name in a check.
    """

    property: str
    without: str
    place: str
    rule: str


@dataclass(frozen=True, slots=True)
class PremiseJob:
    """One board on which to look for premises, in any process."""

    rulebook: str
    board: str
    asked: Property
    store: Path | None


def met_on(job: PremiseJob) -> frozenset[Premise]:
    """Return the premises that are met on some reachable board, or in some step from one.

    Raises:
        InputError: a file is wrong.

    """
    book = load_rulebook(job.rulebook)
    encoding, wanted = with_premises(read_rules(book))
    board, store = load_board(book, job.board), store_at(job.store) if job.store else None
    report = reporter(job.board)
    result = check_board(book, encoding, board, {}, [job.asked], "symbolic", Limits(), report, store=store)
    _, dead = asked_and_dead(result, result.judged[0])
    return frozenset(premise for premise in wanted if premise.rule not in dead)


def with_premises(encoding: Encoding) -> tuple[Encoding, tuple[Premise, ...]]:
    """Return the program with a rule for each premise, which fires where it is met, and the premises."""
    moving = _moving(encoding.program)
    sources, program = list(encoding.sources), list(encoding.program)
    owners, wanted = list(encoding.owners), []
    for node, body in _violations(encoding):
        name = str(node.head.atom.symbol.arguments[0])
        for literal in (one for one in body if {*_predicates(one)} & moving):
            rest = _bound([one for one in body if one is not literal])
            if not rest:
                continue
            place, number = place_of(node), len(sources)
            said = f"{name} without {literal}"
            source = RuleSource(number, place.file, place.line, place.column, str(node), (said,), None)
            sources.append(source)
            program.append(ast.Rule(node.location, _fired(node, number), rest))
            owners.append(number)
            wanted.append(Premise(name, str(literal), f"{place.file}:{place.line}", rule_name(source)))
    found = replace(encoding, program=tuple(program), owners=tuple(owners), sources=tuple(sources))
    return found, tuple(dict.fromkeys(wanted))


def _violations(encoding: Encoding) -> Iterator[tuple[AST, list[AST]]]:
    """Yield each rule that breaks a property, with its body as it was written."""
    tagged = {
        owner: list(node.body)
        for node, owner in zip(encoding.program, encoding.owners, strict=True)
        if owner is not None and node.ast_type == ASTType.Rule and _head(node) == "fired"
    }
    for node, owner in zip(encoding.program, encoding.owners, strict=True):
        if node.ast_type == ASTType.Rule and _head(node) == "violated":
            yield node, list(node.body) if owner is None else tagged[owner]


def _head(rule: AST) -> str:
    head = rule.head
    if head.ast_type != ASTType.Literal or head.atom.ast_type != ASTType.SymbolicAtom:
        return ""
    return head.atom.symbol.name if head.atom.symbol.ast_type == ASTType.Function else ""


def _moving(program: Sequence[AST]) -> frozenset[str]:
    """Return the predicates that rest on the board or the step."""
    rules = [({*_predicates(n.head)}, {*_predicates(*n.body)}) for n in program if n.ast_type == ASTType.Rule]
    found = set(MOVING)
    while fresh := {name for heads, body in rules if body & found for name in heads} - found:
        found |= fresh
    return frozenset(found)


def _predicates(*nodes: AST) -> Iterator[str]:
    for node in nodes:
        if node.ast_type == ASTType.SymbolicAtom and node.symbol.ast_type == ASTType.Function:
            yield node.symbol.name
        yield from _predicates(*children(node))


def _bound(body: Sequence[AST]) -> list[AST]:
    """Return the literals of a body whose variables are all bound by its positive atoms."""
    bound = {name for literal in body if _binds(literal) for name in _named(literal)}
    return [literal for literal in body if {*_variables(literal)} <= bound]


def _binds(literal: AST) -> bool:
    plain = literal.ast_type == ASTType.Literal and literal.sign == ast.Sign.NoSign
    return plain and literal.atom.ast_type == ASTType.SymbolicAtom


def _named(node: AST) -> Iterator[str]:
    """Yield the variables of an atom that matching it binds: not those inside arithmetic."""
    if node.ast_type == ASTType.Variable:
        yield node.name
    elif node.ast_type not in (ASTType.BinaryOperation, ASTType.UnaryOperation, ASTType.Interval):
        for child in children(node):
            yield from _named(child)


def _variables(literal: AST) -> list[str]:
    nothing = ast.Function(literal.location, "nothing", [], 0)
    head = ast.Literal(literal.location, ast.Sign.NoSign, ast.SymbolicAtom(nothing))
    return global_variables(ast.Rule(literal.location, head, [literal]))


def _fired(node: AST, number: int) -> AST:
    loc = node.location
    arguments = [ast.SymbolicTerm(loc, Number(number)), ast.Function(loc, "", [], 0)]
    return ast.Literal(loc, ast.Sign.NoSign, ast.SymbolicAtom(ast.Function(loc, "fired", arguments, 0)))
