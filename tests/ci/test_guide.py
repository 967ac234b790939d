"""The guide is followed to the letter: files are written as it says, and commands print what it shows.

To record what commands print anew: EQUIPOISE_RECORD=1 pytest tests/ci/test_guide.py
"""

from __future__ import annotations

import os
import re
import shlex
from pathlib import Path

import pytest

from tests.ci.game import edit, run

GUIDE = Path(__file__).parents[2] / "docs" / "guide.md"
BLOCK = re.compile(r"(?:(?P<lead>[^\n]+)\n\n)?```(?P<kind>\w+)\n(?P<body>.*?)```\n", re.DOTALL)
FILE = re.compile(r"(Write|Add to|In) `(?P<path>[^`]+)`(:| replace)$")
VARYING = [(re.compile(r"\d+\.\d\d$", re.MULTILINE), "S"), (re.compile(r"\d{4}-\d\d-\d\dT[\d:]{8}\+00:00"), "T")]
ASKS_CODE = ' || echo "exit code $?"'


def said(text: str) -> str:
    """Return an output without seconds and times."""
    for pattern, word in VARYING:
        text = pattern.sub(word, text)
    return text


def command(line: str, capsys: pytest.CaptureFixture[str]) -> str:
    """Run a line of the guide; return what a terminal shows."""
    asked, _, file = line.removesuffix(ASKS_CODE).partition(" > ")
    words = shlex.split(asked)
    assert words[0] == "equipoise"
    code = run(*words[1:])
    shown = capsys.readouterr()
    if file:
        Path(file).write_text(shown.out, encoding="utf-8")
    if not line.endswith(ASKS_CODE):
        assert code == 0, shown.err
    ending = f"exit code {code}\n" if code else ""
    return shown.err + ("" if file else shown.out) + ending


def write(how: str, path: Path, body: str, old: str | None) -> None:
    """Change a file as the guide says."""
    if old is not None:
        edit(path, old, body)
    elif how == "Write":
        assert not path.exists()
        path.write_text(body, encoding="utf-8")
    else:
        path.write_text(path.read_text(encoding="utf-8") + "\n" + body, encoding="utf-8")


def test_the_guide(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.chdir(tmp_path)
    guide = GUIDE.read_text(encoding="utf-8")
    old: tuple[Path, str] | None = None
    followed, place, commands = "", 0, 0
    for block in BLOCK.finditer(guide):
        target = FILE.search(block["lead"] or "")
        if block["kind"] == "console":
            line = block["body"].partition("\n")[0]
            shown = command(line.removeprefix("$ "), capsys)
            followed += f"{guide[place : block.start('body')]}{line}\n{shown}"
            place, commands = block.end("body"), commands + 1
        elif target and target[1] == "In":
            old = Path(target["path"]), block["body"]
        elif old and block["lead"] == "by":
            write("In", old[0], block["body"], old[1])
        elif target:
            write(target[1], Path(target["path"]), block["body"], None)
    followed += guide[place:]
    if os.environ.get("EQUIPOISE_RECORD") == "1":
        GUIDE.write_text(followed, encoding="utf-8")

    assert said(followed) == said(guide)
    assert commands == 10
