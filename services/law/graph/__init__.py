"""Graph: shared work."""
