"""Proofs for any number of cards, from first-order encodings in SMT-LIB 2 text."""
