"""Services for LLM judges: ratings of answers, disagreement and its review."""
