"""A result as JUnit XML, as Jenkins and its relatives read it: a suite for each board.

There is no official specification. The document keeps to what the strictest reader takes (the schema of the
Jenkins plugin): `<properties>` only in a suite, no attribute on a test case but name and class.
"""

from __future__ import annotations

import re
from xml.etree import ElementTree as Xml

from checker.report.labels import Labels
from checker.report.model import BoardReport, Document, PropertyReport, RulebookReport
from checker.report.story import headline, story

FAILED = frozenset({"violated", "finding vanished"})
SKIPPED = frozenset({"unknown", "not on this board"})
"""Verdicts that are neither a pass nor a failure; the exit code of the run tells an unknown apart."""

UNFIT = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""Characters that XML 1.0 (section 2.2) does not allow."""


def to_junit(document: Document) -> str:
    """Return the verdicts as JUnit XML."""
    labels = Labels(document.language)
    suites = [_suite(book, board, labels) for book in document.rulebooks for board in book.boards]
    root = Xml.Element("testsuites", name="equipoise", time=f"{document.run.seconds:.3f}")
    for key in ("tests", "failures", "errors"):
        root.set(key, str(sum(int(suite.get(key, "0")) for suite in suites)))
    root.extend(suites)
    Xml.indent(root, " ")
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + Xml.tostring(root, encoding="unicode") + "\n"


def _suite(book: RulebookReport, board: BoardReport, labels: Labels) -> Xml.Element:
    statuses = [wanted.status for wanted in board.properties]
    suite = Xml.Element(
        "testsuite",
        name=_fit(f"{book.name} {book.version} {board.board}"),
        tests=str(len(statuses)),
        failures=str(sum(status in FAILED for status in statuses)),
        errors="0",
        skipped=str(sum(status in SKIPPED for status in statuses)),
        time=f"{board.seconds:.3f}",
    )
    facts = Xml.SubElement(suite, "properties")
    for name, value in (("rulebook", f"{book.name} {book.version}"), *board.readings):
        Xml.SubElement(facts, "property", name=_fit(name), value=_fit(value))
    for wanted in board.properties:
        suite.append(_case(f"{book.name}.{board.board}", board, wanted, labels))
    return suite


def _case(group: str, board: BoardReport, wanted: PropertyReport, labels: Labels) -> Xml.Element:
    case = Xml.Element("testcase", name=_fit(f"{wanted.name}: {wanted.title}"), classname=_fit(group))
    said = _fit(headline(wanted, board.board, labels))
    lines = _fit("\n".join(story(wanted, labels)))
    if wanted.status in FAILED:
        Xml.SubElement(case, "failure", message=said, type=wanted.kind).text = lines
    elif wanted.status in SKIPPED:
        Xml.SubElement(case, "skipped", message=said)
    else:
        finding = [wanted.finding] if wanted.finding else []
        Xml.SubElement(case, "system-out").text = _fit("\n".join([said, *finding, lines]).rstrip())
    return case


def _fit(text: str) -> str:
    """Return a text with what XML cannot hold replaced."""
    return UNFIT.sub("\N{REPLACEMENT CHARACTER}", text)
