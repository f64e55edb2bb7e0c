"""Multiple-choice questions and their solvability: the command line."""
