"""Prompts as files, one per id and language."""
