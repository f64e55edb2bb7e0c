"""Services for the closure of gold by rules."""
