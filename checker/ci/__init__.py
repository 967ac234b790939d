"""Rules under version control: baselines, the history of verdicts, and a rulebook to start from."""
