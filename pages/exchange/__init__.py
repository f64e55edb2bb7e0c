"""Annotations as files: the screens."""
