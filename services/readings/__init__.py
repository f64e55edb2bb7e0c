"""What was read out of units: shared work."""
