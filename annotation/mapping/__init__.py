"""Citation mapping: which provisions answer this question."""
