"""Where the shipped rulebooks are: beside the package in a checkout, inside it in a wheel."""

from __future__ import annotations

from pathlib import Path

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
