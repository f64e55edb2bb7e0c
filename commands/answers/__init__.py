"""Answers that models write: commands."""
