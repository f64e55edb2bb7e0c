"""Check: the rules of the work."""
