"""LLM judges: answers to judge and verdicts."""
