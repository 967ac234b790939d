"""Engines that decide properties of a transition system."""
