"""Gold data: shared work."""
