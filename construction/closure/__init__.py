"""Closure of gold: provisions required by rules, and audit of misattributed pinpoints."""
