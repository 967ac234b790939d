"""Spaces at which a line must not be broken, where the typography of a language asks for them."""

from __future__ import annotations

import re
from collections.abc import Mapping

NARROW, WIDE = "\u202f", "\u00a0"
"""The no-break spaces: a narrow one before `;`, `!` and `?`, a whole one before `:` and inside quotation marks."""

HIGH, AROUND = re.compile(r" (?=[;!?])"), re.compile(r" (?=[:»])|(?<=«) ")


def spaced(text: str, language: str) -> str:
    """Return a text whose plain spaces before high punctuation are no-break ones, if the language has such spaces.

    Files are written with plain spaces; French is the only language known to have them (Imprimerie nationale,
    Lexique des règles typographiques).
    """
    return AROUND.sub(WIDE, HIGH.sub(NARROW, text)) if language == "fr" else text


def all_spaced(texts: Mapping[str, str], language: str) -> dict[str, str]:
    """Return texts by name, each `spaced`."""
    return {name: spaced(text, language) for name, text in texts.items()}
