"""Language models: shared work."""
