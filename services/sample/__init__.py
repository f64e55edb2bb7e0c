"""Services for the sample project."""
