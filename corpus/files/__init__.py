"""Files: how it is read."""
