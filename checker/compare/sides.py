"""What is compared: `rulebook@version`, a folder, either with readings chosen, or a git revision of it."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from tempfile import TemporaryDirectory

from checker.errors import InputError, Problem
from checker.paths import display, models
from checker.pipeline import read_rules, system_of
from checker.rulebook.canonical import Canonical, canonical
from checker.rulebook.encoding import Encoding
from checker.rulebook.facts import facts
from checker.rulebook.load import load_board, load_rulebook, split_version
from checker.rulebook.model import Board, Property, Rulebook, Text
from checker.system.model import TransitionSystem

WORKTREE = "the working tree"
"""What the right side of `REV..` is called."""

OF_A_HOOK = frozenset({"GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_PREFIX", "GIT_COMMON_DIR"})
"""Where git tells a hook to find the repository: a worktree made with these would empty the user's own index."""


@dataclass(frozen=True, slots=True)
class Side:
    """A rulebook to compare; plain values, so that it crosses processes.

    title: what the user called it. rulebook: as `load_rulebook` takes it. given: the readings chosen.
    encoding: its rules, where they are not those `load_rulebook` finds.
    """

    title: str
    rulebook: str
    given: tuple[tuple[str, str], ...] = ()
    encoding: str | None = None


@dataclass(frozen=True, slots=True)
class Opened:
    """A side, loaded; `rules` is what its encoding says."""

    side: Side
    book: Rulebook
    encoding: Encoding
    rules: Canonical

    def board(self, where: str) -> Board:
        """Return a board with the side's readings chosen.

        Raises:
            InputError: there is no such board, or it does not fit the rulebook.

        """
        board = load_board(self.book, where)
        return replace(board, readings=dict(board.readings) | dict(self.side.given))

    def says(self, board: Board) -> object:
        """Return all that a board's ground rules are made of: the same for two sides, the same rules."""
        return self.rules.texts, facts(self.book, board, self.book.choose(board, {})), self.book.properties

    def system(self, board: Board, goals: tuple[Property, ...] | None = None) -> TransitionSystem:
        """Ground the rules on a board; with all properties unless others are given."""
        asked = self.book.properties if goals is None else goals
        return system_of(self.book, self.encoding, board, self.book.choose(board, {}), asked)


def opened(side: Side) -> Opened:
    """Load a side; its readings hold on every board that does not choose for itself.

    Raises:
        InputError: a file is wrong, or a reading is unknown.

    """
    book, encoding, rules = _read(side.rulebook, side.encoding)
    book = replace(book, version=replace(book.version, readings=dict(book.version.readings) | dict(side.given)))
    book.choose(Board("", book.path, Text({}), {}, {}, {}), {})
    return Opened(side, book, encoding, rules)


@lru_cache(maxsize=4)
def _read(rulebook: str, encoding: str | None) -> tuple[Rulebook, Encoding, Canonical]:
    """Read the files of a side, once in each process."""
    book = load_rulebook(rulebook)
    if encoding is not None:
        book = replace(book, encoding=Path(encoding))
    rules = read_rules(book)
    return book, rules, canonical(rules)


def parse(text: str) -> Side:
    """Read `NAME[@VERSION][+READING=VALUE ...]`.

    Raises:
        InputError: a choice after `+` has no `=`.

    """
    rulebook, *choices = text.split("+")
    given: dict[str, str] = {}
    for choice in choices:
        name, equals, value = choice.partition("=")
        if not equals:
            raise InputError(f'"+{choice}" in "{text}" is not +READING=VALUE')
        given[name.strip()] = value.strip()
    return Side(text, rulebook, tuple(sorted(given.items())))


@contextmanager
def revisions(text: str, span: str) -> Iterator[tuple[Side, Side]]:
    """Yield a rulebook at both ends of `REV..REV`, each checked out in a worktree of its own while it lasts.

    An empty right end is the working tree, an empty left one HEAD.

    Raises:
        InputError: the span has no `..`, the rulebook is in no git repository, or a revision is unknown.

    """
    first, dots, second = span.partition("..")
    if not dots or second.startswith("."):
        raise InputError(f'--git "{span}" is not REV..REV, such as main..HEAD or main..')
    side = parse(text)
    name, version = split_version(side.rulebook)
    folder = _folder(name)
    top = Path(_git(folder, "rev-parse", "--show-toplevel"))
    here = replace(side, title=f"{side.title} in {WORKTREE}", rulebook=_at(folder, version))
    with ExitStack() as stack:
        ends = []
        for revision in (first or "HEAD", second):
            if revision:
                base = stack.enter_context(_checked_out(top, revision))
                ends.append(_moved(side, folder, top, base, revision))
            else:
                ends.append(here)
        yield ends[0], ends[1]


