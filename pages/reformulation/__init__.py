"""Reformulation: the screen."""
