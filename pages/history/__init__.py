"""Screen of the history of all acts."""
