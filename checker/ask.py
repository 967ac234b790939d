"""Find a reachable board with some literals, and the game that leads there."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from time import monotonic

import click

from checker.check import check_board
from checker.engines.protocol import Holds, Unknown
from checker.errors import InputError, closest
from checker.pipeline import read_rules
from checker.progress import reporter
from checker.query import ASK, bindings, constants, names_in, printed, with_query
from checker.report.model import FORMAT, Document
from checker.report.render import render
from checker.report.summary import collect, summarise
from checker.report.words import Words
from checker.rulebook.load import load_board, load_rulebook
from checker.rulebook.vocabulary import declared, faults
from checker.run import Request, chosen_boards, run_facts


def run_ask(request: Request, query: str) -> int:
    """Look for a board that satisfies `query`, smallest boards first; 0 if one is reachable, 1 if none is.

    Raises:
        InputError: the query or a file is wrong.

    """
    assert request.rulebook is not None, "the command line requires a rulebook"
    start, began = monotonic(), datetime.now(UTC)
    book = load_rulebook(request.rulebook)
    rules = read_rules(book)
    encoding = with_query(rules, query)
    for fault in faults(declared(rules), book.readings, printed(query)):
        raise InputError(f"the query `{query}`: {fault}")
    undecided, looked, named = False, 0, set[str]()
    for board in sorted((load_board(book, n) for n in chosen_boards(book, request)), key=lambda b: len(b.objects)):
        result = check_board(
            book, encoding, board, request.readings, [ASK], request.engine, request.limits, reporter(board.name)
        )
        answer, trace = result.judged[0].answer, result.judged[0].trace
        report = summarise(result, request.language)
        undecided = undecided or isinstance(answer, Unknown)
        if isinstance(answer, Holds) and trace is not None:
            say = Words(book, board, request.language).term
            ways = bindings(query, trace.symbols(result.system, len(trace.boards) - 1), say)
            report = replace(report, properties=(replace(report.properties[0], culprits=ways),))
        if isinstance(answer, Holds):
            told = collect(book, [report], request.language, whole=False)
            document = Document(FORMAT, request.language, (told,), run_facts(began, monotonic() - start))
            click.echo(render(document, "text"), nl=False)
            return 0
        looked += 1
        named.update(constants(result.system))
    unknown = sorted(names_in(query) - named)
    if unknown and not undecided:
        raise InputError(f'nothing on the boards is called "{unknown[0]}"; {closest(unknown[0], sorted(named))}')
    click.echo(f"{'Undecided' if undecided else 'No'}: {query}")
    click.echo(
        f"{'Not found' if undecided else 'On no reachable board'} of the {looked} boards of {book.name} looked at."
    )
    return 3 if undecided else 1
