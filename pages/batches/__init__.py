"""Batches of work and who they are assigned to: the screens."""
