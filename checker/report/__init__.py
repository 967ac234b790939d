"""A result told to people and to other tools."""
