"""Multiple-choice questions: the solvability form, states and disputes."""
