"""Factor tagging of court cases: the rules of the work."""
