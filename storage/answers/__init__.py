"""Answers that models write: settings and replies."""
