"""Agreement between annotators: the screens."""
