"""Answers that models write: overlap, closeness, which score to trust. Pure."""
