"""Screens of research: finding the passage that states the rule of law."""
