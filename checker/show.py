"""Show the stages a rulebook goes through: facts, ground rules, variables, actions."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from itertools import chain

from checker.errors import InputError, counted
from checker.pipeline import read_rules, system_of
from checker.report.dot import to_dot
from checker.rulebook.facts import facts
from checker.rulebook.load import load_board, load_rulebook
from checker.rulebook.model import Rulebook
from checker.system.model import Literal, Rule, TransitionSystem


def show_stage(
    rulebook: str, board: str | None, stage: str, given: Mapping[str, str], echo: Callable[[str], object]
) -> None:
    """Print one stage, a line per item, or a sentence that there is none.

    Raises:
        InputError: the files are wrong, or there is no board to ground on.

    """
    book = load_rulebook(rulebook)
    where = book.name
    if stage in _OF_BOOK:
        lines = _OF_BOOK[stage](book)
    else:
        names = book.board_names()
        if board is None and not names:
            raise InputError(f"{book.name} has no board; name one with --board")
        layout = load_board(book, board or names[0])
        readings = book.choose(layout, given)
        where = f"{book.name} on the board {layout.name}"
        if stage == "facts":
            lines = (f"{fact}." for fact in sorted(facts(book, layout, readings)))
        else:
            lines = _OF_SYSTEM[stage](system_of(book, read_rules(book), layout, readings, book.properties))
    for line in chain([next(lines, f"{where} has no {stage}")], lines):
        echo(line)


def _readings(book: Rulebook) -> Iterator[str]:
    for r in book.readings.values():
        default = book.version.readings.get(r.name, r.default)
        values = ", ".join(f"[{v}]" if v == default else v for v in r.values)
        tension = f" ({r.tension})" if r.tension else ""
        yield f"{r.name}{tension}: {values}\n    {r.question['en']}"


def _boards(book: Rulebook) -> Iterator[str]:
    for name in book.board_names():
        yield f"{name}: {load_board(book, name).purpose['en']}"


def _properties(book: Rulebook) -> Iterator[str]:
    for p in book.properties:
        yield f"{p.name} ({p.kind.value}): {p.title['en']} [{', '.join(p.clauses)}]"


def _variables(system: TransitionSystem) -> Iterator[str]:
    for v in system.variables:
        start = ", ".join(str(v.domain[i]) for i in v.initial)
        yield f"{v.name}: {v.bits} bits, {{{', '.join(map(str, v.domain))}}}, starts at {start}"
    yield f"{len(system.variables)} variables, {system.bits} bits"


def _actions(system: TransitionSystem) -> Iterator[str]:
    for a in system.actions:
        deciders = ", ".join(str(who) if when is None else f"{who} if {system.atoms[when]}" for who, when in a.by)
        notes = [] if a.possible else ["never possible"]
        notes += ["may be forced"] if a.forced else []
        yield f"{a.name} by {deciders}" + (f" ({', '.join(notes)})" if notes else "")
    yield counted(len(system.actions), "action")


def _rules(system: TransitionSystem) -> Iterator[str]:
    for rule in system.rules():
        yield f"{say_rule(system, rule)}{_clauses(system, rule)}"


def _clauses(system: TransitionSystem, rule: Rule) -> str:
    if rule.head not in system.fired:
        return ""
    source = system.sources[system.fired[rule.head]]
    means = ", ".join(source.clauses) or f"model: {source.assumption}"
    return f"   % {means} ({source.file}:{source.line})"


def say_rule(system: TransitionSystem, rule: Rule) -> str:
    """Return a ground rule as text, auxiliary atoms as x<number>."""

    def say(lit: Literal) -> str:
        symbol = system.atoms[abs(lit)]
        return ("not " if lit < 0 else "") + (str(symbol) if symbol is not None else f"x{abs(lit)}")

    if rule.weights:
        parts = (f"{w} : {say(b)}" for w, b in zip(rule.weights, rule.body, strict=True))
        return f"{say(rule.head)} :- {rule.bound} <= #sum{{ {'; '.join(parts)} }}."
    return f"{say(rule.head)} :- {', '.join(map(say, rule.body))}." if rule.body else f"{say(rule.head)}."


_OF_BOOK: Mapping[str, Callable[[Rulebook], Iterator[str]]] = {
    "readings": _readings,
    "boards": _boards,
    "properties": _properties,
}
_OF_SYSTEM: Mapping[str, Callable[[TransitionSystem], Iterator[str]]] = {
    "variables": _variables,
    "actions": _actions,
    "rules": _rules,
    "graph": to_dot,
}
