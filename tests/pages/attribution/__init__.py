"""Screens of attribution."""
