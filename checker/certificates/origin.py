"""Where a certificate's rules come from: named so that another machine can build them again."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from checker.certificates.invariant import CertificateError
from checker.paths import display, encodings, models
from checker.pipeline import load_system
from checker.rulebook.load import load_board, load_rulebook
from checker.rulebook.model import Board, Rulebook
from checker.system.model import TransitionSystem

_INCLUDE = re.compile(r'^#include\s+"([^"]+)"', re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Origin:
    """A rulebook (`name@version`), a board by name or file, and the value of every reading."""

    rulebook: str
    board: str
    readings: tuple[tuple[str, str], ...]

    def build(self) -> Built:
        """Build the ground rules, with all properties of the rulebook, and read the files they come from.

        Raises:
            InputError: the files are not there, or wrong.

        """
        book = load_rulebook(self.rulebook)
        board = load_board(book, self.board)
        core = encodings() / "asp" / "core.lp"
        files = {f"rulebook/{path.relative_to(book.folder).as_posix()}": path for path in _tables(book)}
        files |= {f"rules/{_place(path, book)}": path for path in _rules(core, book.encoding)}
        inputs = {name: path.read_bytes() for name, path in (files | {"board": board.path}).items()}
        usual = book.choose(board, {})
        unusual = tuple(f"{name}={value}" for name, value in self.readings if value != usual.get(name))
        return Built(load_system(self.rulebook, self.board, dict(self.readings)), inputs, unusual)


@dataclass(frozen=True, slots=True)
class Built:
    """Ground rules, and the contents of their files by a name that is no one machine's.

    unusual: the readings other than those of the board.
    """

    system: TransitionSystem
    inputs: Mapping[str, bytes]
    unusual: tuple[str, ...]


def origin_of(book: Rulebook, board: Board, readings: Mapping[str, str]) -> Origin:
    """Return the origin of a rulebook on a board under all chosen `readings`."""
    own = board.path.resolve().parent == book.folder.resolve() / "boards"
    return Origin(name_of(book), board.name if own else display(board.path), tuple(readings.items()))


def name_of(book: Rulebook) -> str:
    """Return `name@version` as `load_rulebook` takes it, without this machine's folders for a shipped one."""
    folder, shipped = book.folder.resolve(), models().resolve()
    name = folder.relative_to(shipped).as_posix() if folder.is_relative_to(shipped) else display(folder)
    return f"{name}@{book.version.name}"


def to_manifest(origin: Origin) -> dict[str, Any]:
    """Return an origin as a manifest says it."""
    return {"rulebook": origin.rulebook, "board": origin.board, "readings": dict(origin.readings)}


def from_manifest(data: object) -> Origin:
    """Read an origin back.

    Raises:
        CertificateError: it is none.

    """
    match data:
        case {"rulebook": str(rulebook), "board": str(board), "readings": dict(readings)}:
            return Origin(rulebook, board, tuple((str(key), str(value)) for key, value in readings.items()))
    raise CertificateError("the manifest does not say which rulebook and board it is about")


def _tables(book: Rulebook) -> Iterator[Path]:
    """Yield the TOML files the rules read, a board apart."""
    yield from (book.path, book.version.path)
    yield from sorted((book.folder / "cards").glob("*.toml"))


def _place(path: Path, book: Rulebook) -> str:
    """Return a rule file's name beside its like, wherever they are."""
    for base in (encodings().resolve(), book.folder.resolve()):
        if path.is_relative_to(base):
            return path.relative_to(base).as_posix()
    return path.name


def _rules(*files: Path) -> Iterator[Path]:
    """Yield rule files with everything they include, each once."""
    waiting, seen = list(files), set()
    while waiting:
        path = waiting.pop().resolve()
        if path not in seen:
            seen.add(path)
            yield path
            waiting += [path.parent / name for name in _INCLUDE.findall(path.read_text(encoding="utf-8"))]
