"""Cascade: restoring questions that a layer rejected."""
