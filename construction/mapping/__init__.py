"""Citation mapping: candidate provisions for questions."""
