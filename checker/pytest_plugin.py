"""A pytest plugin: each property on each board, and each game of a ruling, as a test.

`rulebook.toml`, `rulings/*.toml` beside one and `*.ruling.toml` are collected if they are named on the command line,
or everywhere with `--equipoise` or `equipoise = true` in the ini file; otherwise the plugin does nothing.
A board is checked once for all of its properties that are selected. With xdist use `--dist loadgroup`, which
keeps a board in one process; other ways of spreading are right too, and slower.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from checker.errors import EquipoiseError, InputError

if TYPE_CHECKING:
    from checker.ci.baseline import Accepted
    from checker.report.model import BoardReport, PropertyReport
    from checker.rulebook.model import Property, Rulebook
    from checker.rulings.model import Ruling

LANGUAGE = "en"


class NotAsExpectedError(Exception):
    """A property or a ruling fails; the message is the whole failure text."""


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the options and the keys of the ini file."""
    group = parser.getgroup("equipoise", "rulebooks")
    group.addoption("--equipoise", action="store_true", help="collect rulebook.toml and rulings wherever they are")
    group.addoption("--equipoise-fresh", action="store_true", help="decide every property anew, and keep nothing")
    parser.addini("equipoise", "collect rulebook.toml and rulings wherever they are", type="bool", default=False)
    parser.addini("equipoise_baseline", "a file of violations that are accepted for now", default="")
    parser.addini(
        "equipoise_versions", "versions to check; the default version if none is named", type="args", default=[]
    )


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> pytest.Collector | None:
    """Collect a rulebook or a file of rulings, if asked to."""
    if file_path.suffix != ".toml":
        return None
    config = parent.config
    if not (parent.session.isinitpath(file_path) or config.getoption("equipoise") or config.getini("equipoise")):
        return None
    if file_path.name == "rulebook.toml":
        return RulebookFile.from_parent(parent, path=file_path)
    beside = file_path.parent.name == "rulings" and (file_path.parent.parent / "rulebook.toml").is_file()
    if beside or file_path.name.endswith(".ruling.toml"):
        return RulingFile.from_parent(parent, path=file_path)
    return None


class RulebookFile(pytest.File):
    """A rulebook: a collector for each board, under each version asked for."""

    def collect(self) -> Iterable[pytest.Collector]:
        """Return the boards.

        Raises:
            CollectError: a file of the rulebook or the baseline is wrong.

        """
        from checker.ci.baseline import load_baseline
        from checker.rulebook.load import load_rulebook

        versions = self.config.getini("equipoise_versions")
        baseline = self.config.getini("equipoise_baseline")
        try:
            names = [f"{self.path}@{version}" for version in versions] or [str(self.path)]
            books = [load_rulebook(name) for name in names]
            file = (self.config.inipath or self.config.rootpath / "pytest.ini").parent / baseline
            accepted = load_baseline(file, books, date.today()) if baseline else ()
        except InputError as error:
            raise self.CollectError(str(error)) from None
        return [
            BoardNode.from_parent(
                self,
                name=f"{board}@{book.version.name}" if versions else board,
                book=book,
                board=board,
                accepted=tuple(one for one in accepted if one.concerns(book)),
            )
            for book in books
            for board in book.board_names()
        ]


class BoardNode(pytest.Collector):
    """A board: a test for each property, all decided together."""

    def __init__(self, *, book: Rulebook, board: str, accepted: tuple[Accepted, ...], **rest: Any) -> None:
        super().__init__(**rest)
        self.book, self.board, self.accepted = book, board, accepted
        self.report: BoardReport | None = None

    def collect(self) -> Iterator[pytest.Item]:
        """Yield the properties."""
        for index, wanted in enumerate(self.book.properties):
            item = PropertyItem.from_parent(self, name=wanted.name, wanted=wanted, index=index)
            if self.config.pluginmanager.has_plugin("xdist"):
                item.add_marker(pytest.mark.xdist_group(self.nodeid))
            yield item

    def checked(self, name: str) -> PropertyReport:
        """Return what was found out about a property, after checking all that are selected on this board."""
        from checker.ci.baseline import accept
        from checker.engines.protocol import Limits
        from checker.run import Request, check_one
        from checker.store import default_path

        if self.report is None:
            selected = tuple(item.name for item in self.session.items if item.parent is self)
            store = None if self.config.getoption("equipoise_fresh") else default_path()
            rulebook = f"{self.book.path}@{self.book.version.name}"
            request = Request(rulebook, (self.board,), selected, "auto", {}, Limits(), 1, LANGUAGE, store=store)
            self.report = accept(check_one(request, self.board), self.accepted, LANGUAGE)
        return next(wanted for wanted in self.report.properties if wanted.name == name)


