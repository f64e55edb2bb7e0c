"""Batches of work: making, assigning, progress and overlap."""
