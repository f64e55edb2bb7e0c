"""Citation mapping: storage of candidates."""
