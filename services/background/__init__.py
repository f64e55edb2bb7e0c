"""Background: shared work."""
