"""Law center: how it is read."""
