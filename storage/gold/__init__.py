"""Gold data: storage."""
