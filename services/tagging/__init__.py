"""Factor tagging of court cases: shared work."""
