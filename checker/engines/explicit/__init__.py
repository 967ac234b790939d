"""Every reachable board, packed in words and evaluated in bulk; the second opinion and the state graph."""

from checker.engines.explicit.engine import ExplicitEngine

__all__ = ["ExplicitEngine"]
