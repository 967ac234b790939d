"""Change the rules on purpose: who notices a fault, what needs a clause, which games cover the clauses."""
