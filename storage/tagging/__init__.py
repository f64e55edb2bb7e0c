"""Factor tagging of court cases: what the database keeps."""
