"""Services for background work."""
