"""Services for agreement between annotators."""