def _moved(side: Side, folder: Path, top: Path, base: Path, revision: str) -> Side:
    """Return the side as it is in a worktree at `base`, rules included if they are in the same repository."""
    where = base / folder.relative_to(top)
    _, version = split_version(side.rulebook)
    if not (where / "rulebook.toml").is_file():
        raise InputError(f"{folder.relative_to(top).as_posix()} has no rulebook.toml at {revision}")
    moved = replace(side, title=f"{side.title} at {revision}", rulebook=_at(where, version))
    rules = load_rulebook(moved.rulebook).encoding.resolve()
    if rules.is_relative_to(base) or not rules.is_relative_to(top):
        return moved
    own = base / rules.relative_to(top)
    if not own.is_file():
        raise InputError(f"{rules.relative_to(top).as_posix()}, which its rulebook names, is not there at {revision}")
    return replace(moved, encoding=str(own))


def _at(folder: Path, version: str) -> str:
    return f"{folder}@{version}" if version else str(folder)


@contextmanager
def _checked_out(top: Path, revision: str) -> Iterator[Path]:
    """Yield a worktree at a revision, for as long as it is looked at.

    Raises:
        InputError: there is no such revision, or a file in it is wrong, which is said with the revision.

    """
    commit = _commit(top, revision)
    with TemporaryDirectory(prefix="equipoise-", ignore_cleanup_errors=True) as folder:
        place = Path(folder).resolve() / "tree"
        _git(top, "worktree", "add", "--detach", "--quiet", str(place), commit)
        try:
            yield place
        except InputError as error:
            raise InputError([_as_of(problem, place, revision) for problem in error.problems]) from None
        finally:
            _git(top, "worktree", "remove", "--force", str(place))


def _commit(top: Path, revision: str) -> str:
    """Return the commit that a revision names.

    Raises:
        InputError: there is none.

    """
    try:
        return _git(top, "rev-parse", "--verify", "--quiet", "--end-of-options", f"{revision}^{{commit}}")
    except InputError:
        raise InputError(f'there is no revision "{revision}" in {display(top)}') from None


def _as_of(problem: Problem, place: Path, revision: str) -> Problem:
    """Return a problem with a file of a worktree as `REV:FILE`, as git has it."""
    where, said = problem.position, problem.message.replace(f"{place}/", f"{revision}:")
    if where is not None and Path(where.file).is_relative_to(place):
        where = replace(where, file=f"{revision}:{Path(where.file).relative_to(place).as_posix()}")
    return replace(problem, message=said, position=where)


def _folder(name: str) -> Path:
    """Return the folder of a rulebook given by name, folder or file."""
    for base in (Path(name), models() / name):
        if (base / "rulebook.toml").is_file():
            return base.resolve()
        if base.is_file():
            return base.resolve().parent
    return load_rulebook(name).folder.resolve()


def _git(folder: Path, *arguments: str) -> str:
    """Run git in a folder, without the user's hooks, and without what git tells the hook that runs this."""
    command = ["git", "-c", f"core.hooksPath={os.devnull}", "-C", str(folder), *arguments]
    environment = {name: value for name, value in os.environ.items() if name not in OF_A_HOOK}
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False, env=environment)
    except OSError as error:
        raise InputError(f"git cannot be run: {error}") from None
    if done.returncode:
        raise InputError(f"git {arguments[0]}: {done.stderr.strip() or 'failed'}")
    return done.stdout.strip()


def boards_of(left: Opened, right: Opened, wanted: tuple[str, ...]) -> list[tuple[str, str]]:
    """Return the boards to compare on: name and file, the right side's where both have one.

    Raises:
        InputError: neither side has a board that is asked for.

    """
    found = {
        name: str(side.book.folder / "boards" / f"{name}.toml")
        for side in (left, right)
        for name in side.book.board_names()
    }
    if not wanted:
        return sorted(found.items())
    return [
        (Path(name).stem, found[name] if name in found else str(load_board(right.book, name).path)) for name in wanted
    ]


def on_one_side(left: Opened, right: Opened) -> tuple[str, ...]:
    """Return the boards that only one side has, with which."""
    mine, yours = (set(side.book.board_names()) for side in (left, right))
    return tuple(f"{name} on the {'left' if name in mine else 'right'}" for name in sorted(mine ^ yours))


def titled(side: Opened) -> str:
    """Return what a side is called, with its version where it was not asked for and there are several."""
    book, (_, version) = side.book, split_version(side.side.rulebook)
    chosen = f" (version {book.version.name} of {', '.join(book.versions)})"
    return side.side.title + ("" if version or len(book.versions) < 2 else chosen)


def laid_otherwise(left: Opened, right: Opened, boards: Iterable[tuple[str, str]]) -> Iterator[tuple[str, str]]:
    """Yield the boards that the left side lays out otherwise than the files to compare on: name and file.

    Without them a change of the rules could hide behind a board that is cut down with it.
    """
    for name, file in boards:
        own = left.book.folder / "boards" / f"{name}.toml"
        if own.is_file() and str(own) != file and _layout(left, str(own)) != _layout(right, file):
            yield f"{name} (as the left lays it out)", str(own)


def _layout(side: Opened, file: str) -> object:
    """Return what a board's file says, None if it does not fit the side's rulebook."""
    try:
        board = load_board(side.book, file)
    except InputError:
        return None
    return board.readings, board.facts, board.objects
