"""Figures: shared work."""
