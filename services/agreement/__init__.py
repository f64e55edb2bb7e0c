"""Agreement between annotators: shared work."""
