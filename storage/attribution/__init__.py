"""Claims of answers beside gold claims: reading and keeping their rows."""
