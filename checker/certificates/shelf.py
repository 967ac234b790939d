"""A folder of certificates, with a list that says which ones belong to it."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from checker.certificates.folder import MANIFEST, digest, signed
from checker.certificates.invariant import CertificateError
from checker.errors import InputError

SHELF = "certificates.json"
FORMAT = "equipoise-certificates-1"


def require_room(folder: Path) -> None:
    """Refuse a folder that already holds something, so that nothing old is taken for a fresh proof.

    Raises:
        InputError: there is something in it, or it is no folder.

    """
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise InputError(f"certificates go into a new or an empty folder, which {folder} is not")


def write_list(folder: Path, written: Sequence[Path]) -> None:
    """Write the list of the certificates `written` into subfolders."""
    listed = {path.relative_to(folder).as_posix(): digest((path / MANIFEST).read_bytes()) for path in written}
    folder.mkdir(parents=True, exist_ok=True)
    (folder / SHELF).write_bytes(_text({"format": FORMAT, "certificates": listed}))


def certificates_in(folder: Path) -> list[Path]:
    """Return the certificates of a folder: those of its list, or itself if it is one.

    Raises:
        InputError: it is neither a list of certificates, of one at least, nor one itself.
        CertificateError: the list was changed, or a certificate is missing, changed or not on it.

    """
    if not (folder / SHELF).is_file():
        if not (folder / MANIFEST).is_file():
            raise InputError(f"{folder} is no certificate: it has neither {SHELF} nor {MANIFEST}")
        return [folder]
    listed = _read(folder / SHELF)
    if not listed:
        raise InputError(f"{folder} holds no certificate: none is in its list, {SHELF}")
    for name, expected in listed.items():
        manifest = folder / name / MANIFEST
        if not manifest.is_file():
            raise CertificateError(f"{name}/{MANIFEST} is missing")
        if digest(manifest.read_bytes()) != expected:
            raise CertificateError(f"{name}/{MANIFEST} was changed since it was written")
    known = {folder / name for name in listed}
    for path in sorted(folder.rglob("*")):
        if path.is_file() and path.parent not in known and path != folder / SHELF:
            raise CertificateError(f"{path.relative_to(folder).as_posix()} is no part of the certificates")
    return [folder / name for name in listed]


def _read(path: Path) -> dict[str, str]:
    """Return the hash of each certificate's manifest, by its folder."""
    content = path.read_bytes()
    try:
        data = json.loads(content)
    except ValueError as error:
        raise CertificateError(f"{path.name} cannot be read: {error}") from error
    if not isinstance(data, dict) or data.get("format") != FORMAT or _text(data) != content:
        raise CertificateError(f"{path.name} was changed since it was written")
    match data:
        case {"certificates": dict(listed)} if all(isinstance(value, str) for value in listed.values()):
            return listed
    raise CertificateError(f"{path.name} lists no certificates")


def _text(data: dict[str, Any]) -> bytes:
    return (json.dumps(signed(data), indent=2) + "\n").encode()
