"""Answers to the fields of an item: the rules of each task that is not citation mapping."""
