"""Generated questions: storage with every attempt, and reading."""
