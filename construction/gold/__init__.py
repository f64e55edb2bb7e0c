"""Gold data: making it ready for use."""
