"""Services for exchanging annotations as files."""
