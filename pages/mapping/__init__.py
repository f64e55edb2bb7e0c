"""Citation mapping screen: which provisions answer this question."""
