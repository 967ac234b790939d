"""The engines by name, each imported only when asked for."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType

from checker.engines.protocol import Engine
from checker.errors import InputError, closest


def _symbolic() -> Engine:
    from checker.engines.symbolic import SymbolicEngine

    return SymbolicEngine()


def _explicit() -> Engine:
    from checker.engines.explicit import ExplicitEngine

    return ExplicitEngine()


def _asp() -> Engine:
    from checker.engines.asp import AspEngine

    return AspEngine()


def _smt() -> Engine:
    from checker.engines.smt.engine import SmtEngine

    return SmtEngine()


def _auto() -> Engine:
    from checker.engines.auto import AutoEngine

    return AutoEngine()


ENGINES: Mapping[str, Callable[[], Engine]] = MappingProxyType(
    {"auto": _auto, "symbolic": _symbolic, "explicit": _explicit, "asp": _asp, "smt": _smt}
)


def engine(name: str) -> Engine:
    """Return the engine of that name.

    Raises:
        InputError: there is no such engine.

    """
    if name not in ENGINES:
        raise InputError(f'there is no engine "{name}"; {closest(name, list(ENGINES))}')
    return ENGINES[name]()
