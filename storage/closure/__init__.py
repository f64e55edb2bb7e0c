"""Closure of gold: the law as its rules read it."""
