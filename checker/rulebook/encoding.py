"""Parse a rulebook's `.lp` files and rewrite them so that every tagged rule says when it fires.

A rule `h :- B` under `%@ 434.1.f` becomes `fired(id, Vars) :- B` and `h :- fired(id, Vars)`; an open outcome
`{ set(F, V) : C } = 1 :- B` becomes `fired(id, Vars) :- B`, `option(id, Vars, F, V) :- fired(id, Vars), C` and
`set(F, V) :- option(id, Vars, F, V), chosen(id, Vars, F, V)` with `chosen` an input. All through clingo's AST.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from clingo import ast
from clingo.ast import AST, ASTType
from clingo.core import MessageCode
from clingo.symbol import Function, Number

from checker.errors import InputError, Position, Problem
from checker.paths import display, encodings
from checker.rulebook.files import number_problems
from checker.system.model import RuleSource

GAME_HEADS = frozenset({"possible", "forced", "event", "set"})
"""Heads that make a rule a rule of the game, which must name its clause."""

GIVEN = frozenset(
    {"object", "card", "board", "reading", "now", "occurs", "changed", "next", "fired", "option", "chosen"}
)
"""Predicates only the checker derives."""


@dataclass(frozen=True, slots=True)
class Encoding:
    """The rewritten program and where its tagged rules stand.

    owners: for each statement of `program` the id of the tagged rule it comes from, or None.
    choosing: the ids of the rules that leave an outcome open.
    heads: for a predicate and the name of its first argument (None where that is a variable), the place of
    the first rule with such a head, as in `("violated", "unit_attached")`.
    """

    program: tuple[AST, ...]
    owners: tuple[int | None, ...]
    sources: tuple[RuleSource, ...]
    heads: Mapping[tuple[str, str | None], Position]
    choosing: frozenset[int] = frozenset()

    def plus(self, rules: Iterable[AST]) -> Encoding:
        """Return the program with more rules, which belong to no tagged rule."""
        added = tuple(rules)
        return replace(self, program=(*self.program, *added), owners=(*self.owners, *(None for _ in added)))

    def without(self, rules: Container[int]) -> Encoding:
        """Return the program with some tagged rules switched off: as if they were not written.

        Ground it with `strict=False`: what only they derived is then derived by nobody.
        """
        kept = [(n, o) for n, o in zip(self.program, self.owners, strict=True) if o is None or o not in rules]
        return replace(self, program=tuple(n for n, _ in kept), owners=tuple(o for _, o in kept))

    def numbered(self, number: Callable[[str], str | None]) -> Encoding:
        """Return the program with every tag as one version numbers it; tags it has no clause for are dropped."""
        sources = tuple(
            replace(s, clauses=tuple(dict.fromkeys(n for c in s.clauses if (n := number(c)) is not None)))
            for s in self.sources
        )
        return replace(self, sources=sources)


def read_encoding(*files: Path) -> Encoding:
    """Parse `core.lp` and the files with everything they include, and rewrite the tagged rules.

    Raises:
        InputError: clingo cannot parse a file, or a statement has no place in a rulebook.

    """
    core = encodings() / "asp" / "core.lp"
    reader = _Reader(core)
    for path in (core, *files):
        reader.read(path)
    if reader.problems:
        raise InputError(sorted(reader.problems, key=lambda p: p.position or Position("")))
    owners = tuple(owner for owner, _ in reader.program)
    program = tuple(node for _, node in reader.program)
    return Encoding(program, owners, tuple(reader.sources), reader.heads, frozenset(reader.choosing))


def clingo_problems(messages: Iterable[tuple[MessageCode, str]]) -> list[Problem]:
    """Turn clingo's log into problems with positions (its exceptions carry none)."""
    return [problem for _, text in messages if (problem := _clingo_problem(text)) is not None]


