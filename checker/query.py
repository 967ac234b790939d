"""Ask in the rulebook's own predicates: is a board with these literals reachable."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

from clingo import ast
from clingo.core import MessageCode
from clingo.symbol import Function, Number, Symbol, SymbolType

from checker.errors import InputError, Problem
from checker.rulebook.encoding import Encoding, children, clingo_problems, global_variables
from checker.rulebook.files import too_large
from checker.rulebook.model import Property, Text
from checker.system.model import Kind, TransitionSystem

ASK = Property(
    name="ask",
    kind=Kind.SOMETIMES,
    title=Text({"en": "Such a board is reachable.", "fr": "Un tel plateau est atteignable."}),
    clauses=(),
    tension=None,
)


def with_query(encoding: Encoding, query: str) -> Encoding:
    """Add `_binding(Vars) :- query` and `reached(ask) :- _binding(_)` to a program.

    Args:
        encoding: the rulebook.
        query: literals over the rulebook's predicates, such as `attached(G, U), not controls(P, U)`.

    Raises:
        InputError: the query is not a list of literals.

    """
    rule = _rule("reached(ask)", query)
    variables = [ast.Variable(rule.location, v) for v in global_variables(rule)]
    binding = _literal(rule, "_binding", [ast.Function(rule.location, "", variables, 0)])
    added = (ast.Rule(rule.location, binding, rule.body), ast.Rule(rule.location, rule.head, [binding]))
    return encoding.plus(added)


def bindings(query: str, symbols: Iterable[Symbol], say: Callable[[Symbol], str]) -> tuple[str, ...]:
    """Return what the variables of `query` stand for on a board, a line for each way to satisfy it."""
    names = global_variables(_rule("reached(ask)", query))
    found = sorted(s for s in symbols if s.name == "_binding" and len(s.arguments) == 1)
    return tuple(
        ", ".join(f"{name} = {say(value)}" for name, value in zip(names, s.arguments[0].arguments, strict=True))
        for s in found
        if names
    )


def with_checks(encoding: Encoding, queries: Sequence[str]) -> Encoding:
    """Add `_check(N) :- query` for each query, numbered from 0.

    Raises:
        InputError: one of them is not a list of literals.

    """
    added = []
    for number, query in enumerate(queries):
        rule = _rule("check", query)
        head = _literal(rule, "_check", [ast.SymbolicTerm(rule.location, Number(number))])
        added.append(ast.Rule(rule.location, head, rule.body))
    return encoding.plus(added)


def printed(query: str) -> str:
    """Return a query as clingo prints it, one space where it needs one.

    Raises:
        InputError: the query is not a list of literals.

    """
    return ", ".join(map(str, _rule("check", query).body))


def names_in(query: str) -> set[str]:
    """Return the constants of a query, such as blade and yes in `now(exhausted(blade), yes)`."""
    found: set[str] = set()
    for literal in _rule("check", query).body:
        _constants(literal, found)
    return found


def constants(system: TransitionSystem) -> set[str]:
    """Return every constant of a ground rulebook."""
    found: set[str] = set()
    seen: set[Symbol] = set()
    waiting = [s for s in (*system.facts, *system.atoms) if s is not None]
    while waiting:
        symbol = waiting.pop()
        if symbol in seen or symbol.type != SymbolType.Function:
            continue
        seen.add(symbol)
        if symbol.arguments:
            waiting.extend(symbol.arguments)
        else:
            found.add(symbol.name)
    return found


def names_of(symbol: Symbol) -> Iterator[str]:
    """Yield the constants inside a term."""
    if symbol.type == SymbolType.Function:
        if not symbol.arguments:
            yield symbol.name
        for argument in symbol.arguments:
            yield from names_of(argument)


def _constants(node: ast.AST, found: set[str]) -> None:
    if node.ast_type == ast.ASTType.SymbolicTerm:
        found.update(names_of(node.symbol))
        return
    for child in children(node):
        _constants(child, found)


def check_atom(number: int) -> Symbol:
    """Return the atom that says whether query `number` of `with_checks` holds."""
    return Function("_check", [Number(number)])


def _rule(head: str, query: str) -> ast.AST:
    """Parse `query` as the body of one rule."""
    for _, message in too_large(query):
        raise InputError(f"the query `{query}`: {message}")
    messages: list[tuple[MessageCode, str]] = []
    nodes: list[ast.AST] = []
    try:
        ast.parse_string(f"{head} :- {query}.", nodes.append, logger=lambda c, m: messages.append((c, m)))
    except RuntimeError:
        raise InputError(_in_query(messages, query)) from None
    rules = [n for n in nodes if n.ast_type == ast.ASTType.Rule]
    if len(rules) != 1 or len(nodes) != 2 or not rules[0].body:
        raise InputError(f"`{query}` is not one list of literals, such as attached(G, U), not controls(P, U)")
    return rules[0]


def _literal(rule: ast.AST, name: str, arguments: Sequence[ast.AST]) -> ast.AST:
    atom = ast.SymbolicAtom(ast.Function(rule.location, name, arguments, 0))
    return ast.Literal(rule.location, ast.Sign.NoSign, atom)


def _in_query(messages: list[tuple[MessageCode, str]], query: str) -> list[Problem]:
    return [Problem(f"the query `{query}`: {problem.message}") for problem in clingo_problems(messages)]
