"""Certificates on disk: obligations as files, with a manifest that fixes every byte."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import Any

from checker.certificates.invariant import CertificateError, Invariant, from_json, to_json
from checker.certificates.obligations import SAYS, obligations
from checker.certificates.recheck import Checked, recheck
from checker.certificates.steps import Steps, step_texts
from checker.certificates.steps import from_json as steps_from_json
from checker.system.model import Goal, Kind, TransitionSystem

KINDS = frozenset({Kind.INVARIANT, Kind.STEP, Kind.CONFLICT, Kind.OPEN_OUTCOME})
"""Properties that hold if no game shows something; for these there are certificates."""

FORMAT = "equipoise-certificate-1"
MANIFEST = "manifest.json"
INVARIANT = "invariant.json"
STEPS = "outcomes"


@dataclass(frozen=True, slots=True)
class About:
    """What a certificate is about.

    system: name of the ground rulebook. goal: the property. size: for which boards it holds. tool: what
    wrote it, with its version. inputs: the hash of each file the system came from. origin: what the system
    is to be built from again, for whoever checks.
    """

    system: str
    goal: str
    size: str
    tool: str
    inputs: Mapping[str, str]
    origin: Mapping[str, Any] = field(default_factory=dict)


def digest(content: bytes) -> str:
    """Return the hash by which manifests name contents."""
    return sha256(content).hexdigest()


def write_certificate(
    folder: Path,
    system: TransitionSystem,
    goal: Goal,
    invariant: Invariant,
    *,
    tool: str,
    inputs: Mapping[str, bytes],
    length: int = 1,
    origin: Mapping[str, Any] | None = None,
) -> None:
    """Write the certificate that no game on one board shows a goal.

    Args:
        folder: where to; it is made if need be.
        system: the ground rulebook.
        goal: the property that holds.
        invariant: lemmas that hold on every reachable board and exclude the goal; see `obligations`.
        tool: what writes it, with its version.
        inputs: the contents of the files the system came from, by name.
        length: see `obligations`.
        origin: what the system is to be built from again.

    """
    files = _files(system, goal, invariant, length)
    hashes = {name: digest(content) for name, content in sorted(inputs.items())}
    about = About(system.name, goal.name, "this board", tool, hashes, origin or {})
    _write(folder, about, files, {"length": length})


def write_steps(
    folder: Path,
    system: TransitionSystem,
    steps: Steps,
    invariant: Invariant | None,
    *,
    tool: str,
    inputs: Mapping[str, bytes],
    origin: Mapping[str, Any],
) -> None:
    """Write the certificate that actions on one board have one outcome; arguments as for `write_certificate`."""
    hashes = {name: digest(content) for name, content in sorted(inputs.items())}
    about = About(system.name, STEPS, "this board", tool, hashes, origin)
    _write(folder, about, _step_files(system, steps, invariant), {"steps": steps.to_json(), "says": steps.says()})


def _step_files(system: TransitionSystem, steps: Steps, invariant: Invariant | None) -> dict[str, str]:
    files = {f"{name}.smt2": text for name, text in step_texts(system, steps, invariant).items()}
    return files if invariant is None else {INVARIANT: _invariant_text(invariant, system), **files}


def _invariant_text(invariant: Invariant, system: TransitionSystem) -> str:
    return json.dumps(to_json(invariant, system), indent=1) + "\n"


def write_obligations(folder: Path, about: About, texts: Mapping[str, str], says: Mapping[str, str]) -> None:
    """Write a certificate whose obligations stand by themselves, such as one for any number of cards."""
    files = {f"{name}.smt2": text for name, text in texts.items()}
    _write(folder, about, files, {"says": dict(says)})


def certify(
    folder: Path,
    system: TransitionSystem | None = None,
    inputs: Mapping[str, bytes] | None = None,
    seconds: float = 60.0,
) -> list[Checked]:
    """Check a certificate with a solver that had no part in the proof.

    Args:
        folder: the certificate.
        system: the ground rulebook, if it is at hand: the obligations must be the ones that follow from it
            and from the invariant, to the letter.
        inputs: the contents of the files the system came from; they must be those of the manifest.
        seconds: what the solver may take for one obligation.

    Raises:
        CertificateError: the certificate does not stand; the message names the file or the obligation.

    """
    manifest = read_manifest(folder)
    check_bytes(folder, manifest)
    if inputs is not None:
        _check_inputs(manifest, inputs)
    if system is not None:
        _check_origin(folder, manifest, system)
    says = SAYS | manifest.get("says", {})
    names = [name.removesuffix(".smt2") for name in manifest["files"] if name.endswith(".smt2")]
    if not names:
        raise CertificateError("the certificate has no obligation")
    return [
        recheck(name, says.get(name, name), (folder / f"{name}.smt2").read_text("utf-8"), seconds) for name in names
    ]


def _files(system: TransitionSystem, goal: Goal, invariant: Invariant, length: int) -> dict[str, str]:
    texts = obligations(system, goal, invariant, length)
    files = {f"{name}.smt2": text for name, text in texts.items()}
    return {INVARIANT: _invariant_text(invariant, system), **files}


def _write(folder: Path, about: About, files: Mapping[str, str], more: Mapping[str, Any]) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in files.items():
        (folder / name).write_bytes(text.encode())
    manifest = {
        "format": FORMAT,
        "system": about.system,
        "goal": about.goal,
        "size": about.size,
        "tool": about.tool,
        "origin": dict(about.origin),
        "inputs": dict(about.inputs),
        **more,
        "files": {name: digest(text.encode()) for name, text in files.items()},
    }
    (folder / MANIFEST).write_bytes((json.dumps(signed(manifest), indent=2) + "\n").encode())


def signed(manifest: Mapping[str, Any]) -> dict[str, Any]:
    """Return a manifest with the hash of all it says."""
    plain = {key: value for key, value in manifest.items() if key != "sha256"}
    return plain | {"sha256": digest(json.dumps(plain, sort_keys=True).encode())}


def read_manifest(folder: Path) -> dict[str, Any]:
    """Read the manifest of a certificate.

    Raises:
        CertificateError: it is none, or not as it was written.

    """
    try:
        content = (folder / MANIFEST).read_bytes()
        manifest = json.loads(content)
    except (OSError, ValueError) as error:
        raise CertificateError(f"{MANIFEST} cannot be read: {error}") from error
    if not isinstance(manifest, dict) or manifest.get("format") != FORMAT or not _complete(manifest):
        raise CertificateError(f"{MANIFEST} is not of the format {FORMAT}")
    if (json.dumps(signed(manifest), indent=2) + "\n").encode() != content:
        raise CertificateError(f"{MANIFEST} was changed since it was written")
    return manifest


def _complete(manifest: Mapping[str, Any]) -> bool:
    """Tell whether a manifest says all that `_write` writes, each of its type."""
    match manifest:
        case {
            "system": str(), "goal": str(), "size": str(), "origin": dict(), "inputs": dict(), "files": dict(files),
        }:  # fmt: skip
            return isinstance(manifest.get("says", {}), dict) and all(isinstance(v, str) for v in files.values())
    return False


def check_bytes(folder: Path, manifest: Mapping[str, Any]) -> None:
    """Raise unless the files of a certificate are those of its manifest, to the byte."""
    files: Mapping[str, str] = manifest["files"]
    for name, expected in files.items():
        path = folder / name
        if Path(name).name != name or not path.is_file():
            raise CertificateError(f"{name} is missing")
        if digest(path.read_bytes()) != expected:
            raise CertificateError(f"{name} was changed since it was written")
    strange = sorted({path.name for path in folder.iterdir()} - {*files, MANIFEST})
    if strange:
        raise CertificateError(f"{', '.join(strange)} is no part of the certificate")


def _check_inputs(manifest: Mapping[str, Any], inputs: Mapping[str, bytes]) -> None:
    known: Mapping[str, str] = manifest["inputs"]
    here = {name: digest(content) for name, content in inputs.items()}
    for name in sorted({*known, *here}):
        if known.get(name) != here.get(name):
            raise CertificateError(f"{name} is not what it was when the certificate was written")


def _check_origin(folder: Path, manifest: Mapping[str, Any], system: TransitionSystem) -> None:
    """Raise unless the files follow from the system and the invariant."""
    if manifest["system"] != system.name:
        raise CertificateError(f"the certificate is about {manifest['goal']} of {manifest['system']}")
    invariant = None
    if INVARIANT in manifest["files"]:
        invariant = from_json(json.loads((folder / INVARIANT).read_bytes()), system)
    due = _due(manifest, system, invariant)
    for name in sorted({*due, *manifest["files"]}):
        path = folder / name
        if name not in due or not path.is_file() or path.read_bytes() != due[name].encode():
            raise CertificateError(f"{name} does not follow from the rulebook and the invariant")


def _due(manifest: Mapping[str, Any], system: TransitionSystem, invariant: Invariant | None) -> dict[str, str]:
    """Return the files that follow from the rules, the invariant and what the certificate is about."""
    if "steps" in manifest:
        return _step_files(system, steps_from_json(manifest["steps"]), invariant)
    goal = system.goal.get(manifest["goal"])
    if goal is None:
        raise CertificateError(f"the certificate is about {manifest['goal']} of {manifest['system']}")
    if goal.kind not in KINDS:
        raise CertificateError(f"there are no certificates of {goal.kind.value} properties, which {goal.name} is")
    if invariant is None:
        raise CertificateError(f"{INVARIANT} is missing")
    return _files(system, goal, invariant, int(manifest.get("length", 1)))
