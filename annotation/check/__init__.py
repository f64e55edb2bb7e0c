"""Integrity checks of a project: replay of logs, gold, batches, people and texts."""
