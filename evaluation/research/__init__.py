"""Measures of gold passages that two people marked."""
