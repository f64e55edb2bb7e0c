"""Services for factor tagging of court cases."""
