"""Reformulation: shared work."""
