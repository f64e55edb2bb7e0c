"""Screens of stricter relevance groups of court cases."""
