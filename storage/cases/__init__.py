"""Court cases: storage."""
