"""The smt engine: bounded search, induction and Spacer on the ground rules, with Z3.

`engine` has the engine. `circuit`, `steps` and `text` need no solver; certificates are built from them alone.
"""
