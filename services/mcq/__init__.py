"""Services for multiple-choice questions and their solvability."""
