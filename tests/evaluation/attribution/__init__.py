"""Scores of claims and citations."""
