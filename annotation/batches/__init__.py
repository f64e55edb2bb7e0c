"""Batches of work and who they are assigned to: the rules of the work."""
