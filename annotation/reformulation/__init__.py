"""Reformulation: what a person says of a wording, and what becomes of it."""