def _clingo_problem(text: str) -> Problem | None:
    found = re.match(r"(.+?):(\d+):(\d+)(?:-[\d:]+)?: (?:error|info|warning): (.*)", text, re.DOTALL)
    if found is None:
        return Problem(" ".join(text.split()))
    file, line, column, message = found.groups()
    if file == "<string>":  # only a query is parsed from a string
        return Problem(_plain(message), Position("the query"))
    return Problem(_plain(message), Position(display(Path(file)), int(line), int(column)))


def _plain(message: str) -> str:
    """Say what clingo says without the inside of its program, and with what is mostly meant."""
    said = " ".join(message.split())
    if said.startswith("unsafe variables in:"):
        names = dict.fromkeys(re.findall(r"note: '(.+?)' is unsafe", said))
        return f"unsafe: {', '.join(names)}; expected every variable in a literal of the body that is not negated"
    if said == "syntax error, unexpected <IDENTIFIER>":
        return f"{said}; does the statement before it end with a full stop?"
    return said


class _Reader:
    """Collects the rewritten program of the files read so far."""

    def __init__(self, core: Path) -> None:
        self.core = str(core)
        self.program: list[tuple[int | None, AST]] = []
        self.sources: list[RuleSource] = []
        self.heads: dict[tuple[str, str | None], Position] = {}
        self.choosing: set[int] = set()
        self.arities: dict[str, set[int]] = {}
        self.problems: list[Problem] = []
        self.tags: list[AST] = []
        self.lines: dict[str, Sequence[str]] = {}

    def read(self, path: Path) -> None:
        """Parse one file with its includes."""
        self.problems += number_problems(path)
        messages: list[tuple[MessageCode, str]] = []
        nodes: list[AST] = []
        try:
            ast.parse_files([str(path)], nodes.append, logger=lambda c, m: messages.append((c, m)))
        except RuntimeError:
            raise InputError(clingo_problems(messages)) from None
        for node in nodes:
            self._take(node)
        for tag in self.tags:
            self._problem(tag, "this tag stands above no rule")
        self.tags = []

    def _problem(self, node: AST, message: str) -> None:
        self.problems.append(Problem(message, place_of(node)))

    def _take(self, node: AST) -> None:
        if node.ast_type == ASTType.Comment:
            if str(node).startswith("%@"):
                self.tags.append(node)
            return
        tags, self.tags = self._tags_of(node), []
        match node.ast_type:
            case ASTType.Rule:
                self._rule(node, tags)
            case ASTType.Program:
                if node.name != "base" or node.parameters:
                    self._problem(node, "#program parts have no place in a rulebook; rules speak of one step")
            case ASTType.Definition | ASTType.Defined:
                self.program.append((None, node))
                if node.ast_type == ASTType.Defined and node.location.begin.filename == self.core:
                    self.arities.setdefault(node.name, set()).add(node.arity)
            case ASTType.External if node.location.begin.filename == self.core:
                self.program.append((None, node))
            case _:
                self._problem(
                    node,
                    f"`{_short(str(node))}` has no place in a rulebook; expected rules, #const, #include or #defined",
                )

    def _tags_of(self, node: AST) -> list[AST]:
        """Return the tags directly above `node`; tags that stand elsewhere are problems."""
        mine: list[AST] = []
        line = node.location.begin.line
        for tag in reversed(self.tags):
            same_file = tag.location.begin.filename == node.location.begin.filename
            if same_file and tag.location.begin.line == line - 1 and node.ast_type == ASTType.Rule:
                mine.insert(0, tag)
                line -= 1
            else:
                self._problem(tag, "this tag stands above no rule; put it on the line directly above the rule it means")
        return mine

    def _rule(self, rule: AST, tags: list[AST]) -> None:
        name = _head_name(rule.head)
        in_core = rule.location.begin.filename == self.core
        if name is not None:
            self.heads.setdefault((name, _first_argument(rule.head)), place_of(rule))
        if name is None:
            self._problem(rule, _why_no_head(rule))
        elif (arity := _arity(rule.head)) not in self.arities.get(name, {arity}):
            known = " or ".join(f"{name}/{n}" for n in sorted(self.arities[name]))
            self._problem(rule, f"{name}/{arity} is not in the vocabulary of core.lp; expected {known}")
        elif name in GIVEN and not in_core:
            self._problem(rule, f"{name} is given by the checker; a rulebook cannot derive it")
        elif not tags:
            if name in GAME_HEADS:
                self._problem(
                    rule, f"this rule of the game ({name}) names no clause; expected a line `%@ <clause id>` above it"
                )
            elif rule.head.ast_type == ASTType.Aggregate:
                self._problem(rule, "an open outcome must name its clause; expected a line `%@ <clause id>` above it")
            else:
                self.program.append((None, rule))
        else:
            source = self._source(rule, tags)
            self.program += [(source.id, node) for node in self._rewrite(rule, source)]

    def _source(self, rule: AST, tags: list[AST]) -> RuleSource:
        clauses: list[str] = []
        assumption: str | None = None
        for tag in tags:
            text = str(tag)[2:].strip()
            if text.startswith("model:"):
                assumption = text.removeprefix("model:").strip()
                if not assumption:
                    self._problem(tag, "`%@ model:` lacks its reason")
            elif not text:
                self._problem(tag, "this tag names no clause")
            else:
                clauses += [part.strip() for part in text.split(",")]
        place = place_of(rule)
        source = RuleSource(
            len(self.sources), place.file, place.line, place.column, self._text(rule), tuple(clauses), assumption
        )
        self.sources.append(source)
        return source

    def _text(self, node: AST) -> str:
        """The statement as its author wrote it."""
        begin, end = node.location.begin, node.location.end
        if begin.filename not in self.lines:
            self.lines[begin.filename] = Path(begin.filename).read_text(encoding="utf-8").splitlines()
        lines = list(self.lines[begin.filename][begin.line - 1 : end.line])
        lines[-1] = lines[-1].encode()[: end.column - 1].decode() if len(lines) > 1 else lines[-1]
        if len(lines) == 1:
            lines[0] = lines[0].encode()[: end.column - 1].decode()
        lines[0] = lines[0].encode()[begin.column - 1 :].decode()
        return "\n".join(lines)

    def _rewrite(self, rule: AST, source: RuleSource) -> Iterator[AST]:
        loc = rule.location
        ident = ast.SymbolicTerm(loc, Number(source.id))
        vars_ = ast.Function(loc, "", [ast.Variable(loc, v) for v in global_variables(rule)], 0)
        fired = _atom(loc, "fired", [ident, vars_])
        yield ast.Rule(loc, fired, rule.body)
        if rule.head.ast_type == ASTType.Literal:
            yield ast.Rule(loc, rule.head, [fired])
            return
        self.choosing.add(source.id)
        # Fresh variables for the effect: a pool in it, such as (yes; no), must not multiply.
        pair = [ast.Variable(loc, "Fluent_"), ast.Variable(loc, "Value_")]
        option, chosen = (_atom(loc, name, [ident, vars_, *pair]) for name in ("option", "chosen"))
        for element in rule.head.elements:
            effect = element.literal.atom.symbol.arguments
            yield ast.Rule(loc, _atom(loc, "option", [ident, vars_, *effect]), [fired, *element.condition])
        yield ast.External(loc, chosen.atom, [option], ast.SymbolicTerm(loc, Function("false")))
        yield ast.Rule(loc, _atom(loc, "set", pair), [option, chosen])


