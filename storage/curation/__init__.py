"""Curation of generated questions: storage."""
