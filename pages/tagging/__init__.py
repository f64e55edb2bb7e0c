"""Factor tagging of court cases: the screens."""
