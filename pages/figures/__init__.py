"""Figures: the screens."""
