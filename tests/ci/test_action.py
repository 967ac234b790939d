"""The GitHub Action and the pre-commit hooks: what they run is run here, on the game that `equipoise new` writes."""

from __future__ import annotations

import os
import re
import stat
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.ci.game import break_it, start

ROOT = Path(__file__).parents[2]
EXPRESSION = re.compile(r"\$\{\{ (\w+)\.([\w-]+) \}\}")


@pytest.fixture
def tools(tmp_path: Path) -> Path:
    """A folder with the command `equipoise`, and a `python` that only says what it was asked to do."""
    folder = tmp_path / "bin"
    folder.mkdir()
    lines = {
        "equipoise": f'PYTHONPATH="{ROOT}" exec "{sys.executable}" -m checker "$@"',
        "python": 'printf "%s\\n" "$@" > "$RUNNER_TEMP/python"',
    }
    for name, line in lines.items():
        (folder / name).write_text(f"#!/bin/sh\n{line}\n", encoding="utf-8")
        (folder / name).chmod(stat.S_IRWXU)
    return folder


class Runner:
    """Runs the steps of a composite action as GitHub does: `run` in bash, expressions filled in `env`."""

    def __init__(self, folder: Path, tools: Path, temporary: Path, given: Mapping[str, str]) -> None:
        self.folder = folder
        self.action: Any = yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))
        inputs = {name: entry["default"] for name, entry in self.action["inputs"].items()}
        assert set(given) <= set(inputs)
        self.values = {"inputs": inputs | dict(given), "github": {"action_path": str(ROOT)}}
        path = f"{tools}{os.pathsep}{os.environ['PATH']}"
        self.environment = {**os.environ, "PATH": path, "RUNNER_TEMP": str(temporary)}

    def run(self) -> list[tuple[str, int, str]]:
        """Return name, exit code and standard output of each step, up to the first that fails."""
        done = []
        for step in self.action["runs"]["steps"]:
            if "run" not in step:
                continue
            own = {name: EXPRESSION.sub(self._fill, value) for name, value in step.get("env", {}).items()}
            ended = subprocess.run(
                ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"]],
                cwd=self.folder,
                env=self.environment | own,
                capture_output=True,
                text=True,
                check=False,
            )
            assert "Traceback" not in ended.stderr
            done.append((step["name"], ended.returncode, ended.stdout))
            if ended.returncode:
                break
        return done

    def _fill(self, found: re.Match[str]) -> str:
        return str(self.values[found[1]][found[2]])


def codes(steps: list[tuple[str, int, str]]) -> list[tuple[str, int]]:
    return [(name, code) for name, code, _ in steps]


def test_the_action_passes_on_rules_that_pass(tmp_path: Path, tools: Path) -> None:
    folder = start(tmp_path / "repository" / "my rules").parent
    steps = Runner(folder, tools, tmp_path, {"rulebook": "my rules", "report": "out"}).run()

    assert codes(steps) == [("Install", 0), ("Lint", 0), ("Rulings", 0), ("Check", 0)]
    installed = (tmp_path / "python").read_text(encoding="utf-8").splitlines()
    assert (installed[:3], installed[-1]) == (["-m", "pip", "install"], str(ROOT))
    assert (tmp_path / "equipoise" / "verdicts.sqlite").is_file()
    assert any((folder / "out").iterdir())


def test_the_action_stops_at_a_ruling_that_fails(tmp_path: Path, tools: Path) -> None:
    folder = break_it(start(tmp_path / "rules"))

    assert codes(Runner(folder, tools, tmp_path, {}).run()) == [("Install", 0), ("Lint", 0), ("Rulings", 1)]


def test_the_action_annotates_a_violation(tmp_path: Path, tools: Path) -> None:
    folder = break_it(start(tmp_path / "rules"))
    (folder / "rulings" / "attaching.toml").unlink()
    (folder / "rulings").rmdir()
    steps = Runner(folder, tools, tmp_path, {}).run()

    assert codes(steps)[-1] == ("Check", 1)
    assert steps[-1][2].startswith("::error file=rules/attach.lp,line=15,title=VIOLATED%3A No gear is on two units.")


def test_the_action_takes_a_baseline(tmp_path: Path, tools: Path) -> None:
    folder = break_it(start(tmp_path / "rules"))
    (folder / "rulings" / "attaching.toml").unlink()
    (folder / "rulings").rmdir()
    (folder / "known.toml").write_text(
        '[[accepted]]\nproperty = "on_one_unit"\nboard = "two_units"\nreason = "soon"\nexpires = 9999-12-31\n',
        encoding="utf-8",
    )
    steps = Runner(folder, tools, tmp_path, {"baseline": "known.toml"}).run()

    assert codes(steps)[-1] == ("Check", 0)
    assert steps[-1][2].startswith("::notice ")


@pytest.mark.parametrize(("strict", "code"), [("true", 5), ("false", 0)])
def test_the_action_is_strict_unless_told_otherwise(tmp_path: Path, tools: Path, strict: str, code: int) -> None:
    folder = start(tmp_path / "rules")
    rules = folder / "rules" / "properties.lp"
    rules.write_text(
        rules.read_text(encoding="utf-8").replace(
            "reached(worn) :- now", "reached(worn) :- now(in(knight), trash), now(in(knight), play), now"
        ),
        encoding="utf-8",
    )

    assert codes(Runner(folder, tools, tmp_path, {"strict": strict}).run())[-1] == ("Check", code)


