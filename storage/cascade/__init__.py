"""Runs of the cascade, what its layers said, and what was restored, as they are kept."""
