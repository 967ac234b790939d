"""The narrow waist: a rulebook on one board as a transition system."""
