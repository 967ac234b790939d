"""Files in: rulebook, cards, boards, clauses and the `.lp` encoding."""
