"""The start page: open work, where a person left off, and their pace."""
