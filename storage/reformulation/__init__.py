"""Reformulation of options as questions: storage."""
