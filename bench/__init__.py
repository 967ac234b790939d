"""The benchmark: the same model, the same sizes, this checker's engines and SPIN side by side."""
