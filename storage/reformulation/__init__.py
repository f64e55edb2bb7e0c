"""Reformulation: wordings, decisions, and the questions that were made."""
