"""Multiple-choice questions and their solvability: what the database keeps."""
