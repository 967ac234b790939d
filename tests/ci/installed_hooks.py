"""The pre-commit hooks as users have them: pre-commit installs this repository from a clone, with all it needs.

That takes a minute and the package index, so the file is collected only where it is named, as `make hooks` does.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from shutil import copyfile

import pytest

from tests.ci.game import break_it
from tests.ci.test_action import ROOT, Hooks


def clone(folder: Path) -> Path:
    """Copy the files that a clone of this repository would have, with what is not committed yet, into a folder."""
    listed = ["git", "ls-files", "--cached", "--others", "--exclude-standard", "-z"]
    names = subprocess.run(listed, cwd=ROOT, check=True, capture_output=True, text=True).stdout.split("\0")
    for name in names:
        if (ROOT / name).is_file():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            copyfile(ROOT / name, folder / name)
    return folder


def why_not(place: Path) -> str:
    """Say why what builds the package and what it needs cannot be had here and now; nothing if they can."""
    asked = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--retries", "1", "--dest", str(place)]
    done = subprocess.run([*asked, "hatchling", "clingo"], capture_output=True, text=True, check=False)
    return "" if done.returncode == 0 else f"no package index: {(done.stderr.strip().splitlines() or ['?'])[-1]}"


def test_pre_commit_installs_and_runs_the_hooks(tmp_path: Path) -> None:
    """Nothing but the system is on the path, so that what runs is what was installed."""
    if reason := why_not(tmp_path / "index"):
        pytest.skip(reason)
    hooks = Hooks(tmp_path, clone(tmp_path / "clone"), os.defpath)
    everything = ["--all-files", "--hook-stage", "pre-push"]
    names = [f"equipoise {name}" for name in ("lint", "rulings", "check")]
    assert hooks.run(*everything) == dict.fromkeys(names, "Passed")

    break_it(hooks.folder)
    assert hooks.run(*everything) == dict(zip(names, ["Passed", "Failed", "Failed"], strict=True))
