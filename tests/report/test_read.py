"""Reading a result back from JSON."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from checker.errors import InputError
from checker.report.json_ import to_json
from checker.report.read import read_document
from tests.report.hats import document
from tests.report.hostile import hostile, long_game


@pytest.mark.parametrize("result", [document("en"), document("fr"), hostile(), long_game(3, 4)])
def test_a_result_comes_back_as_it_was(result: Any, tmp_path: Path) -> None:
    file = tmp_path / "result.json"
    file.write_text(to_json(result), encoding="utf-8")
    assert read_document(file) == result


def test_seconds_and_details_come_back_too(tmp_path: Path) -> None:
    result = document()
    (book,) = result.rulebooks
    board = replace(book.boards[0], seconds=12.5, details=(("nodes", "7"),))
    result = replace(result, rulebooks=(replace(book, boards=(board,)),))
    file = tmp_path / "result.json"
    file.write_text(to_json(result), encoding="utf-8")
    assert read_document(file) == result


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("{", r"result.json:1:2: not JSON"),
        ("[]", r"not a result: the document: \[\] is not of type 'object'"),
        ('{"format": 99}', "the result has format 99; this version of equipoise reads 1"),
        ("[" * 100_000, "nested too deep"),
        (json.dumps(json.loads(to_json(document())) | {"rulebooks": [{}]}), "not a result: rulebooks/0: "),
    ],
)
def test_what_is_no_result_is_refused(text: str, said: str, tmp_path: Path) -> None:
    file = tmp_path / "result.json"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match=said):
        read_document(file)


def test_a_missing_file_is_an_input_error(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot be read"):
        read_document(tmp_path / "none.json")
