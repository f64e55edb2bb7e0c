"""Factor tagging of court cases: storage."""
