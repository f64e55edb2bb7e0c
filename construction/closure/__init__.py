"""Closure of gold: the provisions that belong to a gold set by rule, and references that leaked."""
