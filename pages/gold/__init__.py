"""Gold data: the screens."""
