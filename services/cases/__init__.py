"""Services for court cases and their standard groups."""
