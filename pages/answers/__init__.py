"""Screens of LLM-written answers."""
