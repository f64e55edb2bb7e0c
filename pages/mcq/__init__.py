"""Multiple-choice questions and their solvability: the screens."""
