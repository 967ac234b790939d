"""Where the shipped rulebooks are, beside the package in a checkout, inside it in a wheel; and where results can go."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryFile

from checker.errors import InputError, Position

PACKAGE = Path(__file__).resolve().parent


def data_root() -> Path:
    """Return the folder that holds `models/` and `encodings/`."""
    shipped = PACKAGE / "_data"
    return shipped if shipped.is_dir() else PACKAGE.parent


def models() -> Path:
    """Return the folder of the shipped rulebooks."""
    return data_root() / "models"


def encodings() -> Path:
    """Return the folder of the shipped encodings."""
    return data_root() / "encodings"


def display(path: Path) -> str:
    """Say a path relative to the working folder or the data root where that is shorter."""
    resolved = path.resolve()
    for base in (Path.cwd(), data_root()):
        if resolved.is_relative_to(base):
            return resolved.relative_to(base).as_posix()
    return resolved.as_posix()


def require_writable(folder: Path, what: str) -> None:
    """Refuse a folder to which `what` could not be written, before any work is done.

    Raises:
        InputError: it cannot be made, or no file can be made in it.

    """
    try:
        there = next(path for path in (folder, *folder.absolute().parents) if path.exists())
        with TemporaryFile(dir=there):
            pass
    except OSError as error:
        raise InputError(f"cannot write {what}: {error.strerror}", Position(display(folder))) from None
