"""Commands about multiple-choice questions and their solvability."""
