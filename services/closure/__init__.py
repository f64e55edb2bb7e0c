"""Closure of gold: shared work."""