def place_of(node: AST) -> Position:
    """Return where a statement begins in its file."""
    begin = node.location.begin
    return Position(display(Path(begin.filename)), begin.line, begin.column)


def _short(text: str) -> str:
    return text if len(text) <= 60 else text[:57] + "..."


def _atom(loc: ast.Location, name: str, arguments: Sequence[AST]) -> AST:
    return ast.Literal(loc, ast.Sign.NoSign, ast.SymbolicAtom(ast.Function(loc, name, arguments, 0)))


def _head_name(head: AST) -> str | None:
    """Return the predicate a head derives, or None where a rulebook may not have such a head."""
    if head.ast_type == ASTType.Literal:
        if head.sign == ast.Sign.NoSign and head.atom.ast_type == ASTType.SymbolicAtom:
            symbol = _one_of(head.atom.symbol)
            return symbol.name if symbol.ast_type == ASTType.Function else None
        return None
    if head.ast_type != ASTType.Aggregate or not _chooses_one(head):
        return None
    names = {_head_name(element.literal) for element in head.elements}
    pools = any(element.literal.atom.symbol.ast_type == ASTType.Pool for element in head.elements if names == {"set"})
    return "set" if names == {"set"} and not pools else None


def _one_of(symbol: AST) -> AST:
    """Return an atom, or the first of a pool of them such as lamp(red; blue), which all have one name."""
    return symbol.arguments[0] if symbol.ast_type == ASTType.Pool else symbol


