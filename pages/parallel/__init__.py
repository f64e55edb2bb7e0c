"""Parallel groups of provisions: the screen."""
