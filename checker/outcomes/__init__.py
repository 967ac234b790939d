"""Is the outcome of each action on a board determined: asked of a solver, said in words, certified."""
