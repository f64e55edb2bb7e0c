"""Citations in the answers of models."""
