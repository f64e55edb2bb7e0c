"""Ranking measures, paired comparison of methods, and bounds of recall."""
