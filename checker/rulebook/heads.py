"""Where the rule stands that derives an atom, for atoms whose ground rule clingo has simplified away."""

from __future__ import annotations

from clingo.ast import AST, ASTType
from clingo.symbol import Symbol, SymbolType

from checker.errors import Position
from checker.rulebook.encoding import Encoding, place_of


def place_of_head(encoding: Encoding, atom: Symbol) -> Position | None:
    """Return where the first rule begins whose head may be the atom, rather one that names its last argument."""
    fitting = [
        node
        for node in encoding.program
        if node.ast_type == ASTType.Rule and node.head.ast_type == ASTType.Literal and _fits(node.head.atom, atom)
    ]
    named = [node for node in fitting if str(node.head).endswith(f"{atom.arguments[-1]})")]
    return place_of((named or fitting)[0]) if fitting else None


def _fits(term: AST, symbol: Symbol) -> bool:
    """Tell whether a term or atom may have a value; a variable or a sum may have any."""
    match term.ast_type:
        case ASTType.SymbolicAtom:
            return _fits(term.symbol, symbol)
        case ASTType.BooleanConstant | ASTType.Comparison:
            return False
        case ASTType.SymbolicTerm:
            return bool(term.symbol == symbol)
        case ASTType.Function:
            known = symbol.type == SymbolType.Function and term.name == symbol.name
            same = known and len(term.arguments) == len(symbol.arguments)
            return same and all(map(_fits, term.arguments, symbol.arguments))
        case ASTType.Pool:
            return any(_fits(one, symbol) for one in term.arguments)
        case _:
            return True
