"""Answers that models write: what stands before the model."""
