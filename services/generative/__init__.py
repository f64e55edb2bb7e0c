"""Prepare pairs for generative retrieval, train a model on them, and evaluate it."""
