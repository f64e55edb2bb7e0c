"""Parallel groups of provisions: shared work."""
