"""Agreement between annotators: the rules of the work."""
