"""Methods that learn from a project's gold, each question from the gold of other questions."""
