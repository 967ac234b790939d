"""A result as one self-contained HTML page."""

from checker.report.html.page import to_html

__all__ = ["to_html"]
