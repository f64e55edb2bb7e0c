"""Batches of work and who they are assigned to: shared work."""
