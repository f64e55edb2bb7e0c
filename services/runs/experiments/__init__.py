"""Experiments: shared work."""
