"""Play a board by hand: on a local page or in a terminal, with the rules answering why and why not."""
