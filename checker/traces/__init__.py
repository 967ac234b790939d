"""Traces: re-run every game from the ground rules before a person sees it."""

from checker.traces.confirm import confirm
from checker.traces.evaluate import Evaluator, enabled, evaluate, evaluator, options, successors
from checker.traces.replay import Change, ReplayedStep, ReplayedTrace, ReplayError, replay

__all__ = [
    "Change",
    "Evaluator",
    "ReplayError",
    "ReplayedStep",
    "ReplayedTrace",
    "confirm",
    "enabled",
    "evaluate",
    "evaluator",
    "options",
    "replay",
    "successors",
]
