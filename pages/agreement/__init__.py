"""Screens of inter-annotator agreement."""
