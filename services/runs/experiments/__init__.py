"""Services for experiments."""
