"""Screens of LLM judging: ratings of answers, disagreement and its review."""
