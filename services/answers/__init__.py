"""Answers that models write: shared work."""