class _Item(pytest.Item):
    """A test whose failure text is the message alone, without a Python traceback."""

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], *rest: Any, **named: Any) -> Any:
        """Return the failure text."""
        if isinstance(excinfo.value, (NotAsExpectedError, EquipoiseError)):
            return str(excinfo.value)
        return super().repr_failure(excinfo, *rest, **named)


class PropertyItem(_Item):
    """A property on a board."""

    def __init__(self, *, wanted: Property, index: int, **rest: Any) -> None:
        super().__init__(**rest)
        self.wanted, self.index = wanted, index

    def runtest(self) -> None:
        """Hold the verdict against what is expected; a known finding is an expected failure.

        Raises:
            NotAsExpectedError: it is violated, undecided, or a known finding that has vanished.

        """
        from checker.check import Status
        from checker.report.labels import Labels
        from checker.report.story import headline, story

        node = self.parent
        assert isinstance(node, BoardNode)
        report, labels = node.checked(self.wanted.name), Labels(LANGUAGE)
        match Status(report.status):
            case Status.VIOLATED | Status.VANISHED | Status.UNKNOWN:
                told = story(report, labels)
                said = [headline(report, node.board, labels), *told, report.note]
                raise NotAsExpectedError("\n".join(filter(None, dict.fromkeys(said))))
            case Status.KNOWN:
                pytest.xfail(report.finding or report.title)
            case Status.ABSENT if report.dead:
                pytest.skip(headline(report, node.board, labels))

    def reportinfo(self) -> tuple[Path, int, str]:
        """Return where the property is asked, and its title."""
        from checker.rulebook.toml import position

        line = position(self.path, ["properties", self.index]).line
        return self.path, line - 1, f"{self.name}: {self.wanted.title[LANGUAGE]}"


class RulingFile(pytest.File):
    """A file of rulings; their rulebook is the nearest one above it."""

    def collect(self) -> Iterable[pytest.Item]:
        """Return a test for each game of each ruling, under each version it names.

        Raises:
            CollectError: there is no rulebook above, or a file is wrong.

        """
        from checker.rulebook.load import load_rulebook
        from checker.rulings.load import read_rulings

        above = (folder / "rulebook.toml" for folder in self.path.parents)
        found = next((path for path in above if path.is_file()), None)
        if found is None:
            raise self.CollectError(f"{self.path}: there is no rulebook.toml in a folder above these rulings")
        try:
            book = load_rulebook(str(found))
            return [
                RulingItem.from_parent(
                    self,
                    name=f"{ruling.id}[{'-'.join([version, *_readings(ruling, number)])}]",
                    rulebook=f"{found}@{version}",
                    ruling=replace(ruling, lines=(line,)),
                )
                for ruling in read_rulings(book, self.path)
                for version in ruling.versions
                for number, line in enumerate(ruling.lines)
            ]
        except InputError as error:
            raise self.CollectError(str(error)) from None


class RulingItem(_Item):
    """A game of a ruling under one version."""

    def __init__(self, *, rulebook: str, ruling: Ruling, **rest: Any) -> None:
        super().__init__(**rest)
        self.rulebook, self.ruling = rulebook, ruling

    def runtest(self) -> None:
        """Play the game.

        Raises:
            NotAsExpectedError: it does not go as ruled.
            InputError: the ruling names what is not there.

        """
        from checker.rulings.play import play
        from checker.rulings.report import failure_lines, headline
        from checker.run import opened

        (played,) = play(*opened(self.rulebook), [self.ruling])
        if played.failure is not None:
            raise NotAsExpectedError("\n".join([headline(played, LANGUAGE), *failure_lines(played)]))

    def reportinfo(self) -> tuple[Path, int, str]:
        """Return where the ruling stands, and its title."""
        from checker.rulebook.toml import position

        line = position(self.path, [self.ruling.id]).line
        return self.path, line - 1, f"{self.name}: {self.ruling.title[LANGUAGE]}"


def _readings(ruling: Ruling, number: int) -> list[str]:
    return [f"{name}={value}" for name, value in sorted(ruling.lines[number].readings.items())]