def test_no_input_is_put_into_a_script() -> None:
    """A value with a quote in it must not become a command: scripts see inputs only as variables."""
    action = yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))

    assert [step["run"] for step in action["runs"]["steps"] if "${{" in step.get("run", "")] == []


HOOKS = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))


def test_each_hook_names_what_it_runs() -> None:
    assert [(hook["id"], hook["entry"]) for hook in HOOKS] == [
        ("equipoise-lint", "equipoise lint"),
        ("equipoise-rulings", "equipoise rulings"),
        ("equipoise-check", "equipoise check"),
    ]
    assert all(hook["language"] == "python" and not hook["pass_filenames"] for hook in HOOKS)


@pytest.mark.parametrize("hook", HOOKS, ids=[hook["id"] for hook in HOOKS])
def test_what_a_hook_runs(tmp_path: Path, tools: Path, hook: dict[str, Any]) -> None:
    """In a repository whose root is a rulebook each hook passes; with a fault the one that looks for it fails."""
    folder = start(tmp_path / "rules")
    path = f"{tools}{os.pathsep}{os.environ['PATH']}"

    def code() -> int:
        command = [*hook["entry"].split(), *hook["args"]]
        return subprocess.run(command, cwd=folder, env={**os.environ, "PATH": path}, check=False).returncode

    assert code() == 0
    if hook["id"] == "equipoise-lint":
        (folder / "rules" / "view.lp").write_text("view_zone(play, 0)\n", encoding="utf-8")
        assert code() == 2
    else:
        break_it(folder)
        assert code() == 1


@pytest.mark.parametrize(
    ("file", "wanted"), [("rules/attach.lp", True), ("boards/one.toml", True), ("README.md", False), ("a.lpx", False)]
)
def test_hooks_run_when_rules_change(file: str, wanted: bool) -> None:
    assert [re.search(hook["files"], file) is not None for hook in HOOKS] == [wanted] * len(HOOKS)


class Hooks:
    """A repository whose root is a rulebook, with the hooks that another folder offers run in it by pre-commit itself.

    path: where commands are looked for.
    """

    def __init__(self, place: Path, offered: Path, path: str) -> None:
        own = {"PRE_COMMIT_HOME": str(place / "home"), "XDG_CACHE_HOME": str(place / "cache")}
        self.environment = os.environ | own | {"PATH": path, "PYTHONPATH": ""}
        revision = self._commit(offered)
        self.folder = start(place / "rules")
        asked = [{"id": hook["id"]} for hook in HOOKS]
        config = {"repos": [{"repo": str(offered), "rev": revision, "hooks": asked}]}
        (self.folder / ".pre-commit-config.yaml").write_text(yaml.safe_dump(config), encoding="utf-8")
        self._commit(self.folder)

    def _commit(self, folder: Path) -> str:
        who = ["-c", "user.name=t", "-c", "user.email=t@example.org", "-c", "commit.gpgsign=false"]
        for arguments in (["init", "-q"], ["add", "."], ["commit", "-q", "-m", "files"]):
            subprocess.run(["git", *who, *arguments], cwd=folder, check=True, capture_output=True)
        return subprocess.run(
            ["git", "rev-parse", "HEAD"], cwd=folder, check=True, capture_output=True, text=True
        ).stdout.strip()

    def run(self, *arguments: str) -> dict[str, str]:
        """Return what pre-commit says of each hook that it runs."""
        subprocess.run(["git", "add", "."], cwd=self.folder, check=True)
        command = [sys.executable, "-m", "pre_commit", "run", "--color", "never", *arguments]
        said = subprocess.run(
            command, cwd=self.folder, env=self.environment, capture_output=True, text=True, check=False
        )
        ends = re.findall(r"^(equipoise \w+)\.+(?:\(.*\))?(\w+)$", said.stdout, re.MULTILINE)
        assert ends, said.stdout + said.stderr
        return dict(ends)


def test_pre_commit_runs_the_hooks(tmp_path: Path, tools: Path) -> None:
    """Before a commit lint and rulings run, if a rule changes; before a push the check runs as well.

    The hooks are taken from the published file with `language` alone changed: what they run is on the path, so that
    nothing need be installed (`installed_hooks.py` installs it).
    """
    offered = tmp_path / "hooks"
    offered.mkdir()
    mine = [hook | {"language": "unsupported"} for hook in HOOKS]
    (offered / ".pre-commit-hooks.yaml").write_text(yaml.safe_dump(mine), encoding="utf-8")
    hooks = Hooks(tmp_path, offered, f"{tools}{os.pathsep}{os.environ['PATH']}")
    (hooks.folder / "README.md").write_text("Swords.\n", encoding="utf-8")
    assert hooks.run() == {"equipoise lint": "Skipped", "equipoise rulings": "Skipped"}

    break_it(hooks.folder)
    assert hooks.run() == {"equipoise lint": "Passed", "equipoise rulings": "Failed"}
    everywhere = hooks.run("--all-files", "--hook-stage", "pre-push")
    assert everywhere == {"equipoise lint": "Passed", "equipoise rulings": "Failed", "equipoise check": "Failed"}
