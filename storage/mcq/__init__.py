"""Multiple-choice questions: storage."""
