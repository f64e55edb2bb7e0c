"""Closure of gold: rule versions, proposals and decisions on them."""
