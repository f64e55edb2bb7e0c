"""Guidelines and codebooks: the screens."""
