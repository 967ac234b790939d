"""The rules and the first-order encoding of a game, held against each other on small boards by a solver."""
