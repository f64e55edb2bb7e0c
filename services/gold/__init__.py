"""Services for gold data."""
