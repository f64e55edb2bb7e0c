"""Fusion of the rankings or scores of several methods."""
