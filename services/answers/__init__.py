"""Services for answers written by models."""
