"""Stricter relevance groups: the screens."""
