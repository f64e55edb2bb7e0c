"""Services for citation mapping: candidate provisions for each question."""
