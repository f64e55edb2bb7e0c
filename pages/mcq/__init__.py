"""Screens of multiple-choice questions and their solvability."""
