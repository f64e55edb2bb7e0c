"""Multiple-choice questions and their solvability: the rules of the work."""
