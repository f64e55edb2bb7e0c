"""Agreement between annotators: statistics, known answers, practice and times."""
