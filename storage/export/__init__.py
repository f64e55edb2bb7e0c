"""Exchange formats. Each writer gives the same bytes for the same content."""
