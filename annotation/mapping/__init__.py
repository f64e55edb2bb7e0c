"""Citation mapping: which provisions answer a question."""
