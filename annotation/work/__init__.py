"""Work: the rules of the work."""
