"""Closure of gold: versions of its rules, what they propose, and what people decide of it."""