def _arity(head: AST) -> int:
    """Return the number of arguments of a head's atom."""
    if head.ast_type == ASTType.Aggregate:
        head = head.elements[0].literal
    return len(_one_of(head.atom.symbol).arguments)


def _first_argument(head: AST) -> str | None:
    """Return the name of the first argument of a head's atom, such as equip in possible(equip(G, U))."""
    if head.ast_type == ASTType.Aggregate:
        head = head.elements[0].literal
    arguments = _one_of(head.atom.symbol).arguments
    if not arguments or arguments[0].ast_type not in (ASTType.Function, ASTType.SymbolicTerm):
        return None
    return str(arguments[0]).split("(")[0]


def _chooses_one(head: AST) -> bool:
    """Whether a choice head says `= 1` (or `1 { } 1`)."""
    guards = [g for g in (head.left_guard, head.right_guard) if g is not None]
    one = all(str(g.term) == "1" for g in guards)
    kinds = sorted(g.comparison for g in guards)
    equal, at_most = int(ast.ComparisonOperator.Equal), int(ast.ComparisonOperator.LessEqual)
    return one and kinds in ([equal], [at_most, at_most])


def _why_no_head(rule: AST) -> str:
    if str(rule.head) == "#false":
        return "an integrity constraint has no place in a rulebook; derive violated(property) instead"
    if rule.head.ast_type == ASTType.Aggregate:
        return "the only choice a rulebook has is an open outcome: { set(F, V) : condition } = 1 :- body"
    return f"`{_short(str(rule.head))}` cannot be the head of a rule; expected one atom or an open outcome"


def global_variables(rule: AST) -> list[str]:
    """The variables of a rule that are not local to an aggregate or a condition, in order of appearance."""
    names: dict[str, None] = {}
    for part in (*rule.body, rule.head):
        for node in _global_parts(part):
            names.update(dict.fromkeys(_variables(node)))
    return [name for name in names if name != "_"]


def _global_parts(node: AST) -> Iterator[AST]:
    if node.ast_type == ASTType.ConditionalLiteral:
        return
    if node.ast_type == ASTType.Literal and node.atom.ast_type in (ASTType.Aggregate, ASTType.BodyAggregate):
        node = node.atom
    if node.ast_type in (ASTType.Aggregate, ASTType.BodyAggregate):
        yield from (g.term for g in (node.left_guard, node.right_guard) if g is not None)
    else:
        yield node


def _variables(node: AST) -> Iterator[str]:
    if node.ast_type == ASTType.Variable:
        yield node.name
        return
    for child in children(node):
        yield from _variables(child)


def children(node: AST) -> Iterator[AST]:
    """Yield the nodes directly below one of clingo's syntax tree."""
    for key in node.child_keys:
        child = getattr(node, key)
        yield from (c for c in (child if isinstance(child, ast.ASTSequence) else [child]) if isinstance(c, AST))
