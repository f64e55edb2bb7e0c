"""The sample project: shared work."""
