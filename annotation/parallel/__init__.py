"""Parallel groups of provisions: decisions on proposed groups."""
