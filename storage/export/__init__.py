"""Writers and readers of exchange formats. Each writes the same bytes for the same content."""
