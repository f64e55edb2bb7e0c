"""Guidelines and codebooks: the rules of the work."""
