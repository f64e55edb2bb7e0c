"""Multiple-choice questions and their solvability: shared work."""
