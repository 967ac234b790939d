"""Recorded output: compared with what is made now, and recorded anew only when asked to.

To record anew: EQUIPOISE_RECORD=1 pytest tests/report
"""

from __future__ import annotations

import os
from pathlib import Path

FOLDER = Path(__file__).parent / "golden"


def matches(name: str, text: str) -> None:
    """Assert that `text` is what is recorded under `name`."""
    path = FOLDER / name
    if os.environ.get("EQUIPOISE_RECORD") == "1":
        path.write_text(text, encoding="utf-8")
    assert text == path.read_text(encoding="utf-8")
