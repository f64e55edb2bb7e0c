"""Methods: shared work."""
