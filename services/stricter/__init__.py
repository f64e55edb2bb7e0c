"""Stricter relevance groups: shared work."""
