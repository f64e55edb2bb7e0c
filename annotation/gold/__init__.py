"""Gold data: the rules of the work."""
