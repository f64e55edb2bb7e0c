"""Task: the screens."""
