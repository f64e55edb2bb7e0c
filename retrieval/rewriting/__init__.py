"""Queries put into other words by a language model, and searched for in those words."""
