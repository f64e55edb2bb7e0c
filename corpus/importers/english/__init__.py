"""English: how it is read."""
