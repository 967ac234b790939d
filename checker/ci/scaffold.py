"""Write a rulebook of one's own: a small game that passes every check, to be changed file by file."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from shlex import quote
from unicodedata import normalize

import click

from checker.errors import InputError

TEMPLATE = Path(__file__).with_name("template")


def run_new(folder: Path, game: str | None) -> int:
    """Write the rulebook and say what to do next; 0.

    Raises:
        InputError: a file is in the way, the name will not do, or a file cannot be written.

    """
    for path in write_rulebook(folder, folder.resolve().name if game is None else game):
        click.echo(f"wrote {path}")
    click.echo(
        f"\nTry: equipoise check {quote(str(folder))}\nThen change {folder / 'rules' / 'attach.lp'} and try again."
    )
    return 0


def write_rulebook(folder: Path, title: str) -> list[Path]:
    """Write the starting files of a game into a folder that has none of them.

    Args:
        folder: is made if it does not exist.
        title: what reports call the game; its name in files is made of it.

    Returns:
        The files written.

    Raises:
        InputError: a file is in the way (then nothing is written), or cannot be written.

    """
    name = identifier(title)
    texts = {
        folder / target: source.read_text("utf-8").replace("@NAME@", _toml(name)).replace("@TITLE@", _toml(title))
        for target, source in _template()
    }
    if folder.exists() and not folder.is_dir():
        raise InputError(f"{folder} is no folder; nothing was written")
    for path in texts:
        if path.exists():
            raise InputError(f"{path} is in the way; nothing was written")
    try:
        for path, text in texts.items():
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise InputError(f"cannot write {error.filename}: {error.strerror}") from None
    return list(texts)


def identifier(title: str) -> str:
    """Return a game's name as files and rules write it: Épées & Co becomes epees_co.

    Raises:
        InputError: nothing of the title is left, or it could not be shown.

    """
    plain = normalize("NFKD", title).encode("ascii", "ignore").decode()
    name = re.sub("[^a-z0-9]+", "_", plain.lower()).strip("_")
    if not re.match("[a-z]", name) or not title.isprintable():
        raise InputError(f'"{title}" is no name for a game; expected a letter first, such as --game "Hats and Heads"')
    return name


def _template() -> Iterator[tuple[Path, Path]]:
    """Yield every file to write, from the new folder, and the file it is made from."""
    for source in sorted(path for path in TEMPLATE.rglob("*") if path.is_file()):
        parts = source.relative_to(TEMPLATE).parts
        yield Path(*(part.replace("dot_", ".", 1) if part.startswith("dot_") else part for part in parts)), source


def _toml(text: str) -> str:
    """Return a text as TOML writes it; for printable characters JSON writes the same."""
    return json.dumps(text, ensure_ascii=False)
