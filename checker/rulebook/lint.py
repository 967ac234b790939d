"""What a rulebook's files must agree on, beyond what each says alone."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import MappingProxyType

from checker.errors import Position, Problem, closest
from checker.rulebook.encoding import Encoding
from checker.rulebook.model import Rulebook
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


def differences_of_force(book: Rulebook) -> Iterator[str]:
    """Yield the clauses that one language states more strongly than another, as the clause file records it."""
    for clause in book.version.clauses.values():
        if len(set(clause.force.values())) > 1:
            said = ", ".join(f"{language} says {force}" for language, force in clause.force.items())
            yield f"{book.name} {book.version.name}: clause {clause.id} differs in force: {said}"


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
                message = f'unknown clause "{clause}" in version {book.version.name}; {_near(clause, known)}'
                yield Problem(message, Position(source.file, source.line, source.column))
    yield from _named_elsewhere(book, known)


def status_problems(book: Rulebook, encoding: Encoding) -> Iterator[Problem]:
    """Yield every status of a clause that the rules belie; a check goes on in spite of them."""
    tagged: set[str] = set()
    for source in encoding.sources:
        place = Position(source.file, source.line, source.column)
        for clause in source.clauses:
            tagged.add(clause)
            written = book.version.clauses[clause]
            if written.status != "encoded":
                yield Problem(
                    f"a rule means clause {clause}, whose status is {written.status}; expected encoded", place
                )
    for written in book.version.clauses.values():
        if written.status == "encoded" and written.id not in tagged:
            place = position(book.version.path, [written.id, "status"])
            yield Problem(f"clause {written.id} is said to be encoded, but no rule is tagged with it", place)


def _named_elsewhere(book: Rulebook, known: list[str]) -> Iterator[Problem]:
    for index, wanted in enumerate(book.properties):
        for clause in wanted.clauses:
            if _missing(book, clause):
                place = position(book.path, ["properties", index, "clauses"])
                yield Problem(f'unknown clause "{clause}"; {_near(clause, known)}', place)
    for reading in book.readings.values():
        for clause in reading.clauses:
            if _missing(book, clause):
                place = position(book.path, ["readings", reading.name, "clauses"])
                yield Problem(f'unknown clause "{clause}"; {_near(clause, known)}', place)


def _missing(book: Rulebook, clause: str) -> bool:
    number = book.version.number(clause)
    return number is not None and number not in book.version.clauses


def _near(clause: str, known: list[str]) -> str:
    """Name the clause that was probably meant, or the nearest heading; there are too many to list."""
    guess = closest(clause, known)
    return guess if guess.startswith("did") else "expected the number of a clause in the version's clause file"
