"""The start page: what waits for a person, where they left off, and their pace."""
