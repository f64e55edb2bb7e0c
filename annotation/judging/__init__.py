"""LLM judges: ratings of answers, judges' verdicts, and reviews."""
