"""Render a result in one of the forms, for standard output."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType

from checker.report.json_ import to_json
from checker.report.markdown import to_markdown
from checker.report.model import Document
from checker.report.terminal import to_text

FORMS: Mapping[str, Callable[[Document], str]] = MappingProxyType(
    {"text": to_text, "markdown": to_markdown, "json": to_json}
)


def render(document: Document, form: str) -> str:
    """Return the whole result in the form `text`, `markdown` or `json`, for standard output."""
    return FORMS[form](document)
