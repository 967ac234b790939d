"""What a rulebook's files must agree on, beyond what each says alone."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from difflib import get_close_matches
from types import MappingProxyType

from clingo.ast import AST, ASTType

from checker.errors import Position, Problem, closest
from checker.rulebook.encoding import Encoding, children, place_of
from checker.rulebook.model import Board, Rulebook
from checker.rulebook.toml import position
from checker.system.model import Kind

NEEDS_RULE: Mapping[Kind, str] = MappingProxyType(
    {
        Kind.INVARIANT: "violated",
        Kind.STEP: "violated",
        Kind.SOMETIMES: "reached",
        Kind.DETERMINISM: "resolution",
        Kind.RESPONSE: "pending",
    }
)
"""The predicate that says what a property of a kind asks; other kinds need no rule."""


NEARLY = 0.8
"""How alike, from 0 to 1, a name must be to one that the checker reads to be taken for a slip of it."""


def differences_of_force(book: Rulebook) -> Iterator[str]:
    """Yield the clauses that one language states more strongly than another, and the readings that are about them."""
    for clause in book.version.clauses.values():
        if len(set(clause.force.values())) > 1:
            said = ", ".join(f"{language} says {force}" for language, force in clause.force.items())
            about = [r.name for r in book.readings.values() if clause.id in map(book.version.number, r.clauses)]
            switch = f"reading {', '.join(about)}" if about else "no reading is about it"
            yield f"{book.name} {book.version.name}: clause {clause.id} differs in force: {said}; {switch}"


def purpose_problems(book: Rulebook, board: Board) -> Iterator[Problem]:
    """Yield a board that does not say in every language of its rulebook what it is for."""
    missing = [language for language in book.languages if language not in board.purpose.languages]
    if missing:
        where = position(board.path, ["purpose"])
        yield Problem(f"purpose lacks {', '.join(missing)}, of the rulebook's languages", where)


def property_problems(book: Rulebook, encoding: Encoding) -> Iterator[Problem]:
    """Yield properties that rules name but rulebook.toml lacks, and properties that no rule defines."""
    names = {p.name for p in book.properties}
    for (head, first), place in encoding.heads.items():
        if head in {*NEEDS_RULE.values(), "answered"} and first is not None and first not in names:
            yield Problem(f'{head} names a property "{first}" that rulebook.toml does not have', place)
    for index, wanted in enumerate(book.properties):
        predicate = NEEDS_RULE.get(wanted.kind, "")
        if predicate and not {(predicate, wanted.name), (predicate, None)} & set(encoding.heads):
            yield Problem(
                f'no rule derives {predicate}({wanted.name}), so property "{wanted.name}" of kind '
                f"{wanted.kind.value} says nothing",
                position(book.path, ["properties", index]),
            )


def clause_problems(book: Rulebook, encoding: Encoding) -> Iterator[Problem]:
    """Yield every clause id that is named but not written."""
    known = list(book.version.clauses)
    for source in encoding.sources:
        for clause in source.clauses:
            if clause not in book.version.clauses:
                message = f'unknown clause "{clause}" in version {book.version.name}; {nearest_clause(clause, known)}'
                yield Problem(message, Position(source.file, source.line, source.column))
    yield from _named_elsewhere(book, known)


def status_problems(book: Rulebook, encoding: Encoding) -> Iterator[Problem]:
    """Yield every status of a clause that the rules belie; a check goes on in spite of them."""
    for source in encoding.sources:
        place = Position(source.file, source.line, source.column)
        for clause in source.clauses:
            written = book.version.clauses[clause]
            if written.status != "encoded":
                yield Problem(
                    f"a rule means clause {clause}, whose status is {written.status}; expected encoded", place
                )
    for clause in untagged(book, encoding):
        place = position(book.version.path, [clause, "status"])
        yield Problem(f"clause {clause} is said to be encoded, but no rule is tagged with it", place)


def unread_problems(encoding: Encoding) -> Iterator[Problem]:
    """Yield predicates that no rule reads and whose name is nearly one that the checker reads, as `posible`.

    Others that no rule reads are left alone: rulings and queries may.
    """
    rules = [node for node in encoding.program if node.ast_type == ASTType.Rule]
    read = {name for rule in rules for name in signatures(*rule.body)}
    words = {(node.name, node.arity) for node in encoding.program if node.ast_type == ASTType.Defined}
    for rule in rules:
        for name, arity in signatures(rule.head):
            near = get_close_matches(name, [word for word, size in words if size == arity], n=1, cutoff=NEARLY)
            if near and (name, arity) not in read | words:
                said = f'no rule reads {name}/{arity}, and the checker does not; did you mean "{near[0]}"?'
                yield Problem(said, place_of(rule))


def signatures(*nodes: AST) -> Iterator[tuple[str, int]]:
    """Yield each predicate of some literals, with how many arguments it has."""
    for node in nodes:
        if node.ast_type == ASTType.SymbolicAtom and node.symbol.ast_type == ASTType.Function:
            yield node.symbol.name, len(node.symbol.arguments)
        yield from signatures(*children(node))


def untagged(book: Rulebook, encoding: Encoding) -> tuple[str, ...]:
    """Return the clauses that are said to be encoded, but that no rule is tagged with."""
    tagged = {clause for source in encoding.sources for clause in source.clauses}
    written = book.version.clauses.values()
    return tuple(clause.id for clause in written if clause.status == "encoded" and clause.id not in tagged)


def _named_elsewhere(book: Rulebook, known: list[str]) -> Iterator[Problem]:
    for index, wanted in enumerate(book.properties):
        for clause in wanted.clauses:
            if _missing(book, clause):
                place = position(book.path, ["properties", index, "clauses"])
                yield Problem(f'unknown clause "{clause}"; {nearest_clause(clause, known)}', place)
    for reading in book.readings.values():
        for clause in reading.clauses:
            if _missing(book, clause):
                place = position(book.path, ["readings", reading.name, "clauses"])
                yield Problem(f'unknown clause "{clause}"; {nearest_clause(clause, known)}', place)


def _missing(book: Rulebook, clause: str) -> bool:
    number = book.version.number(clause)
    return number is not None and number not in book.version.clauses


def nearest_clause(clause: str, known: list[str]) -> str:
    """Name the clause that was probably meant, or the nearest heading; there are too many to list."""
    guess = closest(clause, known)
    return guess if guess.startswith("did") else "expected the number of a clause in the version's clause file"
