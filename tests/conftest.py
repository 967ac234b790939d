"""Options of the test suite."""

from __future__ import annotations

import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add `--record`: write golden files anew instead of comparing with them."""
    parser.addoption("--record", action="store_true", help="write golden files anew; read the diff")
