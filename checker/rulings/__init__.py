"""Executable rulings: published answers played on the rules."""
