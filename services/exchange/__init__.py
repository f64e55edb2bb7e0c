"""Annotations as files: shared work."""
