"""The two sides of a comparison, loaded once: a game's rules on a board, and its first-order encoding."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from checker.equivalence.compare import Compared, compare
from checker.equivalence.shared import load_shared
from checker.firstorder.examine import switches
from checker.firstorder.theory import Theory, load_theory, theory_of
from checker.paths import encodings
from checker.pipeline import read_rules, system_of
from checker.rulebook.load import load_board, load_rulebook
from checker.system.model import TransitionSystem


def folder_of(game: str) -> Path:
    """Return where a game's first-order encoding is."""
    return encodings() / "smt" / game.partition("@")[0]


@cache
def rules(game: str, board: str, slips: str = "", reading: str = "") -> tuple[TransitionSystem, Mapping[str, bool]]:
    """Load rules on a board, with more of them laid over, and the switches for its readings and perhaps one more."""
    book = load_rulebook(game)
    layout = load_board(book, str(folder_of(game) / "boards" / f"{board}.toml"))
    chosen = book.choose(layout, dict([reading.split("=")]) if reading else {})
    with TemporaryDirectory() as folder:
        more = Path(folder) / "slips.lp"
        more.write_text(slips)
        encoding = read_rules(book, [folder_of(game) / "shared.lp", more])
    system = system_of(book, encoding, layout, chosen, (), strict=False)
    return system, switches(shipped(game.partition("@")[0]), book.version.name, chosen)


@cache
def shipped(game: str) -> Theory:
    """Load a game's encoding."""
    return load_theory(folder_of(game))


@cache
def changed(game: str, *changes: tuple[str, str]) -> Theory:
    """Load a game's encoding with some places changed, each of which is there once."""
    text = "\n".join(path.read_text(encoding="utf-8") for path in sorted(folder_of(game).glob("*.smt2")))
    for old, new in changes:
        assert text.count(old) == 1, old
        text = text.replace(old, new)
    return theory_of(text)


def compared(
    system: tuple[TransitionSystem, Mapping[str, bool]], theory: Theory, *only: str, folder: Path
) -> list[Compared]:
    """Compare the steps whose name begins with one of `only`, all if there are none."""
    return list(compare(system[0], theory, load_shared(folder), system[1], theory.claims, only=only))
