"""The command `export`: what it writes, what it refuses, and how it tells a witness."""

from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from checker import __version__
from checker.cli import cli
from checker.errors import InputError
from checker.export.run import run_export, run_witness
from tests.explore.lamps import write_lamps

COMMENT = f"toy 1, one; equipoise {__version__}"

FAULT = "1\nb0\n01000\n1000\n0100\n0000\n.\n"
"""Lighting the blue lamp and then the red one, as an AIGER witness; the last frame does nothing that matters."""


def run(*arguments: str) -> Result:
    """Run the command; an error it raises is raised here."""
    return CliRunner().invoke(cli, ["export", *arguments], catch_exceptions=False, standalone_mode=False)


@pytest.mark.parametrize(
    ("form", "first", "last"),
    [
        ("aiger", "aag 61 4 5 0 52 5", COMMENT),
        ("btor2", f"; {COMMENT}", " torn"),
        ("smtlib", f"; {COMMENT}", ":invar-property 4))"),
    ],
)
def test_each_format_is_written(form: str, first: str, last: str, tmp_path: Path) -> None:
    book, path = str(write_lamps(tmp_path)), tmp_path / "model"
    lines = run(book, "one", "-f", form).output.splitlines()
    assert (lines[0].startswith(first), lines[-1].endswith(last)) == (True, True), (lines[0], lines[-1])
    assert run(book, "one", "-f", form, "-o", str(path)).output.startswith("wrote ")
    assert path.read_text(encoding="utf-8").splitlines() == lines


def test_a_file_named_aig_is_binary(tmp_path: Path) -> None:
    book, path = str(write_lamps(tmp_path)), tmp_path / "model.aig"
    run(book, "one", "-f", "aiger", "-o", str(path))
    assert path.read_bytes().startswith(b"aig ")


def test_only_what_is_asked_for_is_exported(tmp_path: Path) -> None:
    book = str(write_lamps(tmp_path))
    text = run(book, "one", "-f", "btor2", "-p", "dead", "-p", "bright").output
    assert [line.split()[-1] for line in text.splitlines() if " bad " in line] == ["bright", "dead"]


def test_what_cannot_be_exported_is_refused(tmp_path: Path) -> None:
    book = str(write_lamps(tmp_path, bright="invariant", overload="step", dead="sometimes", lost="termination"))
    path = tmp_path / "model.aag"
    for name, message in (("brigth", 'did you mean "bright"'), ("lost", '"lost" asks about whole runs')):
        with pytest.raises(InputError, match=message):
            run_export(book, "one", {}, [name], "aiger", path)
    assert not path.exists()


def test_a_witness_is_told(tmp_path: Path) -> None:
    book, path = str(write_lamps(tmp_path)), tmp_path / "found"
    path.write_text(FAULT, encoding="utf-8")
    done = run(book, "one", "-f", "aiger", "--witness", str(path))
    assert done.return_value == 1
    assert [line for line in done.output.splitlines() if line.startswith(("  1. ", "  2. "))] == [
        "  1. Alice: light(blue).",
        "  2. Alice: light(red).",
    ]


def test_a_witness_of_what_is_wanted_is_no_fault(tmp_path: Path) -> None:
    book, path = str(write_lamps(tmp_path)), tmp_path / "found"
    path.write_text(FAULT.replace("b0", "b2").replace("\n0000\n", "\n0001\n0000\n"), encoding="utf-8")
    assert run_witness(book, "one", {}, (), "aiger", path) == 0


def test_a_witness_that_cannot_be_read_is_refused(tmp_path: Path) -> None:
    book = str(write_lamps(tmp_path))
    with pytest.raises(InputError, match="witnesses are read in the formats aiger and btor2, not in smtlib"):
        run_witness(book, "one", {}, (), "smtlib", tmp_path / "found")
    with pytest.raises(InputError, match="cannot be read"):
        run_witness(book, "one", {}, (), "aiger", tmp_path / "found")
