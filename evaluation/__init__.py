"""Evaluation: figures with intervals from rankings, answers and ratings; no side effects."""
