"""Equipoise: a model checker for the attach and equip rules of trading card games."""

from importlib.metadata import PackageNotFoundError, version

try:
    __version__ = version("equipoise")
except PackageNotFoundError:  # run from a checkout that is not installed
    __version__ = "0+unknown"
