"""Reformulation: decisions on proposed wordings."""
