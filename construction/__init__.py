"""Construction of benchmark data for people to check: questions, candidates, gold. Pure."""
