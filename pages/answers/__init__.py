"""Answers that models write: screens."""
