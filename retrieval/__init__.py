"""Retrieval methods, one per module: question in, ranked units out; no side effects."""
