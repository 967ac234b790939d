"""core.lp documents every predicate that the checker reads, writes or gives, once and argument by argument."""

from __future__ import annotations

import re

from clingo import ast

from checker.paths import encodings
from checker.rulebook.encoding import GIVEN
from checker.rulebook.lint import NEEDS_RULE
from checker.system.build import READ

DOC = re.compile(r"%\*! (\w+)\(([^)]*)\)\n(.*?)\*%", re.DOTALL)


def documented(text: str) -> dict[str, list[tuple[list[str], str]]]:
    """Return each documented predicate with, for every doc block, its arguments and text."""
    found: dict[str, list[tuple[list[str], str]]] = {}
    for name, arguments, body in DOC.findall(text):
        found.setdefault(name, []).append(([a.strip() for a in arguments.split(",")], body))
    return found


def test_every_predicate_is_documented_once_with_each_argument() -> None:
    """A doc block has a sentence and one line per argument; no predicate of one arity has two."""
    docs = documented((encodings() / "asp" / "core.lp").read_text(encoding="utf-8"))
    signatures = [(name, len(arguments)) for name, blocks in docs.items() for arguments, _ in blocks]

    assert len(signatures) == len(set(signatures))
    for blocks in docs.values():
        for arguments, body in blocks:
            said = body.split("Args:")
            assert said[0].strip().endswith(".")
            assert [
                line.split(":")[0].strip() for line in said[1].strip().splitlines() if re.match(r"\s*[A-Z]: ", line)
            ] == arguments


def test_the_vocabulary_is_complete() -> None:
    """What the checker reads or gives is in core.lp, and core.lp names nothing else."""
    path = encodings() / "asp" / "core.lp"
    docs = set(documented(path.read_text(encoding="utf-8")))
    nodes: list[ast.AST] = []
    ast.parse_files([str(path)], nodes.append)
    declared = {n.name for n in nodes if n.ast_type == ast.ASTType.Defined}
    derived = {n.head.atom.symbol.name for n in nodes if n.ast_type == ast.ASTType.Rule}
    external = {n.atom.symbol.name for n in nodes if n.ast_type == ast.ASTType.External}

    assert docs == declared | derived | external
    assert READ - {"option"} | set(NEEDS_RULE.values()) <= docs
    assert GIVEN - {"fired", "option", "chosen"} <= docs
