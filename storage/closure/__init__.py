"""Closure of gold: reading the law for its rules."""
