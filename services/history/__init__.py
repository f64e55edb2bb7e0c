"""Services for the history of all acts."""
