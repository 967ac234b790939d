"""Compare rulebooks: what an edit, a version or a reading changes, and the shortest game that shows it."""
