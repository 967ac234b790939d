"""Hand a board to hardware model checkers and SMT solvers, and read back the games they find."""
