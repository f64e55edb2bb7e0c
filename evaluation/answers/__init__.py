"""Scores of generated answers: overlap, semantic similarity, and their agreement with people."""
