"""Factor tagging of court cases: the command line."""
